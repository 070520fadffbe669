// The definition of a tool that does again what the calls of a conversation did.
import { presetText } from "../references.ts";
import { readForgedText } from "../definition.ts";
import { titleOf } from "../../../core/language/fields/names.ts";
import { formatToolFile } from "../../../core/language/syntax/format.ts";
import { parseToolFile } from "../../../core/language/syntax/parse.ts";
import { declarationText } from "../../../core/language/write/parameter-text.ts";
import { indented } from "../../../core/language/write/quantity-text.ts";
import { testText } from "../../../core/language/write/test-text.ts";
import type { Json } from "../../../core/schema/json.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import { itemReferences, runReferences } from "../../../core/tool/step.ts";
import type { StepsDefinition, Expectation, ToolDefinition, ToolTest } from "../../../core/tool/definition.ts";
import {
  callsToResult,
  type Recorded,
  type RecordedCall,
  runsLine,
  type Selection,
  type LeftOut,
} from "./recorded-calls.ts";
import { type Marks, type Source, dataIn } from "./recorded-marks.ts";
import { type MarkedCall, markedCalls, occurrence } from "./recorded-values.ts";
import { lineStep, literalWords } from "../../new/starter.ts";
import { MASK } from "../../../core/schema/describe.ts";
import { hidden, withoutSecrets } from "../../new/secret-guesses.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";

export interface Proposal {
  readonly text: string;
  readonly definition: StepsDefinition;
  /** Returns the text without its test, with the reason: the end of a sentence that begins with "It has no test". */
  untested(reason: string): string;
}

/** The problem is a whole sentence without its dot. */
type Proposed = { readonly proposal: Proposal } | { readonly problem: string };

/** Values that the definition cannot take from elsewhere, such as the text of a program, stay as they were. */
export function proposeTool(recorded: Recorded, options: ProposalOptions): Proposed {
  const fixed = new Set<string>();
  for (;;) {
    const { calls, marks } = markedCalls(recorded, { ...options, fixed });
    const markedOf = new Map(calls.map((one) => [one.call, one]));
    const selection = callsToResult(recorded, (call) =>
      (markedOf.get(call)?.sources ?? []).flatMap((source) => (source.kind === "output" ? [source.call] : [])),
    );
    if (!selection) {
      const wasCalled = recorded.leftOut.length > 0 || recorded.calls.length > 0;
      const what = wasCalled ? "no call of the conversation succeeded" : "no tool was called in the conversation";
      return { problem: `${what}, so there is nothing to do again` };
    }
    const kept = selection.kept.flatMap((call) => markedOf.get(call) ?? []);
    const draft = new Draft(kept, marks, { recorded, selection, options, fixed });
    const read = readForgedText(draft.text);
    const problems = "problems" in read ? read.problems : options.problemsOf(read.definition);
    if (problems.length === 0 && "definition" in read && read.definition.kind === "steps") {
      const { definition } = read;
      return {
        proposal: {
          text: formatted(draft.text),
          definition,
          untested: (reason) => formatted(draft.untested(reason)),
        },
      };
    }
    const before = fixed.size;
    for (const one of draft.blamed(problems)) fixed.add(one);
    if (fixed.size === before)
      return {
        problem: `the calls cannot be written as steps: ${problems[0]?.message ?? "they do not form a definition"}`,
      };
  }
}

function formatted(text: string): string {
  return formatToolFile(parseToolFile({ path: "proposed.tool", text }));
}

interface DraftOptions {
  readonly recorded: Recorded;
  readonly selection: Selection;
  readonly options: ProposalOptions;
  /** Occurrences that stay values, and calls that stay calls of run_command. */
  readonly fixed: ReadonlySet<string>;
}

class Draft {
  readonly text: string;
  readonly #before: string;
  readonly #leftOut: string;
  readonly #parameters = new Map<Source, Own>();
  readonly #steps = new Map<number, string>();
  readonly #taken = new Set<string>([...runReferences, ...itemReferences]);
  readonly #marks: Marks;
  readonly #fixed: ReadonlySet<string>;
  readonly #kept: readonly MarkedCall[];
  /** The text of each step, to know what a problem is about. */
  readonly #stepTexts: readonly string[];

