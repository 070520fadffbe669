// `dottool check`: what is wrong with definitions, and with `--fix` the repairs that are sure.
import { exitCodes } from "../run/exit-code.ts";
import { diagnosticJson } from "../text/diagnostic-json.ts";
import { type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import { checkedScope, type CheckedScope } from "./checked-scope.ts";
import { type CommandContext, type WordsCommand, writeJson } from "./command.ts";
import { countText, renderAll } from "./diagnostics-text.ts";
import { fixDefinitions } from "./fix-definitions.ts";
import { paintFor } from "./paint.ts";

export const checkCommand: WordsCommand = {
  kind: "words",
  usage: ["check [PATH…] [--fix] [--json]"],
  about:
    "Finds mistakes in definitions, all of them in one run, and says how to mend each. PATH is a definition or a folder; without one, the definitions of `--tools`, of the project and of the user are checked. " +
    "Exit code 65 when there are errors; warnings do not count.",
  options: [
    { name: "fix", does: "make the repairs that are offered as `fix`" },
    { name: "json", does: "as JSON, with lines, columns and edits" },
  ],
  words: [0, Number.POSITIVE_INFINITY],
  examples: [
    ["dottool check", "your definitions"],
    ["dottool check .tools/todo.tool --fix", "one file, and mend what is sure"],
  ],
  run: async (input, context) => {
    const scope = await checkedScope(input.words, context);
    if (typeof scope === "number") return scope;
    const diagnostics = await diagnosticsOf(scope);
    if (!input.has("fix")) return report(diagnostics, { scope, context, isJson: input.has("json"), fixed: [] });
    const fixed = await fixDefinitions(scope.entries, diagnostics, scope.opened);
    const again = fixed.length === 0 ? scope : await checkedScope(input.words, context);
    if (typeof again === "number") return again;
    return report(fixed.length === 0 ? diagnostics : await diagnosticsOf(again), { scope: again, context, isJson: input.has("json"), fixed });
  },
};

async function diagnosticsOf({ opened, entries, isWhole }: CheckedScope): Promise<readonly Diagnostic[]> {
  const catalogue = opened.catalogue();
  if (!isWhole) {
    const all: Diagnostic[] = [];
    for (const entry of entries) {
      all.push(...(await catalogue.diagnosticsOf(entry)));
      if (entry.standing.kind === "used") all.push(...(await opened.buildDiagnostics(entry.name)));
    }
    return all;
  }
  // Nobody but their owner can mend the definitions of the machine and of the program itself.
  const foreign = new Set(catalogue.entries.filter((entry) => entry.scope === "builtin" || entry.scope === "global").map((entry) => entry.path));
  return (await opened.diagnostics()).filter((diagnostic) => !diagnostic.at || !foreign.has(diagnostic.at.span.source.path));
}

interface ReportOptions {
  readonly scope: CheckedScope;
  readonly context: CommandContext;
  readonly isJson: boolean;
  /** Paths of files that were changed. */
  readonly fixed: readonly string[];
}

async function report(diagnostics: readonly Diagnostic[], { scope, context, isJson, fixed }: ReportOptions): Promise<number> {
  const { output } = context.terminal;
  const checked = new Set(scope.entries.map((entry) => entry.path)).size;
  const code = hasErrors(diagnostics) ? exitCodes.definitions : exitCodes.done;
  if (isJson) {
    writeJson(context.terminal, { checked, fixed, diagnostics: diagnostics.map(diagnosticJson) });
    return code;
  }
  const { green, red, yellow } = await paintFor(output);
  output.write(await renderAll(diagnostics, output));
  if (fixed.length > 0) output.write(`fixed ${fixed.join(", ")}\n`);
  const what = checked === 1 ? "1 definition" : `${checked} definitions`;
  const counts = countText(diagnostics);
  if (counts === "") output.write(`${what} checked: ${green("no problems")}\n`);
  else output.write(`${what} checked: ${code === exitCodes.done ? yellow(counts) : red(counts)}${fixesText(diagnostics)}\n`);
  return code;
}

function fixesText(diagnostics: readonly Diagnostic[]): string {
  const count = diagnostics.filter((diagnostic) => diagnostic.fix).length;
  return count === 0 ? "" : `; \`dottool check --fix\` mends ${count}`;
}
