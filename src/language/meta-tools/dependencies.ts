// `dependencies`: other tools, each with its accepted versions: `official/translate@^1.0.0`.
import validRange from "semver/ranges/valid.js";
import type { Dependency } from "../../tool/definition.ts";
import { sliced } from "../syntax/mapped-text.ts";
import type { Fields } from "../yaml/fields.ts";

const DEPENDENCY = /^((?:[A-Za-z_][A-Za-z0-9_-]{0,63}\/)?[A-Za-z_][A-Za-z0-9_-]{0,63})(?:@([^]*))?$/;

export function readDependencies(tool: Fields): readonly Dependency[] {
  const known = new Map<string, Dependency>();
  for (const text of tool.texts("dependencies")) {
    const [, name, range] = DEPENDENCY.exec(text.text) ?? [];
    if (name === undefined)
      tool.findings.error("wrong-value", `\`${text.text.slice(0, 64)}\` is not the name of a tool`, {
        at: text.span,
        label: "expected `OWNER/NAME`, or `OWNER/NAME@^1.0.0`",
      });
    else if (range !== undefined && validRange(range) === null)
      tool.findings.error("bad-version", `\`${range.slice(0, 64)}\` is not a valid version range`, {
        at: sliced(text, name.length + 1).span,
        label: "expected a range such as ^1.2.0",
      });
    else if (known.has(name)) tool.findings.error("wrong-value", `\`${name}\` is listed twice`, { at: text.span });
    else known.set(name, { tool: name, ...(range === undefined ? {} : { range }) });
  }
  return [...known.values()];
}
