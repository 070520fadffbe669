// References in the texts of steps: `{clone.stdout}`, `{url:-none}`. The readers of templates only know plain names, so
// each reference is replaced by a plain name of the same length, and places in the text stay the same.
import type { ParameterSchema } from "../../schema/parameter.ts";
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import type { Spanned } from "../../text/source.ts";
import { sureName } from "../../text/suggest.ts";
import type { CommandTemplate, ShellPlaceholder, Word } from "../../tool/command.ts";
import { parseReference, REFERENCE, type Reference } from "../../tool/reference.ts";
import { itemReferences, runReferences, stepFields } from "../../tool/step.ts";
import type { PlaceholderPart, Template } from "../../tool/template.ts";
import { type Declaration, type MappedText, spanWithin } from "./ast.ts";
import { nearName, unknownPlaceholder } from "../kinds/command-problems.ts";
import { SLIP, slipProblem } from "./reference-slips.ts";
import { diagnosticOf, replacing } from "../findings.ts";
import { parseTemplate } from "./template.ts";

/** The names that a text may refer to. */
export interface ReferenceScope {
  readonly parameters: readonly Declaration[];
  readonly steps: readonly { readonly name: string; readonly span: Declaration["span"] }[];
  /** Whether the text is in a step with `for-each`. */
  readonly hasItem: boolean;
  /** A place in a tool that has neither steps nor parameters. */
  readonly place?: Declaration["span"];
}

interface ReferringText {
  /** The text for a reader of templates; it goes with `declarations`. */
  readonly text: MappedText;
  readonly declarations: readonly Declaration[];
  /** Plain names with the references that they replace. */
  readonly names: readonly (readonly [string, string])[];
  /** Diagnostics for references to unknown names. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns what a reader made of `text`, with the references as written. */
  restored<T extends CommandTemplate | Template>(read: Checked<T>): Checked<T>;
}

const REFERENCES = new RegExp(`(?<!\\$)\\{(${REFERENCE}|${SLIP})\\}`, "g");

/** With `isPlainText`, no other language can be in the text, so unknown names are reported here. */
export function referringText(text: MappedText, scope: ReferenceScope, { isPlainText = false } = {}): ReferringText {
  const plainNames = new Map<string, string>();
  const added: Declaration[] = [];
  const isTaken = (name: string): boolean =>
    scopeNames(scope).names.has(name) || added.some(({ parameter }) => parameter.name === name);
  const diagnostics: Diagnostic[] = [];
  const strangers: Stranger[] = [];
  const plainOf = (written: string): string => {
    const name = plainNames.get(written) ?? plainName(written, isTaken, [...plainNames.values()]);
    plainNames.set(written, name);
    return name;
  };
  const declare = (written: string, schema: ParameterSchema, start: number): string => {
    const isSecret = scope.parameters.some(
      ({ parameter }) => parameter.name === rootOf(written) && parameter.secret === true,
    );
    if (!plainNames.has(written))
      added.push({
        parameter: {
          name: plainOf(written),
          description: "",
          schema,
          required: false,
          ...(isSecret ? { secret: true } : {}),
        },
        span: spanWithin(text, start + 1, start + 1 + written.length),
      });
    return `{${plainOf(written)}}`;
  };
  const plain = text.text.replaceAll(REFERENCES, (mark, written: string, ...rest) => {
    const start = rest.findLast((one): one is number => typeof one === "number") ?? 0;
    const root = rootOf(written);
    if (written === root) return mark;
    const isDoubled = text.text[start - 1] === "{" && text.text[start + mark.length] === "}";
    if (!isKnownRoot(root, scope)) {
      // `${{name.x}}` is not a reference of this language.
      if (text.text.endsWith("${", start)) return mark;
      if (isPlainText) {
        if (!isDoubled)
          diagnostics.push(
            unknownPlaceholder({ text, declarations: scopeDeclarations(scope) }, { name: root, start, written }),
          );
        return mark;
      }
      strangers.push({ written, root, start, isDoubled });
      return `{${plainOf(written)}}`;
    }
    const reference = parseReference(written);
    if (!reference) {
      if (text.text[start - 1] !== "{") diagnostics.push(slipProblem(text, { written, start: start + 1 }));
      return declare(written, { type: "string" }, start);
    }
    const schema = schemaOf(reference, scope);
    if (schema !== undefined) return declare(written, schema, start);
    if (!isDoubled) diagnostics.push(unknownField(text, { reference, start: start + 1 }, scope));
    return mark;
  });
  const writtenNames = new Map([...plainNames].map(([written, name]) => [name, written]));
  return {
    text: { ...text, text: plain },
    declarations: added.length === 0 ? scopeDeclarations(scope) : [...scopeDeclarations(scope), ...added],
    names: [...writtenNames],
    diagnostics,
    restored: (read) => restoredRead(read, { text, scope, strangers, writtenNames }),
  };
}

