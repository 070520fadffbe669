// The name of a tool and the texts about it.
import { platformNames } from "../../../core/tool/command.ts";
import { basename, dirname } from "node:path";
import type { Span, Spanned } from "../../../core/text/source.ts";
import type { DefinitionHead } from "../../../core/tool/definition.ts";
import { effects, type NameOptions, splitOwner, tagged, titleOf } from "../../../core/language/fields/names.ts";
import { unknownPlatform } from "../../../core/language/fields/platforms.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { type Findings, nearestOf } from "../../../core/language/findings.ts";
import type { Fields } from "../fields.ts";
import { oneLine } from "../key-values.ts";
import { changelogKeys, metadataKeys } from "./keys.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** Tools that end an agent's turn; an agent must be able to rely on that. */
const loopBreakingNames = ["task_completion", "ask_question", "converse"];

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

export type ReadWords = Pick<
  DefinitionHead,
  "title" | "category" | "keywords" | "changelog" | "declaredEffects" | "tags" | "platforms"
>;

export function readWords(fields: Fields, name: string): ReadWords {
  const metadata = fields.fields("metadata", metadataKeys);
  const words = uniqueWords([...fields.words("tags"), ...(metadata?.words("tags") ?? [])], fields.findings);
  const category = [metadata?.text("category")?.text, metadata?.text("subcategory")?.text]
    .filter((word) => word !== undefined)
    .join("/");
  if (!metadata?.has("category")) metadata?.refuse("subcategory", "`subcategory` needs a `category`");
  const platforms = readPlatforms(fields);
  return {
    title: titleOf(name),
    ...(category === "" ? {} : { category }),
    keywords: [...new Set((metadata?.words("search-keywords") ?? []).map(({ text }) => text))],
    changelog: readChangelog(fields),
    ...tagged(words),
    ...(platforms ? { platforms } : {}),
  };
}

/** Returns each word once. Any word is a tag, but one letter off an effect is a mistake. */
function uniqueWords(words: readonly MappedText[], findings: Findings): readonly string[] {
  for (const { text, span } of words) {
    const near = effects.some((effect) => effect === text) ? undefined : nearestOf(text, effects);
    if (near !== undefined && Math.abs(near.length - text.length) < 2)
      findings.warn("wrong-value", `\`${text.slice(0, 64)}\` is a custom tag and does not say what the tool may do`, {
        at: span,
        label: `did you mean \`${near}\`?`,
      });
  }
  return [...new Set(words.map(({ text }) => text))];
}

function readPlatforms(fields: Fields): DefinitionHead["platforms"] {
  if (!fields.has("platforms")) return undefined;
  fields.refuseEmpty("platforms");
  const words = fields.words("platforms").flatMap(({ text, span }) =>
    text === "unix"
      ? [
          { text: "linux", span },
          { text: "macos", span },
        ]
      : [{ text, span }],
  );
  const known = platformNames.filter((platform) => words.some(({ text }) => text === platform));
  for (const { text, span } of words)
    if (!platformNames.some((platform) => platform === text))
      unknownPlatform({ value: text, span }, platformNames, fields.findings);
  return known;
}

/** Reads the changes, one line each: the version, then what changed. */
function readChangelog(fields: Fields): readonly string[] {
  return fields.list("changelog").flatMap((item) => {
    const entry = fields.fieldsOf(item, "changelog", changelogKeys);
    if (!entry) return [];
    const { version, changes = [] } = changelogKeys.read(entry);
    if (!entry.has("changes"))
      entry.findings.error("wrong-value", "this entry has no `changes`", {
        at: { ...item.span, end: item.span.start + 1 },
        help: ["add `changes:`"],
      });
    return [
      [version ?? [], changes.map(oneLine).join("; ")]
        .flat()
        .filter((part) => part !== "")
        .join(" "),
    ];
  });
}

export function warnUndescribed(fields: Fields, at: Span): void {
  if (!fields.has("description"))
    fields.findings.warn("missing-description", "this tool has no description", {
      at,
      help: ["add `description:` to say what it does and when to use it: models see nothing else"],
    });
}
