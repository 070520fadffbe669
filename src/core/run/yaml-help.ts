// The help of a failed call of a tool that is defined in YAML: in the words of its file.
import { inYaml } from "../language/yaml-words.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolRegistry } from "../tool/registry.ts";

/** Rewords help alone, since headlines and facts quote the world. A step that calls another file has that file's words. */
export function inYamlWords(failure: Failure, registry: ToolRegistry): Failure {
  if (failure.kind === "step-failed") {
    const isOfFile = registry.find(failure.tool)?.definition.origin.kind === "file";
    return isOfFile ? failure : { ...failure, cause: inYamlWords(failure.cause, registry) };
  }
  return "help" in failure && failure.help ? ({ ...failure, help: failure.help.map(inYaml) } as Failure) : failure;
}
