// Where the values of recorded calls came from: the person's words, or the output of an earlier call. A mark replaces
// each such value and each secret, and all else stays as it is.
import { isJsonObject, type Json, type JsonObject } from "../../../core/schema/json.ts";
import { MASK } from "../../../core/schema/describe.ts";
import type { Parameter, ParameterSchema } from "../../../core/schema/parameter.ts";
import {
  isSaid,
  Marks,
  occurrence,
  type OutputSource,
  type OwnSource,
  type Segment,
  type Source,
} from "./recorded-marks.ts";
import { commandsOf, isBase, type Recorded, type RecordedCall } from "./recorded-calls.ts";
import { type GuessedParameter, ParameterGuesses, shapeOf } from "../../new/parameter-guesses.ts";
import { soundsSecret } from "../../../core/text/secret-names.ts";
import { withoutSecrets } from "../../new/secret-guesses.ts";

export interface MarkedCall {
  readonly call: RecordedCall;
  /** With marks in texts; a value that is a mark as a whole may have been a number. */
  readonly arguments: JsonObject;
  readonly sources: readonly Source[];
}

const EMBEDDED_LENGTH_MIN = 3;

interface ValueOptions {
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** Occurrences that have to stay values, because the definition cannot take them from elsewhere. */
  readonly fixed: ReadonlySet<string>;
}

export function markedCalls(
  { calls }: Recorded,
  { cwd, fixed }: ValueOptions,
): { readonly calls: readonly MarkedCall[]; readonly marks: Marks } {
  const texts = calls.flatMap((call) => [...textsIn(call.arguments), ...call.prompts]);
  const marks = new Marks(texts);
  const secrets = texts.flatMap(secretsIn);
  const outputs = calls.flatMap(outputsOf);
  const lines = calls.filter((call) => isBase(call, "run_command"));
  // A value of one command is one of all.
  const named = lines.flatMap(guessedWords).filter(({ text }) => text.length >= EMBEDDED_LENGTH_MIN);
  return {
    marks,
    calls: calls.map((call) => {
      const isLine = lines.includes(call);
      const earlier = outputs.filter((output) => output.call.number < call.number);
      const said = isLine ? [...guessedWords(call), ...named].filter(({ text }) => isSaid(text, call.prompts)) : [];
      const values = [...said, ...saidValues(call.prompts)];
      const mark = (value: Json, path: readonly Segment[]): Json => {
        const isWord = isLine && (path[0] === "command" || path[0] === "argv");
        const isProgram = isWord && path[1] === 0;
        if (isProgram || (typeof value !== "string" && (typeof value !== "number" || isLine))) return value;
        const parameter = call.tool.parameters.find(({ name }) => name === path[0]);
        const own = path.length === 1 && !isWord ? parameter : undefined;
        const isPath = own?.schema.type === "string" && own.schema.format === "path";
        const text = isPath ? belowFolder(String(value), cwd) : String(value);
        const name = String(path.findLast((segment) => typeof segment === "string") ?? "value");
        const [description = ""] = (own?.description ?? "").split("\n", 1);
        const used: OwnSource = { kind: "said", text, name, schema: schemaFor(value, own?.schema), description };
        if (!isWord && (text === MASK || holdsSecret(name, own))) return marks.for({ ...used, kind: "secret" });
        if (own && "choices" in own.schema && own.schema.choices !== undefined) return value;
        const isWhole = !isWord && text !== "" && isSaid(text, call.prompts);
        const isOdd = path[0] !== "command" && text.includes("${");
        const candidates: readonly Source[] = [
          ...secrets,
          // What the person said comes before outputs, which may only repeat it.
          ...(isWhole ? [{ ...used, isWholeOnly: true }] : []),
          ...(isOdd ? [{ ...used, kind: "odd" as const, isWholeOnly: true }] : []),
          ...values,
          { kind: "folder", text: cwd },
          ...earlier,
        ];
        const isFree = (source: Source): boolean =>
          (source.kind === "secret" || !fixed.has(occurrence(call, source))) &&
          (typeof value === "string" || source.text === text);
        const done = marks.marked(text, candidates.filter(isFree));
        return done === String(value) ? value : done;
      };
      const args = mapLeaves(call.arguments, mark) as JsonObject;
      return { call, arguments: args, sources: textsIn(args).flatMap((text) => marks.in(text)) };
    }),
  };
}

