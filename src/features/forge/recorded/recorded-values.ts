// Where the values of recorded calls came from: the person's words, the output of an earlier call, or a place that had
// another value in another call of the same tool. Each such value is replaced by a mark, and all else stays as it is.
import { isJsonObject, type Json, type JsonObject } from "../../../core/schema/json.ts";
import { MASK } from "../../../core/schema/describe.ts";
import type { Parameter, ParameterSchema } from "../../../core/schema/parameter.ts";
import { commandsOf, type Recorded, type RecordedCall, runsLine } from "./recorded-calls.ts";
import {
  type Candidate,
  EMBEDDED_LENGTH_MIN,
  isFoundIn,
  keyOf,
  marked,
  Marks,
  outputsOf,
  type Segment,
  type Source,
  textsIn,
  type Use,
} from "./recorded-marks.ts";
import { shapeOf, ParameterGuesses } from "../../new/parameter-guesses.ts";
import { soundsSecret } from "../../../core/text/secret-names.ts";
import { withoutSecrets } from "../../new/secret-guesses.ts";
import { pipedLine } from "../../new/starter.ts";

export interface MarkedCall {
  readonly call: RecordedCall;
  /** With marks in texts; a value that is a mark as a whole may have been a number. */
  readonly arguments: JsonObject;
  readonly sources: readonly Source[];
}

interface MarkedCalls {
  readonly calls: readonly MarkedCall[];
  readonly marks: Marks;
}

interface ValueOptions {
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** The name of the tool that is made. */
  readonly name: string;
  /** Whether a value has to stay, because the definition cannot have it elsewhere: see `occurrence`. */
  readonly fixed: ReadonlySet<string>;
}

/** Names one source in one call. */
export function occurrence(call: RecordedCall, source: Source): string {
  return `${call.number} ${keyOf(source)}`;
}

const VARIED_LENGTH_MAX = 200;

export function markedCalls(recorded: Recorded, options: ValueOptions): MarkedCalls {
  const { calls } = recorded;
  const texts = [...new Set(calls.flatMap((call) => [...textsIn(call.arguments), ...call.prompts]))];
  const marks = new Marks(texts);
  const secrets = secretsIn(texts, options.name);
  const outputs = outputsOf(calls);
  const folder: Candidate = { source: { kind: "folder", text: options.cwd } };
  // A value that is free in one command is free in all.
  const named = calls
    .filter(runsLine)
    .flatMap((call) => guessedWords(call.arguments))
    .filter(({ text }) => text.length >= EMBEDDED_LENGTH_MIN);
  return {
    marks,
    calls: calls.map((call) => {
      const others = [...calls, ...recorded.failed].filter((one) => one.tool === call.tool);
      const isFree = ({ source }: Candidate): boolean => !options.fixed.has(occurrence(call, source));
      const before = outputs.filter(({ source }) => source.kind === "output" && source.call < call.number);
      const mark = (text: string, more: readonly Candidate[]): string =>
        marked(text, [...secrets, ...more, folder, ...before].filter(isFree), marks);
      const args = runsLine(call)
        ? markedLine(call, { mark, others, named })
        : (mapLeaves(call.arguments, (value, path) => {
            const parameter = call.tool.parameters.find(({ name }) => name === path[0]);
            return markedLeaf(value, path, { call, others, mark, parameter, cwd: options.cwd });
          }) as JsonObject);
      return { call, arguments: args, sources: textsIn(args).flatMap((text) => marks.in(text)) };
    }),
  };
}

interface LeafOptions {
  readonly call: RecordedCall;
  readonly others: readonly Pick<RecordedCall, "arguments">[];
  readonly mark: (text: string, more: readonly Candidate[]) => string;
  readonly parameter: Parameter | undefined;
  readonly cwd: string;
}