  constructor(kept: readonly MarkedCall[], marks: Marks, { recorded, selection, options, fixed }: DraftOptions) {
    this.#marks = marks;
    this.#fixed = fixed;
    this.#kept = kept;
    for (const { sources } of kept) for (const source of sources) this.#declare(source);
    for (const { call } of kept) this.#steps.set(call.number, this.#free(stepName(call)));
    this.#stepTexts = kept.map((one) => this.#stepText(one));
    const own = [...this.#parameters.values()];
    const secrets = own.filter(({ source }) => source.kind === "secret");
    const { result } = selection;
    // The person may have typed what the conversation hides in the calls.
    const mayShow = !recorded.hidesSecrets;
    this.#before = [
      mayShow ? descriptionOf(recorded.prompts, own) : `Do again: ${[...this.#steps.values()].join(", ")}.`,
      "",
      `@title ${titleOf(options.name)}`,
      `@name ${options.name}`,
      ...own.map(({ parameter: { example, ...rest } }) => {
        const isShown = mayShow && example !== undefined;
        return `@param ${declarationText(isShown ? { ...rest, example } : rest, "param")}`;
      }),
      ...this.#stepTexts,
      ...(kept.at(-1)?.call === result ? [] : [`@output\n    {${this.#steps.get(result.number) ?? ""}}`]),
    ].join("\n");
    this.#leftOut = leftOutText([...recorded.leftOut, ...selection.leftOut], options.id);
    const names = secrets.map(({ parameter }) => `\`${parameter.name}\``).join(", ");
    this.text =
      secrets.length > 0
        ? this.untested(`${names} is secret, and is not stored`)
        : `${this.#before}\n${testText(testOf(own, { result, options, kept }))}\n\n@note ${this.#leftOut}\n`;
  }

  untested(reason: string): string {
    return `${this.#before}\n@note ${this.#leftOut} It has no test: ${reason}.\n`;
  }

  /** Returns the occurrences that a problem is about; if that is unclear, all that are left in commands, or at all. */
  blamed(problems: readonly Diagnostic[]): readonly string[] {
    const all = this.#kept.flatMap(({ call, sources }, index) =>
      sources.flatMap((source) => {
        const step = this.#stepTexts[index] ?? "";
        const from = this.text.indexOf(step);
        const place = `{${this.#reference(source)}}`;
        const isBlamed = problems.some(({ at }) => {
          const start = at?.span.start ?? -1;
          return (
            start >= from &&
            start < from + step.length &&
            this.text.slice(Math.max(0, start - 1), (at?.span.end ?? 0) + 1).includes(place)
          );
        });
        return [{ key: occurrence(call, source), isBlamed, isInLine: runsLine(call) }];
      }),
    );
    for (const chosen of [all.filter(({ isBlamed }) => isBlamed), all.filter(({ isInLine }) => isInLine), all])
      if (chosen.length > 0) return chosen.map(({ key }) => key);
    return this.#kept.filter(({ call }) => runsLine(call)).map(({ call }) => wholeCall(call));
  }

  #declare(source: Source): void {
    if (source.kind === "output" || source.kind === "folder" || this.#parameters.has(source)) return;
    const name = this.#free(plainName(source.use.name));
    this.#parameters.set(source, { parameter: parameterOf(name, source), source });
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }

  #reference(source: Source): string {
    if (source.kind === "folder") return "WORKSPACE";
    if (source.kind !== "output") return this.#parameters.get(source)?.parameter.name ?? "";
    const step = this.#steps.get(source.call) ?? "";
    if (!source.path) return step;
    return `${step}.json${source.path.map((one) => (typeof one === "number" ? `[${one}]` : `.${one}`)).join("")}`;
  }

  #filled(text: string): string {
    return this.#marks.replaced(text, (source) => `{${this.#reference(source)}}`);
  }

  #stepText({ call, arguments: args }: MarkedCall): string {
    const name = this.#steps.get(call.number) ?? "";
    const { command, argv, timeout_s: timeout, ...others } = args;
    const isPlain = runsLine(call) && Object.keys(others).length === 0 && !this.#fixed.has(wholeCall(call));
    const options = typeof timeout === "number" ? ` [timeout=${timeout}s]` : "";
    if (isPlain && Array.isArray(argv)) {
      const words = (argv as readonly Json[]).map((word) => ({ text: String(word) }));
      return `@step ${name} runs${options}\n${indented(this.#filled(literalWords(words)))}`;
    }
    if (isPlain && typeof command === "string") {
      const { kind, body } = lineStep(command);
      return `@step ${name} ${kind}${options}\n${indented(this.#filled(body))}`;
    }
    const lines = Object.entries(args).map(
      ([parameter, value]) => `${parameter} = ${this.#presetText(parameter, value, call)}`,
    );
    return [`@step ${name} uses ${call.tool.definition.name.value}`, ...lines.map((line) => indented(line))].join("\n");
  }

  #presetText(name: string, value: Json, { tool }: RecordedCall): string {
    const whole = typeof value === "string" ? this.#marks.whole(value) : undefined;
    if (whole) return `{${this.#reference(whole)}}`;
    const parameter = tool.parameters.find((one) => one.name === name);
    const written = presetText(withoutDollars(value), parameter, { step: name, parameters: [], before: [] });
    // The lines of a definition are not the place for line breaks and for blanks at the ends of lines.
    const isOdd = typeof value === "string" && /[\n\r\t]/.test(value) && !written.startsWith('"');
    return this.#filled(isOdd ? JSON.stringify(written) : written);
  }
}

