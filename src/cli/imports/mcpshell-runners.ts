// The runners of a tool of MCPShell as a level of the sandbox.
import type { ImportedTool } from "./imported-tool.ts";
import { listOf, mapOf, scalarOf, type SourceMap } from "./source-data.ts";

interface Sandbox {
  readonly security?: NonNullable<ImportedTool["security"]>;
  readonly notes: readonly string[];
}

/** MCPShell takes the first runner that works; the first one is what the author prefers. */
export function sandboxOf(runners: readonly SourceMap[]): Sandbox {
  const [runner] = runners;
  const name = scalarOf(runner?.["name"]) ?? "exec";
  const options = mapOf(runner?.["options"]);
  if (name === "exec" || !runner) return { notes: [] };
  if (name === "docker")
    return {
      security: { sandbox: "custom" },
      notes: [
        `its container \`${scalarOf(options["image"]) ?? ""}\` has to be named in \`sandbox:\` of your \`config.yaml\``,
      ],
    };
  const isOpen = options["allow_networking"] !== false && options["allow_user_folders"] !== false;
  const paths = ["allow_read_folders", "allow_read_files"].flatMap((key) => listOf(options[key]).map(String));
  const written = ["allow_write_folders", "allow_write_files"].flatMap((key) => listOf(options[key]).map(String));
  const writes = written
    .map((path) => path.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, "{$1}"))
    .filter((path) => !path.includes("{{"));
  if (isOpen && paths.length + written.length === 0 && options["custom_profile"] === undefined) return { notes: [] };
  return {
    security: {
      sandbox: "strict",
      ...(options["allow_networking"] === false ? {} : { hosts: ["*"] }),
      ...(writes.length === 0 ? {} : { writes }),
    },
    notes: [
      ...(options["custom_profile"] === undefined
        ? []
        : [`the \`custom_profile:\` of ${name} is \`@sandbox strict\` here`]),
      ...(paths.some((path) => !/^\/(?:usr|bin|lib|etc|sbin)\b/.test(path))
        ? ["folders that it may read beside the working folder are named in `sandbox: reads:` of your `config.yaml`"]
        : []),
      ...(writes.length < written.length ? ["some of the paths that it may write are not carried over"] : []),
    ],
  };
}