interface Written {
  readonly text: MappedText;
  readonly scope: ReferenceScope;
  readonly strangers: readonly Stranger[];
  readonly writtenNames: ReadonlyMap<string, string>;
}

function restoredRead<T extends CommandTemplate | Template>(
  read: Checked<T>,
  { text, scope, strangers, writtenNames }: Written,
): Checked<T> {
  const source = { text, declarations: scopeDeclarations(scope) };
  const unknownAt = new Map(strangers.map((one) => [spanWithin(text, one.start + 1, one.start + 2).start, one]));
  const told = read.diagnostics.map((diagnostic) => {
    const stranger =
      diagnostic.code === "unknown-placeholder" && diagnostic.at ? unknownAt.get(diagnostic.at.span.start) : undefined;
    return stranger
      ? unknownPlaceholder(source, { name: stranger.root, start: stranger.start, written: stranger.written })
      : restoredDiagnostic(diagnostic, writtenNames);
  });
  // Text that was read as awk or jq may still be a misspelled reference.
  const slips = strangers.filter(
    ({ root, isDoubled }) => !isDoubled && root.length >= NEAR_ROOT_LENGTH_MIN && nearName(source, root) !== undefined,
  );
  const unknown = slips.map((one) =>
    unknownPlaceholder(source, { name: one.root, start: one.start, written: one.written }),
  );
  const toldAt = new Set(told.map(({ at }) => at?.span.start));
  const untold = unknown.filter(({ at }) => !toldAt.has(at?.span.start));
  return {
    ...(read.value === undefined || unknown.length > 0 ? {} : { value: restoredTemplate(read.value, writtenNames) }),
    diagnostics: [...told, ...untold],
  };
}

/** A reference to an unknown name, unless the reader of the text takes it as text. */
interface Stranger {
  readonly written: string;
  readonly root: string;
  /** The offset of the `{`. */
  readonly start: number;
  readonly isDoubled: boolean;
}

/** The limit below which no similar name is suggested: short words are near to anything. */
const NEAR_ROOT_LENGTH_MIN = 3;

function rootOf(written: string): string {
  return /^[A-Za-z0-9_-]*/.exec(written)?.[0] ?? "";
}

export function parseReferringTemplate(text: MappedText, scope: ReferenceScope): Checked<Template> {
  const referring = referringText(text, scope);
  const { value, diagnostics } = referring.restored(parseTemplate(referring.text, referring.declarations));
  return { ...(value ? { value } : {}), diagnostics: [...referring.diagnostics, ...diagnostics] };
}

/**
 * Reads a text whose characters have no known places in the file. It is in no other language, so every brace is a
 * reference.
 */
export function referringString(text: string, scope: ReferenceScope, place: Declaration["span"]): ReferringText {
  const read = referringText(
    { text, span: place, offsetAt: (index) => Math.min(place.end, place.start + index) },
    scope,
    { isPlainText: true },
  );
  if (text.length === place.end - place.start) return read;
  return {
    ...read,
    diagnostics: read.diagnostics.map(({ fix: _fix, ...rest }) => ({
      ...rest,
      ...(rest.at ? { at: { ...rest.at, span: place } } : {}),
    })),
  };
}