/** In the words of forged tools, a dollar sign begins a reference; here, no text has one. */
function withoutDollars(value: Json): Json {
  if (typeof value === "string") return value.replaceAll("$", "$$$$");
  if (Array.isArray(value)) return value.map(withoutDollars);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutDollars(item as Json)]));
}

function wholeCall({ number }: RecordedCall): string {
  return `${number} whole`;
}

function plainName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]/g, "_").slice(0, 60);
  return /^[A-Za-z_]/.test(plain) ? plain : "value";
}

/** The program of a command line, or the tool. */
function stepName(call: RecordedCall): string {
  const { command, argv } = call.arguments;
  const words = Array.isArray(argv) ? (argv as readonly Json[]).map(String) : String(command ?? "").split(/\s+/);
  const program = /^[A-Za-z][\w-]*$/.exec(
    words
      .find((word) => !word.includes("="))
      ?.split("/")
      .at(-1) ?? "",
  )?.[0];
  const tool = call.tool.definition.name.value.split("/").at(-1) ?? "";
  return plainName(runsLine(call) ? (program ?? "line") : tool);
}

// The test of a proposed tool: the recorded result, as far as another folder can give it again.

export interface ProposalOptions {
  readonly name: string;
  /** The id of the conversation. */
  readonly id: string;
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** Returns the `setup` lines of a test that make the files which the calls read. */
  setupFor(calls: readonly RecordedCall[]): readonly string[];
  /** Returns the errors that building the tool finds. */
  problemsOf(definition: ToolDefinition): readonly Diagnostic[];
}

/** Longer results are compared by their first line. */
const COMPARED_LENGTH_MAX = 10_000;
/** What a result says that was shortened for the model: core/output/budget.ts. */
const SHORTENED = /left out here; |read_output/;

interface TestOptions {
  readonly result: RecordedCall;
  readonly options: ProposalOptions;
  readonly kept: readonly MarkedCall[];
}

export function testOf(own: readonly Own[], { result, options, kept }: TestOptions): ToolTest {
  const isOfNetwork = kept.some(({ call }) => call.tool.effects.includes("network"));
  return {
    name: "does what was recorded",
    ...(isOfNetwork ? { description: "asks the network again, so it passes as long as the answers are the same" } : {}),
    folder: "temporary",
    arguments: Object.fromEntries(
      own.map(({ parameter, source }) => [parameter.name, valueFor(parameter, source.text)]),
    ),
    expectations: [expectationOf(result, options.cwd)],
    setup: options.setupFor(kept.map(({ call }) => call)),
    cleanup: [],
  };
}

