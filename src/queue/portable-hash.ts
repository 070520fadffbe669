// The hash of a tool's content that is the same on every machine that has it: that of an approval, with the names of
// scripts in place of their paths.
import { basename } from "node:path";
import { contentOf } from "../policy/content.ts";
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";

const SCRIPT = "the script ";

/** `cwd` is absolute. */
export function portableHash(tool: Tool, { host, cwd }: { readonly host: Host; readonly cwd: string }): string {
  const name = tool.definition.name.value;
  const { parts } = contentOf({ call: { id: "", tool: name, arguments: {} }, tool, arguments: {} }, { host, cwd });
  const portable = Object.entries(parts).map(([label, sum]) => [
    label.startsWith(SCRIPT) ? SCRIPT + basename(label) : label,
    sum,
  ]);
  return host.sha256(JSON.stringify(portable.map((one) => one.join("\n")).toSorted()));
}
