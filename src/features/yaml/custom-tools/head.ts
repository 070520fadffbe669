// The name of a tool and the texts about it.
import { basename, dirname } from "node:path";
import type { Span, Spanned } from "../../../core/text/source.ts";
import { loopBreakingNames, type NameOptions, splitOwner } from "../../../core/language/fields/names.ts";
import type { Fields } from "../fields.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Reads the name. Without one, it is the file's own. */
export function readName(fields: Fields, options: NameOptions): Spanned<string> | undefined {
  const written = fields.text("name");
  if (!written && fields.has("name")) return undefined;
  const { source } = fields.findings;
  const file = nameOfFile(source.path);
  const span = written?.span ?? { source, start: fields.map.span.start, end: fields.map.span.start };
  const name = written?.text ?? file;
  const [owner, short] = splitOwner(name);
  const complain = (code: "invalid-name" | "reserved-name", message: string, help: readonly string[]): undefined =>
    void fields.findings.error(code, message, { at: span, help });
  if (owner !== undefined && owner !== options.owner)
    return complain("invalid-name", `\`${name.slice(0, 64)}\` names an owner, but the folder decides the owner`, [
      `write \`name: ${short.slice(0, 64)}\``,
    ]);
  if (!NAME.test(short))
    return complain("invalid-name", `\`${name.slice(0, 64)}\` is not a valid tool name`, [
      written
        ? "a name has letters, digits, `_` and `-`, begins with a letter or `_`, and has at most 64 characters"
        : "add `name:` with letters, digits, `_` and `-`, or rename the file",
    ]);
  if (loopBreakingNames.includes(short) && options.owner === undefined)
    return complain("reserved-name", `\`${short}\` is reserved: it ends an agent's turn`, []);
  if (written && file.toLowerCase() !== short.toLowerCase())
    fields.findings.warn(
      "file-name-differs",
      `the tool \`${short}\` is defined in ${OWN_NAME.test(basename(source.path)) && !OWN_NAME.test(`${file}.yaml`) ? `the folder \`${file}\`` : `the file \`${basename(source.path)}\``}`,
      { at: span, help: ["give both the same name, so that people can find the file"] },
    );
  return { value: options.owner === undefined ? short : `${options.owner}/${short}`, span };
}

/** Names of files that are called as their folder. */
const OWN_NAME = /^(?:tool\.ya?ml|config\.yaml)$/i;

/** Returns the name of a file. `my-tool/tool.yaml` and `my-tool/config.yaml` are called as their folder. */
function nameOfFile(path: string): string {
  const file = basename(path).replace(/\.ya?ml$/i, "");
  const folder = basename(dirname(path));
  return OWN_NAME.test(basename(path)) && /^[A-Za-z_]/.test(folder) ? folder : file;
}

export function warnUndescribed(fields: Fields, at: Span): void {
  if (!fields.has("description"))
    fields.findings.warn("missing-description", "this tool has no description", {
      at,
      help: ["add `description:` to say what it does and when to use it: models see nothing else"],
    });
}
