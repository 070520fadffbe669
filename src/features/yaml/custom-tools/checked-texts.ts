// Values of keys that are texts of a certain form, such as hosts and permissions.
import { allowanceIn, allowanceText } from "../../../core/language/fields/allowances.ts";
import { isPermission, PERMISSIONS } from "../../../core/language/fields/asks.ts";
import { readRegex } from "../../../core/language/fields/options.ts";
import { matchRule } from "../../../core/language/syntax/grammar.ts";
import type { Pattern } from "../../../core/schema/parameter.ts";
import type { Fields } from "../fields.ts";
import { checkEnvironmentFile } from "../../../core/language/kinds/wrapped-command.ts";
import { isHost, namesParameters } from "../../../core/language/fields/sandbox.ts";
import { meaning, meanings, oneLine, text } from "../key-values.ts";
import type { PlainKey } from "../described-keys.ts";
import type { Json } from "../../../core/schema/json.ts";
import { isName } from "../names.ts";
import { readTemplateText } from "../template-text.ts";

const asItIs = (found: string): string => found;

function nameText(noun: Parameters<typeof isName>[0]): ReturnType<typeof meaning<string>> {
  return meaning((found, { findings }) => (isName(noun, found, findings) ? found.text : undefined), asItIs);
}
export const variableName = nameText("name for an environment variable");
export const optionName = nameText("name for a command-line option");

export const hosts = meanings(
  ({ text: found, span }, { findings }) => (isHost({ value: found, span }, findings) ? found : undefined),
  asItIs,
);
export const writtenPaths = meanings(
  ({ text: found, span }, { scope, findings }) =>
    namesParameters({ value: found, span }, scope.parameters, findings) ? found : undefined,
  asItIs,
);
/** Permissions, with `{NAME}` for values. */
export const permissions = meanings((found, { scope, findings }) => {
  readTemplateText(found, { scope: { ...scope, place: found.span }, findings });
  if (isPermission(found.text)) return found.text;
  findings.error("wrong-value", `\`${found.text.slice(0, 64)}\` is not a permission`, {
    at: found.span,
    help: [PERMISSIONS],
  });
  return found.text;
}, asItIs);

/** Annotations as they are written after the `@` in a `.tool` file. */
export const annotations = meanings(({ text: found, span }, { findings }) => {
  const annotation = oneLine(found);
  if (/^x-[A-Za-z0-9-]*(?:\([a-z]+\))?(?: |$)/.test(annotation)) return annotation;
  return void findings.error("wrong-value", `\`${annotation.slice(0, 64)}\` is not an annotation for other programs`, {
    at: span,
    label: "expected `x-` with a name, then text",
  });
}, asItIs);
export const allowances = meanings((found, { findings }) => allowanceIn(found, findings)[0], allowanceText);

export function readSlashed(fields: Fields, key: string): Pattern | undefined {
  const text = fields.text(key);
  if (!text) return undefined;
  const { problem } = matchRule("regex", text);
  if (!problem) return readRegex(text, fields.findings);
  fields.findings.unreadable("bad-regex", `\`${key}\` must be a regular expression between slashes`, problem);
  return undefined;
}

/** An answer to a program. An empty one is the Enter key. */
export function answer(does: string, example: Json): PlainKey<string> {
  return {
    ...text(does, example),
    read: (fields, key) => {
      const found = fields.entry(key)?.value;
      const isEnter = found?.kind === "scalar" && found.value === "";
      return isEnter ? "" : found && fields.textOf(found, key)?.text;
    },
    write: asItIs,
  };
}

export const environmentFile = meaning((found, { findings }) => {
  checkEnvironmentFile(found, findings);
  return found.text;
}, asItIs);
