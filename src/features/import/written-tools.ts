// The text of each imported tool: written, read again as a file is, and compared. A candidate that is not a correct
// definition, or that would mean something else, gives way to the next one.
import { analyzeToolFile } from "../../core/language/analyze.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { CannotWrite } from "../../core/language/write/cannot-write.ts";
import { firstDifference } from "../../core/language/write/same-definition.ts";
import { toolText } from "../../core/language/write/tool-text.ts";
import type { WordPlaceholder } from "../../core/tool/command.ts";
import { commandsOf, type ToolDefinition } from "../../core/tool/definition.ts";
import type { ImportedText } from "../../core/tool/plugin-offers.ts";
import { definitionOf } from "./definition-of.ts";
import type { ImportedSource, ImportedTool, ToolCandidates } from "./imported-tool.ts";
import { isCommandName } from "../../cli/commands.ts";

export interface WrittenTool {
  readonly name: string;
  /** The name in the source. */
  readonly original: string;
  /** The file, address or program that it is from. */
  readonly source?: string;
  readonly text: string;
  readonly notes: readonly string[];
  readonly secretVariables: readonly string[];
  /** Whether it has the best form, and not one that carries less over. */
  readonly isFirstChoice: boolean;
}

export interface LeftOut {
  readonly original: string;
  readonly reason: string;
}

interface Written {
  readonly tools: readonly WrittenTool[];
  readonly leftOut: readonly LeftOut[];
}

interface WritingPlace {
  /** The folder of the source, relative to the project; undefined if it is the same. */
  readonly folder: string | undefined;
  /** Names of tools of other sources, in lower case; those of this one are added. */
  readonly taken: Set<string>;
  /** Returns the name that a tool of the source got at an earlier import. */
  readonly known?: (original: string) => string | undefined;
}

export function writtenTools(source: ImportedSource, { folder, taken, known }: WritingPlace): Written {
  const [runner = ""] = /^(?:just|make|task|[a-z]+)/i.exec(source.format) ?? [];
  return gathered(source.tools, { taken, runner: runner.toLowerCase(), known }, (tool, name) =>
    writtenTool(tool, { name, folder }),
  );
}

/** Definitions that a plugin made, checked as files are. */
export function checkedTools(given: readonly ImportedText[], taken: Set<string>): Written {
  return gathered(given, { taken, runner: "" }, ({ name: original, text, notes = [] }, name) => {
    const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: `${name}.tool`, text }));
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error || !value) return { reason: error?.message ?? "it gives no definition" };
    return { name, original, text, notes, secretVariables: [], isFirstChoice: true };
  });
}

function gathered<Tool extends { readonly name: string }>(
  given: readonly Tool[],
  {
    taken,
    runner,
    known,
  }: Pick<WritingPlace, "taken"> & { readonly runner: string; known?: WritingPlace["known"] | undefined },
  write: (tool: Tool, name: string) => WrittenTool | { readonly reason: string },
): Written {
  const tools: WrittenTool[] = [];
  const leftOut: LeftOut[] = [];
  for (const tool of given) {
    const name = known?.(tool.name) ?? freeName(tool.name, taken, runner);
    const written = write(tool, name);
    if ("reason" in written) leftOut.push({ original: tool.name, reason: written.reason });
    else {
      taken.add(name.toLowerCase());
      tools.push(written);
    }
  }
  return { tools, leftOut };
}

interface Place {
  readonly name: string;
  readonly folder: string | undefined;
}

function writtenTool(tool: ToolCandidates, place: Place): WrittenTool | { readonly reason: string } {
  if (tool.name.startsWith("-")) return { reason: "its name would be an option of the program that runs it" };
  let reason = tool.leftOut;
  for (const [index, candidate] of tool.candidates.entries()) {
    const tried = tryCandidate(candidate, place);
    if ("text" in tried)
      return {
        name: place.name,
        original: tool.name,
        ...tried,
        notes: candidate.notes,
        isFirstChoice: index === 0,
      };
    reason ??= tried.problem;
  }
  return { reason: reason ?? "nothing in it can run" };
}

function tryCandidate(
  candidate: ImportedTool,
  place: Place,
): { readonly text: string; readonly secretVariables: readonly string[] } | { readonly problem: string } {
  try {
    const { definition, secretVariables } = definitionOf(candidate, place);
    const text = toolText(definition);
    const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: `${place.name}.tool`, text }));
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error || !value) return { problem: error?.message ?? "it gives no definition" };
    const difference = firstDifference(written(definition), written(value));
    if (difference !== undefined) return { problem: `a \`.tool\` file cannot express \`${difference}\` of it` };
    return { text, secretVariables };
  } catch (error) {
    if (error instanceof CannotWrite) return { problem: `a \`.tool\` file cannot have ${error.what}` };
    throw error;
  }
}

/** Without what reading finds in a command: only its text and its placeholders. */
function written(definition: ToolDefinition): ToolDefinition {
  const commands = commandsOf(definition).map((command) =>
    command.kind === "direct"
      ? command.words.map(({ parts }) => joined(parts)).join(" ")
      : { shell: command.shell, parts: joined(command.parts) },
  );
  // Reading adds the effects that follow from the rest, such as `network` from `@network`.
  const rest: Record<string, unknown> = { ...definition, commands, declaredEffects: [] };
  if ("surroundings" in definition)
    rest["surroundings"] = {
      ...definition.surroundings,
      environment: definition.surroundings.environment.map(({ name, value }) => ({ name, value })),
    };
  if (definition.kind === "steps")
    rest["steps"] = definition.steps.map((step) =>
      step.action.kind === "command" ? { ...step, action: "command" } : step,
    );
  return rest as unknown as ToolDefinition;
}

/** Reading finds which option goes with a value. */
function joined(parts: readonly (string | WordPlaceholder)[]): string {
  return parts
    .map((part): string => {
      if (typeof part === "string") return part;
      const value = `\0${part.placeholder}\0`;
      return part.hasOwnOption && part.flag
        ? part.flag.map((word) => word.parts.map((one) => (typeof one === "string" ? one : value)).join("")).join(" ")
        : value;
    })
    .join("");
}

/** Names that end an agent's turn are reserved. */
const reserved: ReadonlySet<string> = new Set(["task_completion", "ask_question", "converse"]);

/** What a command of dottool or another source is called gets the runner's name in front: `npm-test`, `just-build`. */
function freeName(original: string, taken: ReadonlySet<string>, runner: string): string {
  const plain = original.replaceAll(/[^A-Za-z0-9_-]+/g, "-").replaceAll(/^-+|-+$/g, "") || "tool";
  const begun = (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, 60);
  const name = reserved.has(begun) ? `${begun}_` : begun;
  const isTaken = isCommandName(name) || taken.has(name.toLowerCase());
  let free = runner !== "" && isTaken ? `${runner}-${name}` : name;
  for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}${number}`;
  return free;
}