function markedLeaf(value: Json, path: readonly Segment[], { call, others, mark, parameter, cwd }: LeafOptions): Json {
  if (typeof value !== "string" && typeof value !== "number") return value;
  const own = path.length === 1 ? parameter : undefined;
  const isPath = own?.schema.type === "string" && own.schema.format === "path";
  const text = isPath ? belowFolder(String(value), cwd) : String(value);
  const name = String(path.findLast((segment) => typeof segment === "string") ?? "value");
  const used = { text, use: useOf(name, value, own) };
  if (holdsSecret(name, parameter, path) || text === MASK) return mark(text, [wholeOf("secret", used)]);
  // In the texts of steps, `${` cannot stand before a part of a value.
  if (typeof value === "string" && value.includes("${")) return mark(text, [wholeOf("varied", used)]);
  const isFixed = own !== undefined && hasChoices(own.schema);
  const isWhole = !isFixed && text !== "";
  const parts = isFixed ? [] : saidValues(call.prompts).filter((one) => typeof value === "string" || one === text);
  // What the person said comes before outputs, which may only repeat it; what varied comes last.
  const done = mark(text, [
    ...(isWhole && call.prompts.some((prompt) => isFoundIn(text, prompt)) ? [wholeOf("said", used)] : []),
    ...parts.map((one) => valueOf("said", { text: one, use: useOfPart(one) })),
  ]);
  if (done !== text) return done;
  const last = isWhole && differs(text, path, others) ? mark(text, [wholeOf("varied", used)]) : text;
  return last === String(value) ? value : last;
}

function valueOf(kind: "said" | "varied" | "secret", { text, use }: GuessedValue): Candidate {
  return { source: { kind, text, use } };
}

/** A value that is only replaced where it is all of a text. */
function wholeOf(kind: "said" | "varied" | "secret", used: GuessedValue): Candidate {
  return { ...valueOf(kind, used), isWholeOnly: true };
}

/** Tools read a relative path from the folder of the call, which is the folder that the session had. */
function belowFolder(path: string, cwd: string): string {
  return path === cwd ? "." : path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

interface LineOptions {
  readonly mark: (text: string, more: readonly Candidate[]) => string;
  readonly others: readonly Pick<RecordedCall, "arguments">[];
  /** Values of other calls that the person had named. */
  readonly named: readonly GuessedValue[];
}

/** Words that look like values are found as `dottool new --from` finds them, and are named as there. */
function markedLine(call: RecordedCall, { mark, others, named: elsewhere }: LineOptions): JsonObject {
  const guesses = guessedWords(call.arguments);
  const words = commandsOf(call.arguments)?.flat();
  const isSaid = ({ text }: GuessedValue): boolean => call.prompts.some((prompt) => isFoundIn(text, prompt));
  const isVaried = (index: number): boolean => words !== undefined && wordDiffers(words, index, others);
  const uses = new Map(guesses.map(({ text, use }) => [text, use]));
  const candidates = [
    ...guesses.flatMap((one) =>
      isSaid(one) ? [valueOf("said", one)] : isVaried(one.index) ? [valueOf("varied", one)] : [],
    ),
    ...elsewhere.filter(isSaid).map((one) => valueOf("said", one)),
    ...saidValues(call.prompts).map((text) => valueOf("said", { text, use: uses.get(text) ?? useOfPart(text) })),
    valueOf("secret", { text: MASK, use: textUse("secret") }),
  ];
  return mapLeaves(call.arguments, (value, path) => {
    const [argument, index] = path;
    if (typeof value !== "string" || (argument === "argv" && index === 0)) return value;
    // A word that no template can have.
    if (argument === "argv" && value.includes("${"))
      return mark(value, [...candidates, wholeOf("varied", { text: value, use: textUse("text") })]);
    const name = String(path.at(-1));
    const isSecret =
      !/^(?:command|argv)$/.test(String(argument)) && (value === MASK || holdsSecret(name, undefined, path));
    return mark(value, isSecret ? [wholeOf("secret", { text: value, use: textUse(name) })] : candidates);
  }) as JsonObject;
}

function wordDiffers(
  words: readonly string[],
  index: number,
  others: readonly Pick<RecordedCall, "arguments">[],
): boolean {
  return others.some((one) => {
    const own = commandsOf(one.arguments)?.flat();
    return own?.length === words.length && own[0] === words[0] && own[index] !== words[index];
  });
}

/** Whether another call of the tool with the same arguments has another value there. */
function differs(text: string, path: readonly Segment[], others: readonly Pick<RecordedCall, "arguments">[]): boolean {
  if (text.length > VARIED_LENGTH_MAX || text.includes("\n")) return false;
  return others.some((one) => {
    const value = path.reduce<Json | undefined>(
      (inner, segment) => (isJsonObject(inner) || Array.isArray(inner) ? (inner as JsonObject)[segment] : undefined),
      one.arguments,
    );
    return (typeof value === "string" || typeof value === "number") && String(value) !== text;
  });
}

function hasChoices(schema: ParameterSchema): boolean {
  return "choices" in schema && schema.choices !== undefined;
}

function mapLeaves(
  value: Json,
  change: (value: Json, path: readonly Segment[]) => Json,
  path: readonly Segment[] = [],
): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => mapLeaves(item, change, [...path, index]));
  if (!isJsonObject(value)) return change(value, path);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapLeaves(item, change, [...path, name])]),
  );
}

