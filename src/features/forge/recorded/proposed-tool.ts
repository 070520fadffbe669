// The definition of a tool that does again what the calls of a conversation did.
import { presetText } from "../references.ts";
import { readForgedText } from "../definition.ts";
import { titleOf } from "../../../core/language/fields/names.ts";
import { formatToolFile } from "../../../core/language/syntax/format.ts";
import { parseToolFile } from "../../../core/language/syntax/parse.ts";
import { declarationText } from "../../../core/language/write/parameter-text.ts";
import { indented } from "../../../core/language/write/quantity-text.ts";
import type { Json } from "../../../core/schema/json.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import { itemReferences, runReferences } from "../../../core/tool/step.ts";
import type { StepsDefinition, ToolDefinition } from "../../../core/tool/definition.ts";
import { callsToResult, isBase, type Recorded, type RecordedCall, type Selection } from "./recorded-calls.ts";
import { type Marks, type OwnSource, type Source, occurrence } from "./recorded-marks.ts";
import { mapLeaves, type MarkedCall, markedCalls } from "./recorded-values.ts";
import { lineStep, literalLine } from "../../new/starter.ts";
import { MASK } from "../../../core/schema/describe.ts";
import { hidden, withoutSecrets } from "../../new/secret-guesses.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";

export interface Proposal {
  readonly text: string;
  readonly definition: StepsDefinition;
}

interface ProposalOptions {
  readonly name: string;
  /** The id of the conversation. */
  readonly id: string;
  /** The folder of the session; absolute. */
  readonly cwd: string;
  /** Returns the errors that building the tool finds. */
  problemsOf(definition: ToolDefinition): readonly Diagnostic[];
}

/**
 * Values that the definition cannot take from elsewhere, such as the text of a program, stay as they were. The problem
 * is a whole sentence without its dot.
 */
export function proposeTool(
  recorded: Recorded,
  options: ProposalOptions,
): { readonly proposal: Proposal } | { readonly problem: string } {
  const fixed = new Set<string>();
  for (;;) {
    const draft = draftOf(recorded, options, fixed);
    if (!draft) {
      const wasCalled = recorded.leftOut.length > 0;
      const what = wasCalled ? "no call of the conversation succeeded" : "no tool was called in the conversation";
      return { problem: `${what}, so there is nothing to do again` };
    }
    const text = draftText(draft, recorded, options);
    const read = readForgedText(text);
    const problems = "problems" in read ? read.problems : options.problemsOf(read.definition);
    if (problems.length === 0 && "definition" in read && read.definition.kind === "steps") {
      const { definition } = read;
      return { proposal: { text: formatted(text), definition } };
    }
    const { size } = fixed;
    for (const one of toFix(problems, text, draft)) fixed.add(one);
    const [problem] = problems;
    if (fixed.size === size)
      return {
        problem: `the calls cannot be written as steps: ${problem?.message ?? "they do not form a definition"}`,
      };
  }
}

interface Draft {
  readonly kept: readonly MarkedCall[];
  readonly selection: Selection;
  readonly marks: Marks;
  /** The names of steps and parameters. */
  readonly names: ReadonlyMap<RecordedCall | Source, string>;
  readonly parameters: ReadonlyMap<Source, Parameter>;
  readonly steps: readonly string[];
}

/** Returns undefined if no call succeeded. */
function draftOf(recorded: Recorded, { cwd }: ProposalOptions, fixed: ReadonlySet<string>): Draft | undefined {
  const { calls, marks } = markedCalls(recorded, { cwd, fixed });
  const selection = callsToResult(recorded, (call) => {
    const sources = calls.find((one) => one.call === call)?.sources ?? [];
    return sources.flatMap((source) => (source.kind === "output" ? [source.call.number] : []));
  });
  if (!selection) return undefined;
  const kept = calls.filter(({ call }) => selection.kept.includes(call));
  const own = kept.flatMap(({ sources }) => sources.filter(isOwn));
  const names = namesFor(own, kept);
  return {
    kept,
    selection,
    marks,
    names,
    parameters: new Map(own.map((source) => [source, parameterOf(names.get(source) ?? "", source)])),
    steps: kept.map((one) => stepText(one, { names, marks }, fixed.has(wholeCall(one.call)))),
  };
}