/** Tools read a relative path from the folder of the call, which is the folder that the session had. */
function belowFolder(path: string, cwd: string): string {
  return path === cwd ? "." : path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

export function mapLeaves(
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

function textsIn(value: Json): readonly string[] {
  const texts: string[] = [];
  mapLeaves(value, (leaf) => {
    if (typeof leaf === "string") texts.push(leaf);
    return leaf;
  });
  return texts;
}

/** Returns the data that an output is, if it is a list or an object. */
function dataIn(output: string): Json | undefined {
  if (!/^\s*[[{]/.test(output)) return undefined;
  try {
    return JSON.parse(output) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the output, or the values of its JSON. */
function outputsOf(call: RecordedCall): readonly OutputSource[] {
  const data = dataIn(call.output);
  const found: OutputSource[] = [];
  mapLeaves(data ?? call.output, (leaf, path) => {
    const text = typeof leaf === "string" || typeof leaf === "number" ? String(leaf) : "";
    const isCount = data === undefined && /^\d+$/.test(text);
    const isWholeOnly = text.length < EMBEDDED_LENGTH_MIN && !isCount;
    if (text !== "" && path.every((segment) => /^[A-Za-z0-9_-]+$/.test(String(segment))))
      found.push({ kind: "output", text, isWholeOnly, call, path });
    return leaf;
  });
  return found;
}

const FILE = /[^/.]\.[A-Za-z]\w*$/;

/** Returns the words that look like values, found and named as `dottool new --from` does it. */
function guessedWords(call: RecordedCall): readonly OwnSource[] {
  return commandsOf(call).flatMap((line) => {
    const guesses = new ParameterGuesses(line);
    for (const index of line.keys()) if (index > 0) guesses.placeholderFor(index);
    return guesses.parameters.map(({ name, type, value, description }): OwnSource => {
      const [text, plain] = [String(value), name.replace(/\d+$/, "") || name];
      // What a command searches may be a file as well.
      const isFile = plain === "folder" && FILE.test(text);
      const named = isFile ? { name: "file", description: "" } : { name: plain, description };
      return { kind: "said", text, ...named, schema: schemaOf(type) };
    });
  });
}

/** Returns values in the person's words that may be parts of texts: addresses, files, numbers, quoted texts. */
function saidValues(prompts: readonly string[]): readonly OwnSource[] {
  const quoted = prompts.flatMap((prompt) =>
    [...prompt.matchAll(/(?<![A-Za-z0-9])["'`‘“]([^"'`’”\n]{2,200})["'`’”](?![A-Za-z0-9])/g)].map(
      ([, one = ""]) => one,
    ),
  );
  const words = prompts
    .flatMap((prompt) => prompt.split(/\s+/))
    .map((word) => word.replace(/^["'`‘“([{<]+/, "").replace(/["'`’”)\]}>.,;:!?]+$/, ""))
    .filter((word) => word.length >= 2 && (/[\d./_@:-]/.test(word) || /^[A-Z]{3,}$/.test(word)));
  return [...quoted, ...words].map((text) => {
    const { name, type } = shapeOf(text);
    return { kind: "said", text, name, schema: schemaOf(type === "integer" ? "string" : type), description: "" };
  });
}

/** Returns what the text itself shows to be secret, such as an `Authorization` header. */
function secretsIn(text: string): readonly Source[] {
  const { secrets } = withoutSecrets(text, { tool: "tool", taken: new Set() });
  const found = secrets.map((one) => ({ text: one.text, name: one.name.replace(/\d+$/, "") }));
  if (text.includes(MASK)) found.push({ text: MASK, name: "secret" });
  return found.map((one) => ({ ...one, kind: "secret", schema: { type: "string" }, description: "" }));
}

function holdsSecret(name: string, parameter: Parameter | undefined): boolean {
  return parameter?.secret === true || (soundsSecret(name) && !/^keys?$|[_-](?:file|path|name|id|dir)$/i.test(name));
}

/** Text that the tool would run is not free for a caller of the new one. */
function schemaFor(value: Json, schema: ParameterSchema | undefined): ParameterSchema {
  const isNumber = schema?.type === "integer" || schema?.type === "number";
  const isPlace = schema?.type === "string" && (schema.format === "path" || schema.format === "url");
  return isNumber || isPlace ? schema : { type: typeof value === "number" ? "number" : "string" };
}

function schemaOf(type: GuessedParameter["type"]): ParameterSchema {
  return type === "integer" || type === "string" ? { type } : { type: "string", format: type };
}