/** Checks a text that is only a reference, as in a condition. Returns undefined if its name is known. */
export function unknownReference(
  { value: reference, span }: Spanned<Reference>,
  scope: ReferenceScope,
): Diagnostic | undefined {
  const text: MappedText = {
    text: reference.text,
    span: { ...span, start: span.start + 1, end: span.end - 1 },
    offsetAt: (index) => span.start + 1 + index,
  };
  if (!isKnownRoot(reference.root, scope))
    return unknownPlaceholder({ text, declarations: scopeDeclarations(scope) }, { name: reference.root, start: -1 });
  return schemaOf(reference, scope) === undefined ? unknownField(text, { reference, start: 0 }, scope) : undefined;
}

/** Returns what a reference to this name may be, or undefined if the name is not known. */
export function schemaOf({ root, path }: Reference, scope: ReferenceScope): ParameterSchema | undefined {
  const declared = scope.parameters.find(({ parameter }) => parameter.name === root);
  if (declared)
    return path.length === 0
      ? declared.parameter.schema
      : declared.parameter.schema.type === "object" || declared.parameter.schema.type === "array"
        ? { type: "string" }
        : undefined;
  if (scope.steps.some(({ name }) => name === root)) return stepSchema(path);
  if (root === "item") return { type: "string" };
  if (path.length > 0) return undefined;
  return root === "index" ? { type: "integer" } : { type: "string" };
}

function stepSchema(path: Reference["path"]): ParameterSchema | undefined {
  const [field, ...inner] = path;
  if (field === undefined || field === "json") return { type: "string" };
  if (field === "value") return inner.length === 0 ? { type: "string" } : undefined;
  if (inner.length > 0 || !stepFields.some((known) => known === field)) return undefined;
  return field === "exit-code" ? { type: "integer" } : field === "ok" ? { type: "boolean" } : { type: "string" };
}

function isKnownRoot(root: string, scope: ReferenceScope): boolean {
  return scopeNames(scope).names.has(root);
}

interface ScopeNames {
  readonly declarations: readonly Declaration[];
  readonly names: ReadonlySet<string>;
}

/** Cached, because a thousand steps have a thousand texts with the same scope. */
const known = new WeakMap<ReferenceScope, ScopeNames>();

function scopeNames(scope: ReferenceScope): ScopeNames {
  const found = known.get(scope);
  if (found) return found;
  const declarations = declarationsIn(scope);
  const made: ScopeNames = { declarations, names: new Set(declarations.map(({ parameter }) => parameter.name)) };
  known.set(scope, made);
  return made;
}

/** Returns everything that may be named without a path. */
export function scopeDeclarations(scope: ReferenceScope): readonly Declaration[] {
  return scopeNames(scope).declarations;
}

function declarationsIn({ parameters, steps, hasItem, ...scope }: ReferenceScope): readonly Declaration[] {
  const place = scope.place ?? parameters[0]?.span ?? steps[0]?.span;
  const text = (
    name: string,
    span: Declaration["span"],
    schema: ParameterSchema = { type: "string" },
  ): Declaration => ({ parameter: { name, description: "", schema, required: false }, span });
  const own = place
    ? [
        ...runReferences.map((name): Declaration => ({ ...text(name, place), isOfRun: true })),
        ...(hasItem ? itemReferences : []).map((name) =>
          text(name, place, name === "index" ? { type: "integer" } : { type: "string" }),
        ),
      ]
    : [];
  const declared = new Set(parameters.map(({ parameter }) => parameter.name));
  const byName = new Map(
    [...steps.map(({ name, span }) => text(name, span)), ...own].map((one) => [one.parameter.name, one]),
  );
  return [...parameters, ...[...byName.values()].filter(({ parameter }) => !declared.has(parameter.name))];
}