function draftText(draft: Draft, recorded: Recorded, options: ProposalOptions): string {
  const { kept, selection, names, steps } = draft;
  const parameters = [...draft.parameters.values()];
  // The person may have typed what the conversation hides in the calls.
  const isShown = !recorded.hidesSecrets;
  const left = selection.leftOut.map(
    ({ number, tool, reason }) => `call ${number} (${tool.replaceAll(/[^\w:/.-]/g, "?").slice(0, 80)}) ${reason}`,
  );
  return [
    isShown
      ? descriptionOf(recorded.prompts, draft)
      : `Do again: ${kept.map(({ call }) => names.get(call)).join(", ")}.`,
    "",
    `@title ${titleOf(options.name)}`,
    `@name ${options.name}`,
    ...parameters.map(({ example, ...rest }) => {
      return `@param ${declarationText(isShown && example !== undefined ? { ...rest, example } : rest, "param")}`;
    }),
    ...steps,
    ...(kept.at(-1)?.call === selection.result ? [] : [`@output\n    {${names.get(selection.result) ?? ""}}`]),
    `@note Made from the conversation ${options.id}.${left.length === 0 ? "" : ` Left out: ${left.join("; ")}.`}`,
    "",
  ].join("\n");
}

function formatted(text: string): string {
  return formatToolFile(parseToolFile({ path: "proposed.tool", text }));
}

function isOwn(source: Source): source is OwnSource {
  return source.kind !== "output" && source.kind !== "folder";
}

