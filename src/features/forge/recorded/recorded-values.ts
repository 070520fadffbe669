// Where the values of recorded calls came from: the person's words, the output of an earlier call, or a place that had
// another value in another call of the same tool. Each such value is replaced by a mark, and all else stays as it is.
import { isJsonObject, type Json, type JsonObject } from "../../../core/schema/json.ts";
import { MASK } from "../../../core/schema/describe.ts";
import type { Parameter, ParameterSchema } from "../../../core/schema/parameter.ts";
import { commandsOf, type Recorded, type RecordedCall, runsLine } from "./recorded-calls.ts";
import {
  type GuessedValue,
  guessedWords,
  holdsSecret,
  saidValues,
  secretsIn,
  schemaOf,
  textUse,
} from "./recorded-guesses.ts";
import {
  type Candidate,
  EMBEDDED_LENGTH_MIN,
  isFoundIn,
  keyOf,
  marked,
  Marks,
  Outputs,
  type Segment,
  type Source,
  textsIn,
  type Use,
} from "./recorded-marks.ts";
import { shapeOf } from "../../new/parameter-guesses.ts";

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
  const outputs = new Outputs(calls);
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
      const mark = (text: string, more: readonly Candidate[]): string =>
        marked(text, [...secrets, ...more, folder].filter(isFree), {
          marks,
          whole: (one) => outputs.whole(one, call, isFree),
          within: (one) => outputs.within(one, call, isFree),
        });
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
  const isPath = path.length === 1 && parameter?.schema.type === "string" && parameter.schema.format === "path";
  const text = isPath ? belowFolder(String(value), cwd) : String(value);
  const name = String(path.findLast((segment) => typeof segment === "string") ?? "value");
  const use = useOf(name, value, path.length === 1 ? parameter : undefined);
  if (holdsSecret(name, parameter, path) || text === MASK)
    return mark(text, [{ source: { kind: "secret", text, use }, isWholeOnly: true }]);
  // In the texts of steps, `${` cannot stand before a part of a value.
  if (typeof value === "string" && value.includes("${"))
    return mark(text, [{ source: { kind: "varied", text, use }, isWholeOnly: true }]);
  const isChosen = parameter !== undefined && path.length === 1 && hasChoices(parameter.schema);
  const whole: Candidate[] =
    isChosen || text === ""
      ? []
      : [
          ...(call.prompts.some((prompt) => isFoundIn(text, prompt))
            ? [{ source: { kind: "said", text, use }, isWholeOnly: true } as const]
            : []),
          ...(differs(text, path, others)
            ? [{ source: { kind: "varied", text, use }, isWholeOnly: true } as const]
            : []),
        ];
  const inside = isChosen
    ? []
    : saidValues(call.prompts).filter((one) => typeof value === "string" || one.text === text);
  const more = inside.map((one): Candidate => ({ source: { ...one, use: useOfPart(one.text) } }));
  // What the person said comes before outputs, which may only repeat it; what varied comes last.
  const ordered = [...whole.filter(({ source }) => source.kind === "said"), ...more];
  const done = mark(text, ordered);
  if (done !== text) return done;
  const varied = whole.filter(({ source }) => source.kind === "varied");
  const last = varied.length > 0 ? mark(text, varied) : text;
  return last === String(value) ? value : last;
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
  const { command, argv, ...rest } = call.arguments;
  const guesses = guessedWords(call.arguments);
  const words = commandsOf(call.arguments)?.flat();
  const candidates: Candidate[] = [];
  for (const { text, use, index } of guesses) {
    if (call.prompts.some((prompt) => isFoundIn(text, prompt)))
      candidates.push({ source: { kind: "said", text, use } });
    else if (words && wordDiffers(words, index, others)) candidates.push({ source: { kind: "varied", text, use } });
  }
  for (const { text, use } of elsewhere)
    if (call.prompts.some((prompt) => isFoundIn(text, prompt)))
      candidates.push({ source: { kind: "said", text, use } });
  const named = new Map(guesses.map(({ text, use }) => [text, use]));
  candidates.push(
    ...saidValues(call.prompts).map(
      (one): Candidate => ({ source: { ...one, use: named.get(one.text) ?? useOfPart(one.text) } }),
    ),
    { source: { kind: "secret", text: MASK, use: textUse("secret") } },
  );
  const other = mapLeaves(rest, (value, path) =>
    typeof value === "string"
      ? value === MASK || holdsSecret(String(path.at(-1)), undefined, path)
        ? mark(value, [
            { source: { kind: "secret", text: value, use: textUse(String(path.at(-1))) }, isWholeOnly: true },
          ])
        : mark(value, candidates)
      : value,
  ) as JsonObject;
  return {
    ...other,
    ...(typeof command === "string" ? { command: mark(command, candidates) } : {}),
    ...(Array.isArray(argv)
      ? {
          argv: (argv as readonly Json[]).map((word, index) =>
            index === 0 ? word : mark(String(word), [...candidates, ...literalWord(String(word))]),
          ),
        }
      : {}),
  };
}

/** Returns a candidate for a word that no template can have. */
function literalWord(text: string): readonly Candidate[] {
  return text.includes("${") ? [{ source: { kind: "varied", text, use: textUse("text") }, isWholeOnly: true }] : [];
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
