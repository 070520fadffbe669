// A script that reads a variable which nobody sets: it ends there with a message, instead of going on with nothing.
import { inYaml } from "../language/yaml-words.ts";
import { soundsSecret } from "../text/secret-names.ts";
import { scanScript } from "../shell/scan.ts";
import { withChecks } from "../shell/environment-reads.ts";
import type { ToolContext } from "../tool/tool.ts";

/** Returns the words of a shell, `sh -c SCRIPT dottool VALUE…`, with a script that ends where it reads one of these. */
export function endingAt(
  names: readonly string[],
  argv: readonly string[],
  { isInYaml }: Pick<ToolContext, "isInYaml"> = {},
): readonly string[] {
  const at = argv.indexOf("-c") + 1;
  const text = argv[at];
  if (at === 0 || text === undefined) return argv;
  const script = scanScript(text, { knowsTests: argv[0] !== "sh" });
  const saying = (name: string): string => (isInYaml ? inYaml(unsetMessage(name)) : unsetMessage(name));
  const checked = withChecks(text, script, { names: new Set(names), saying });
  return argv.with(at, checked);
}

/** Without quotes, braces and backquotes, since it stands within `${…}`. */
function unsetMessage(name: string): string {
  return soundsSecret(name)
    ? `no value in this call, and the script reads it. A secret is passed on by name: @env ${name}=secret:${name}`
    : `no value in this call, and the script reads it. Set it where you call the tool, or with @env ${name}=VALUE; @env ${name} passes it on to models`;
}
