// The variables that a definition sets or passes on, and how it passes on another one.
import { soundsSecret } from "../../../core/text/secret-names.ts";
import type { Edit } from "../../../core/text/diagnostic.ts";
import type { DeclaredEnvironment } from "../../../core/language/kinds/command-problems.ts";
import type { Fields } from "../fields.ts";
import { entryOf, isText, type YamlEntry, type YamlMap, type YamlNode } from "../node.ts";
import { EXTENSION } from "../described-keys.ts";
import { TEMPORARY_NAMES } from "./surroundings.ts";

/** Mistakes in these keys are told by those who read them. */
export function declaredVariables({ map }: Fields): DeclaredEnvironment {
  const within = (key: string, inner: string): YamlNode | undefined => {
    const value = entryOf(map, key)?.value;
    return value?.kind === "map" ? entryOf(value, inner)?.value : undefined;
  };
  return {
    names: new Set([
      ...namesIn(within("environment", "variables")),
      ...namesIn(within(EXTENSION, "pass-environment")),
      ...namesIn(within(EXTENSION, "secrets")),
      ...(within("file-paths", "temp-directory") ? TEMPORARY_NAMES : []),
      ...(isText(within("environment", "inherit"), "true") ? ["*"] : []),
    ]),
    passing: (name, at) => {
      const [key, text] = soundsSecret(name)
        ? ["secrets", `secrets: { ${name}: ${name} }`]
        : ["pass-environment", `pass-environment: [${name}]`];
      const edit = passingEdit(map, at, { name, key, text });
      return { words: `\`${text}\` below \`${EXTENSION}\``, ...(edit ? { edit } : {}) };
    },
  };
}

function namesIn(node: YamlNode | undefined): readonly string[] {
  if (node?.kind === "map") return node.entries.map(({ key }) => key);
  return node?.kind === "list" ? node.items.flatMap((item) => (item.kind === "scalar" ? item.text.text : [])) : [];
}

/** Returns undefined where the maps are not written as blocks. */
function passingEdit(
  map: YamlMap,
  at: number,
  { name, key, text }: { readonly name: string; readonly key: string; readonly text: string },
): Edit | undefined {
  const extension = entryOf(map, EXTENSION)?.value;
  if (!extension) {
    const owner = map.entries.findLast(({ keySpan }) => keySpan.start <= at);
    return owner && above(owner, (indent) => `${EXTENSION}:\n${indent}  ${text}\n${indent}`);
  }
  const [first] = extension.kind === "map" ? extension.entries : [];
  const known = extension.kind === "map" ? entryOf(extension, key)?.value : undefined;
  if (!known) return first && above(first, (indent) => `${text}\n${indent}`);
  const last =
    known.kind === "list" ? known.items.at(-1) : known.kind === "map" ? known.entries.at(-1)?.value : undefined;
  const { source, start } = known.span;
  if (!last || !/^[[{]/.test(source.text.slice(start, start + 1))) return undefined;
  const { end } = last.span;
  return { span: { source, start: end, end }, text: known.kind === "list" ? `, ${name}` : `, ${name}: ${name}` };
}

function above({ keySpan: { source, start } }: YamlEntry, text: (indent: string) => string): Edit | undefined {
  const indent = source.text.slice(source.text.lastIndexOf("\n", start - 1) + 1, start);
  return /^ *$/.test(indent) ? { span: { source, start, end: start }, text: text(indent) } : undefined;
}