function useOf(name: string, value: Json, parameter: Parameter | undefined): Use {
  const schema = parameter?.schema;
  const isPlain = schema?.type === "string" || schema?.type === "integer" || schema?.type === "number";
  return {
    name,
    schema: isPlain ? plainSchema(schema) : { type: typeof value === "number" ? "number" : "string" },
    description: parameter?.description.split("\n", 1)[0] ?? "",
  };
}

/** Text that the tool would run is not free for a caller of the new one. */
function plainSchema(schema: ParameterSchema): ParameterSchema {
  return schema.type === "string" && schema.format !== "path" && schema.format !== "url" ? { type: "string" } : schema;
}

function useOfPart(text: string): Use {
  const { name, type } = shapeOf(text);
  return { name, schema: schemaOf(type === "integer" ? "string" : type), description: "" };
}

// Which parts of recorded calls may be values: words of commands that look like some, what the person named, and
// secrets.

export interface GuessedValue {
  readonly text: string;
  readonly use: Use;
}

interface GuessedWord extends GuessedValue {
  /** The index among the words of the whole line. */
  readonly index: number;
}

const FILE = /[^/.]\.[A-Za-z]\w*$/;

export function guessedWords({ command, argv }: JsonObject): readonly GuessedWord[] {
  const commands =
    typeof command === "string"
      ? (pipedLine(command) ?? [])
      : [
          (Array.isArray(argv) ? (argv as readonly Json[]) : []).map((word) => ({
            text: String(word),
            isQuoted: false,
          })),
        ];
  let offset = 0;
  return commands.flatMap((line) => {
    const guesses = new ParameterGuesses(line, [], offset);
    for (const index of line.keys()) if (index > 0) guesses.placeholderFor(index);
    offset += line.length;
    return guesses.parameters.map(({ name, type, value, description, word }) => {
      const text = String(value);
      const plain = name.replace(/\d+$/, "") || name;
      // What a command searches may be a file as well.
      const use =
        plain === "folder" && FILE.test(text) ? { name: "file", description: "" } : { name: plain, description };
      return { text, use: { ...use, schema: schemaOf(type) }, index: word };
    });
  });
}

/**
 * Returns the values in the person's words that may be parts of other texts: addresses, files, numbers, quoted texts.
 */
export function saidValues(prompts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const prompt of prompts) {
    for (const [, one = ""] of prompt.matchAll(/(?<![A-Za-z0-9])["'`‘“]([^"'`’”\n]{2,200})["'`’”](?![A-Za-z0-9])/g))
      found.add(one);
    for (const word of prompt.split(/\s+/)) {
      const bare = word.replace(/^["'`‘“([{<]+/, "").replace(/["'`’”)\]}>.,;:!?]+$/, "");
      if (bare.length >= 2 && (/[\d./_@:-]/.test(bare) || /^[A-Z]{3,}$/.test(bare))) found.add(bare);
    }
  }
  return [...found];
}

/**
 * Secrets that the line itself shows to be some, such as an `Authorization` header. `new --from` finds them in the same
 * way.
 */
export function secretsIn(texts: readonly string[], tool: string): readonly Candidate[] {
  const all = texts.flatMap((text) => withoutSecrets(text, { tool, taken: new Set() }).secrets);
  const found = new Map(all.reverse().flatMap(({ text, name }) => (text === MASK ? [] : [[text, name] as const])));
  return [...found]
    .reverse()
    .map(([text, name]) => ({ source: { kind: "secret", text, use: textUse(name.replace(/\d+$/, "")) } }));
}

export function holdsSecret(name: string, parameter: Parameter | undefined, path: readonly Segment[]): boolean {
  return (
    (path.length === 1 && parameter?.secret === true) ||
    (soundsSecret(name) && !/^keys?$|[_-](?:file|path|name|id|dir)$/i.test(name))
  );
}

export function textUse(name: string): Use {
  return { name, schema: { type: "string" }, description: "" };
}

export function schemaOf(type: "string" | "path" | "url" | "integer"): ParameterSchema {
  return type === "integer" ? { type } : type === "string" ? { type } : { type: "string", format: type };
}
