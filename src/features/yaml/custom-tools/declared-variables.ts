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
      ...(within(EXTENSION, "env-file") ? ["*"] : []),
      ...(isText(within("environment", "inherit"), "true") ? ["*"] : []),
    ]),
    passing: (name, at) => {
      const [key, text] = soundsSecret(name)
        ? ["secrets", `secrets: { ${name}: ${name} }`]
        : ["pass-environment", `pass-environment: [${name}]`];
      const item = key === "secrets" ? `${name}: ${name}` : name;
      const edit = passingEdit(map, at, { keys: [EXTENSION, key], text, item });
      return { words: `\`${text}\` below \`${EXTENSION}\``, ...(edit ? { edit } : {}) };
    },
    values: ["environment", "input", "working-directory", "file-paths"]
      .flatMap((key) => entryOf(map, key)?.value ?? [])
      .map(({ span }) => span.source.text.slice(span.start, span.end))
      .join("\n"),
    giving: (variable, value, at) => {
      const item = `${variable}: "${value}"`;
      const edit = passingEdit(map, at, { keys: ["environment", "variables"], text: `variables: { ${item} }`, item });
      return { words: `\`${item}\` below \`variables\` of \`environment\``, ...(edit ? { edit } : {}) };
    },
  };
}

function namesIn(node: YamlNode | undefined): readonly string[] {
  if (node?.kind === "map") return node.entries.map(({ key }) => key);
  return node?.kind === "list" ? node.items.flatMap((item) => (item.kind === "scalar" ? item.text.text : [])) : [];
}

interface Entry {
  /** Its map, and the key in it. */
  readonly keys: readonly [owner: string, key: string];
  /** The key with the item alone. */
  readonly text: string;
  readonly item: string;
}

/** Returns undefined where no place for it is sure. */
function passingEdit(map: YamlMap, at: number, { keys: [owner, key], text, item }: Entry): Edit | undefined {
  const found = entryOf(map, owner)?.value;
  if (!found) {
    const below = map.entries.findLast(({ keySpan }) => keySpan.start <= at);
    return below && above(below, (indent) => `${owner}:\n${indent}  ${text}\n${indent}`);
  }
  const [first] = found.kind === "map" ? found.entries : [];
  const known = found.kind === "map" ? entryOf(found, key)?.value : undefined;
  if (!known) return first && above(first, (indent) => `${text}\n${indent}`);
  const { source, start } = known.span;
  if (!/[[{]/.test(source.text[start] ?? "")) {
    const [next] = known.kind === "map" ? known.entries : [];
    return next && above(next, (indent) => `${item}\n${indent}`);
  }
  const last =
    known.kind === "list" ? known.items.at(-1) : known.kind === "map" ? known.entries.at(-1)?.value : undefined;
  return last && { span: { source, start: last.span.end, end: last.span.end }, text: `, ${item}` };
}

function above({ keySpan: { source, start } }: YamlEntry, text: (indent: string) => string): Edit | undefined {
  const indent = source.text.slice(source.text.lastIndexOf("\n", start - 1) + 1, start);
  return /^ *$/.test(indent) ? { span: { source, start, end: start }, text: text(indent) } : undefined;
}