function namesFor(own: readonly OwnSource[], kept: readonly MarkedCall[]): Draft["names"] {
  const names = new Map<RecordedCall | Source, string>();
  const taken = new Set<string>([...runReferences, ...itemReferences]);
  const add = (one: RecordedCall | Source, wanted: string): void => {
    if (names.has(one)) return;
    const plain = wanted.replaceAll(/[^A-Za-z0-9_]/g, "_").slice(0, 60);
    const base = /^[A-Za-z_]/.test(plain) ? plain : "value";
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}${number}`;
    names.set(one, name);
    taken.add(name);
  };
  for (const source of own) add(source, source.name);
  for (const { call } of kept) add(call, stepName(call));
  return names;
}

/** Returns the program of a command line, or the tool. */
function stepName(call: RecordedCall): string {
  if (!isBase(call, "run_command")) return call.tool.definition.name.value.split("/").at(-1) ?? "";
  const { command, argv } = call.arguments;
  const words = Array.isArray(argv) ? (argv as readonly Json[]).map(String) : String(command).split(/\s+/);
  const program =
    words
      .find((word) => !word.includes("="))
      ?.split("/")
      .at(-1) ?? "";
  return /^[A-Za-z][\w-]*$/.test(program) ? program : "line";
}

/** Returns the placeholder of a value. */
function placeOf(source: Source, names: Draft["names"]): string {
  if (source.kind === "folder") return "{WORKSPACE}";
  if (source.kind !== "output") return `{${names.get(source) ?? ""}}`;
  const path = source.path.map((one) => (typeof one === "number" ? `[${one}]` : `.${one}`)).join("");
  return `{${names.get(source.call) ?? ""}${path === "" ? "" : `.json${path}`}}`;
}

/** `isWhole`: a command stays a call of `run_command`. */
function stepText(
  { call, arguments: args }: MarkedCall,
  { names, marks }: Pick<Draft, "names" | "marks">,
  isWhole: boolean,
): string {
  const name = names.get(call) ?? "";
  const filled = (text: string): string => indented(marks.replaced(text, (source) => placeOf(source, names)));
  const { command, argv, timeout_s: timeout, ...others } = args;
  if (isBase(call, "run_command") && Object.keys(others).length === 0 && !isWhole) {
    const options = typeof timeout === "number" ? ` [timeout=${timeout}s]` : "";
    const words = Array.isArray(argv) ? (argv as readonly Json[]).map((word) => ({ text: String(word) })) : undefined;
    const { kind, body } = words ? { kind: "runs", body: literalLine([words]) } : lineStep(String(command));
    return `@step ${name} ${kind}${options}\n${filled(body)}`;
  }
  const lines = Object.entries(args).map(([key, value]) => {
    const parameter = call.tool.parameters.find((one) => one.name === key);
    // A number that is a mark is one still.
    if (typeof value === "string" && marks.isOne(value)) return filled(`${key} = ${value}`);
    // In the words of forged tools, a dollar sign begins a reference; here, no text has one.
    const plain = mapLeaves(value, (leaf) => (typeof leaf === "string" ? leaf.replaceAll("$", "$$$$") : leaf));
    const written = presetText(plain, parameter, { step: key, parameters: [], before: [] });
    // The lines of a definition are not the place for line breaks and for blanks at the ends of lines.
    const isOdd = typeof value === "string" && /[\n\r\t]/.test(value) && !written.startsWith('"');
    return filled(`${key} = ${isOdd ? JSON.stringify(written) : written}`);
  });
  return [`@step ${name} uses ${call.tool.definition.name.value}`, ...lines].join("\n");
}

function wholeCall({ number }: RecordedCall): string {
  return `${number} whole`;
}

/** Returns the values that a problem is about, or all of its step, or the whole command; of all steps if it is unclear. */
function toFix(problems: readonly Diagnostic[], text: string, { kept, steps, names }: Draft): readonly string[] {
  const spans = problems.flatMap(({ at }) => (at ? [at.span] : []));
  const found = kept.map((one, index) => {
    const start = text.indexOf(steps[index] ?? "");
    const end = start + (steps[index] ?? "").length;
    return { ...one, spans: spans.filter((span) => span.start >= start && span.start < end) };
  });
  const blamed = found.filter((one) => one.spans.length > 0);
  return (blamed.length > 0 ? blamed : found).flatMap((step) => {
    const sources = step.sources.filter(({ kind }) => kind !== "secret");
    const isNamed = (source: Source): boolean =>
      step.spans.some(({ start, end }) => text.slice(start - 1, end + 1).includes(placeOf(source, names)));
    const named = sources.filter(isNamed);
    const chosen = (named.length > 0 ? named : sources).map((source) => occurrence(step.call, source));
    return chosen.length > 0 ? chosen : [wholeCall(step.call)];
  });
}

const DESCRIPTION_LENGTH_MAX = 300;

/** Returns the first paragraph of what the person asked for, with the names of parameters in place of values. */
function descriptionOf([prompt = ""]: readonly string[], { parameters, marks, names }: Draft): string {
  const [asked = ""] = prompt.trim().split(/\n\s*\n/, 1);
  const { line, secrets } = withoutSecrets(asked.replaceAll(/\s+/g, " "), { tool: "tool", taken: new Set() });
  // A letter may be a word of its own.
  const candidates = [...parameters.keys()].flatMap((one) =>
    /\d|../.test(one.text) ? [{ ...one, isWholeOnly: false }] : [],
  );
  const named = marks.replaced(marks.marked(hidden(line, secrets), candidates), (source) =>
    source.kind === "secret" ? MASK : `\`${names.get(source) ?? ""}\``,
  );
  const text = named.replaceAll(/``(\w+)``/g, "`$1`");
  const cut = text.length <= DESCRIPTION_LENGTH_MAX ? text : `${text.slice(0, DESCRIPTION_LENGTH_MAX).toWellFormed()}…`;
  // A line that begins with an @ would be an annotation.
  return cut.startsWith("@") ? `Asked: ${cut}` : cut === "" ? "Do again what a conversation did." : cut;
}

function parameterOf(name: string, source: OwnSource): Parameter {
  const description = source.description === "" ? `The ${source.name.replaceAll("_", " ")}` : source.description;
  const { schema, text } = source;
  if (source.kind === "secret") return { name, description, schema, required: true, secret: true };
  const isNumber = (schema.type === "integer" || schema.type === "number") && text.trim() !== "";
  if (source.kind === "odd") return { name, description, schema, required: false, default: text };
  return { name, description, schema, required: true, example: isNumber ? Number(text) : text };
}