function expectationOf({ output }: RecordedCall, cwd: string): Expectation {
  const data = dataIn(output);
  if (data !== undefined && !output.includes(cwd)) return { kind: "result", value: data };
  const isWhole = output.length <= COMPARED_LENGTH_MAX && !SHORTENED.test(output);
  if (isWhole && !output.includes(cwd) && !output.includes(MASK)) return { kind: "output-equals", text: output };
  // What a fresh folder changes, or what was not stored, is not compared.
  const parts = output.split(cwd).flatMap((part) => part.split(/\n|•••/));
  const [longest = ""] = parts.filter((part) => !SHORTENED.test(part)).sort((one, other) => other.length - one.length);
  return longest.trim() === ""
    ? { kind: "exit-code", exitCode: 0 }
    : { kind: "output-contains", text: longest.slice(0, COMPARED_LENGTH_MAX) };
}

// What a proposed tool says of itself: a description in the person's words, and what was left out of the conversation.

const DESCRIPTION_LENGTH_MAX = 300;

/** The first paragraph of what the person asked for, with the names of parameters in place of values. */
export function descriptionOf(prompts: readonly string[], own: readonly Own[]): string {
  const [asked = ""] = (prompts.find((prompt) => prompt.trim() !== "") ?? "").trim().split(/\n\s*\n/, 1);
  const values = [...own].sort((one, other) => other.source.text.length - one.source.text.length);
  const named = values.reduce(
    (text, { parameter, source }) => {
      // A letter may be a word of its own.
      if (source.text.length < 2 && !/\d/.test(source.text)) return text;
      return source.kind === "secret"
        ? text.replaceAll(source.text, MASK)
        : text.replaceAll(wholeWords(source.text), `\`${parameter.name}\``);
    },
    withoutSecretText(asked.replaceAll(/\s+/g, " ")),
  );
  const cut =
    named.length <= DESCRIPTION_LENGTH_MAX ? named : `${named.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed()}…`;
  // A line that begins with an @ would be an annotation.
  return cut.startsWith("@") ? `Asked: ${cut}` : cut === "" ? "Do again what a conversation did." : cut;
}

/** A number is not part of another one, or of an address. The backquotes of the person are not doubled. */
function wholeWords(text: string): RegExp {
  const escaped = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\w\`]|[.:/-](?=\\d))(?:\`${escaped}\`|${escaped})(?![\\w\`]|[.:/-]\\w)`, "g");
}

function withoutSecretText(text: string): string {
  const { line, secrets } = withoutSecrets(text, { tool: "tool", taken: new Set() });
  return hidden(line, secrets);
}

/** One line, for the person who reads the definition. */
export function leftOutText(leftOut: readonly LeftOut[], id: string): string {
  const calls = [...leftOut]
    .sort((one, other) => one.number - other.number)
    .map(({ number, tool, reason }) => `call ${number} (${tool.replaceAll(/[^\w:/.-]/g, "?").slice(0, 80)}) ${reason}`);
  return [`Made from the conversation ${id}.`, ...(calls.length === 0 ? [] : [`Left out: ${calls.join("; ")}.`])].join(
    " ",
  );
}

export interface Own {
  readonly parameter: Parameter;
  readonly source: Extract<Source, { kind: "said" | "varied" | "secret" }>;
}

export function parameterOf(name: string, source: Own["source"]): Parameter {
  const { use } = source;
  const description = use.description === "" ? `The ${use.name.replaceAll("_", " ")}` : use.description;
  if (source.kind === "secret") return { name, description, schema: { type: "string" }, required: true, secret: true };
  const parameter: Parameter = { name, description, schema: use.schema, required: false };
  const value = valueFor(parameter, source.text);
  return source.kind === "said" ? { ...parameter, required: true, example: value } : { ...parameter, default: value };
}

export function valueFor({ schema }: Pick<Parameter, "schema">, text: string): Json {
  return (schema.type === "integer" || schema.type === "number") && text.trim() !== "" ? Number(text) : text;
}