/** Returns a plain name: `clone_stdout` for `clone.stdout`, or `clone_stdou_` and so on if that name is taken. */
function plainName(written: string, isTaken: (name: string) => boolean, others: readonly string[]): string {
  let name = written.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  for (let at = name.length; (isTaken(name) || others.includes(name)) && at > 1; at--)
    name = `${name.slice(0, at - 1)}${"_".repeat(name.length - at + 1)}`;
  return name;
}

function unknownField(
  text: MappedText,
  { reference: { root, path, text: written }, start }: { readonly reference: Reference; readonly start: number },
  scope: ReferenceScope,
): Diagnostic {
  const [field = "", ...inner] = path;
  const fieldStart = start + root.length + 1;
  const fieldEnd = fieldStart + String(field).length;
  const problem = ([from, to]: readonly [number, number], message: string, help: string): Diagnostic =>
    diagnosticOf("unknown-placeholder", message, { at: spanWithin(text, from, Math.max(from + 1, to)), help: [help] });
  if (!scope.steps.some(({ name }) => name === root))
    return problem([fieldStart, fieldEnd], `\`${root}\` has no parts`, `write \`{${root}}\``);
  if (stepFields.some((known) => known === field)) {
    const rest = written.slice(fieldEnd - start).replace(/:-.*$/s, "");
    const hasJson = inner.length > 0 && field !== "exit-code" && field !== "ok";
    const json = hasJson ? `, or \`{${root}.json${rest}}\` if the output is JSON` : "";
    const message = `\`${String(field)}\` of a step has no parts`;
    return problem([fieldEnd, fieldEnd + rest.length], message, `write \`{${root}.${String(field)}}\`${json}`);
  }
  const near = sureName(String(field), stepFields);
  const fields = stepFields.map((one) => `\`${one}\``).join(", ");
  const help = `a step has ${fields}; \`json\` needs a path: \`{${root}.json.name}\``;
  const found = problem([fieldStart, fieldEnd], `a step has no \`${String(field)}\``, help);
  if (near === undefined || !found.at) return found;
  const { span } = found.at;
  return { ...found, at: { span, text: `did you mean \`${near}\`?` }, help: [], fix: replacing(span, near) };
}

function restoredTemplate<T extends CommandTemplate | Template>(template: T, names: ReadonlyMap<string, string>): T {
  if (names.size === 0) return template;
  const name = (plain: string): string => names.get(plain) ?? plain;
  const text = (literal: string): string => restoredText(literal, names, (plain) => `{${plain}}`);
  const part = <P extends PlaceholderPart | ShellPlaceholder>(one: string | P): string | P =>
    typeof one === "string"
      ? text(one)
      : {
          ...one,
          placeholder: name(one.placeholder),
          ...("behind" in one && one.behind ? { behind: one.behind.map(name) } : {}),
        };
  if ("words" in template)
    return { ...template, words: template.words.map((word): Word => ({ ...word, parts: word.parts.map(part) })) };
  return { ...template, parts: template.parts.map((one) => part(one)) };
}

function restoredDiagnostic(diagnostic: Diagnostic, names: ReadonlyMap<string, string>): Diagnostic {
  const text = (said: string): string => restoredText(said, names, (plain) => plain);
  const { at, fix } = diagnostic;
  return {
    ...diagnostic,
    message: text(diagnostic.message),
    ...(at ? { at: { ...at, text: text(at.text) } } : {}),
    help: diagnostic.help.map(text),
    ...(fix
      ? { fix: { title: text(fix.title), edits: fix.edits.map((edit) => ({ ...edit, text: text(edit.text) })) } }
      : {}),
  };
}

function restoredText(said: string, names: ReadonlyMap<string, string>, marked: (plain: string) => string): string {
  let restored = said;
  for (const [plain, written] of names) restored = restored.replaceAll(marked(plain), marked(written));
  return restored;
}
