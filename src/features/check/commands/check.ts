// `dottool check`: finds mistakes in definitions, and with `--fix` makes the repairs that are sure.
import { join, resolve } from "node:path";
import { configProblems } from "../../../core/base/config-problems.ts";
import { readConfigText } from "../../../core/base/user-config.ts";
import { CONFIGURATION_NAME } from "../../../core/catalog/discover.ts";
import { readRules } from "../../../core/policy/read-rules.ts";
import { loadPart } from "../../../core/tool/feature.ts";
import type { Host } from "../../../core/tool/host.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { diagnosticJson } from "../../../core/text/diagnostic-json.ts";
import { type Diagnostic, hasErrors } from "../../../core/text/diagnostic.ts";
import { codeProblems } from "../code-problems.ts";
import { checkedScope, type CheckedScope } from "../checked-scope.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { isCommandName } from "../../../cli/commands.ts";
import { problemCounts, renderAll } from "../../../cli/view/diagnostics-text.ts";
import { printable } from "../../../core/text/display.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { overlaidHost } from "../overlaid-host.ts";
import { missingTools } from "../missing-tools.ts";
import { ownDiagnostics } from "../own-diagnostics.ts";
import { paintFor } from "../../../cli/view/paint.ts";
import { nothingFoundText } from "../unread-files.ts";
import type { CatalogueEntry } from "../../../core/catalog/entry.ts";
import { applyFixes } from "../../../core/text/apply-fixes.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { keepingTrust } from "../../../cli/session/keep-trust.ts";
import { writeOrTell } from "../../../cli/view/write-or-tell.ts";

export const checkCommand: WordsCommand = {
  kind: "words",
  usage: ["check [PATH|NAME…] [--fix] [--json]", "check - --path PATH [--json]"],
  about:
    "Finds all mistakes in definitions and plugins in one run, and says how to fix each. PATH is a definition, a plugin or a folder; NAME is a tool. Without either, checks those of `--tools`, of the project and of the user. " +
    "`-` is one definition on standard input, and `--path` where it is or would be, for editors: it is checked beside its neighbours there, and nothing is written. " +
    "Plugins are loaded where they may run: in folders of `--tools`, in projects that you trust, and in your own folder. " +
    "Exits with 65 if there are errors, and with 66 if something that a tool depends on is missing; other warnings do not count.",
  options: [
    { name: "fix", does: "apply the repairs that are shown as `fix`" },
    { name: "json", does: "print as JSON, with lines, columns and edits" },
    { name: "path", value: "PATH", does: "for `-`: the path of the definition; its ending tells the language" },
  ],
  words: [0, Number.POSITIVE_INFINITY],
  examples: [
    ["dottool check", "your definitions"],
    ["dottool check .tools/todo.tool --fix", "repair one file"],
    ["dottool check - --path .tools/todo.tool --json < draft", "a text that is not saved"],
  ],
  run: async (input, context) => {
    if (input.words.includes("-") || input.value("path") !== undefined) return checkInput(input, context);
    const scope = await checkedScope(input.words, context);
    if (typeof scope === "number") return scope;
    const diagnostics = await diagnosticsOf(scope);
    const isJson = input.has("json");
    if (!input.has("fix")) return report(diagnostics, { scope, context, isJson, fixed: [] });
    const repaired = await repair({ scope, diagnostics }, input.words, context);
    return typeof repaired === "number"
      ? repaired
      : report(repaired.diagnostics, { scope: repaired.scope, context, isJson, fixed: repaired.fixed });
  },
};

/** Checks the text on standard input as if it were saved. */
async function checkInput(input: CommandInput, context: CommandContext): Promise<number> {
  const path = input.value("path");
  const usage = (problem: string): number => reportUsage(context.terminal, problem, "check");
  if (input.words.join(" ") !== "-" || path === undefined)
    return usage("`-` is checked alone and needs `--path PATH`: where the text on standard input is or would be");
  if (input.has("fix")) return usage("`--fix` changes files; with `-`, `--json` prints the edits");
  const opened = await openSession(context, { isQuiet: true, withoutPlugins: true });
  if (typeof opened === "number") return opened;
  const bytes = await context.terminal.input.readBytes(INPUT_BYTES_MAX);
  if (!bytes) return usage(`standard input has more than ${INPUT_BYTES_MAX} bytes`);
  const texts = new Map([[resolve(opened.cwd, path), bytes]]);
  const scope = await checkedScope([path], { ...context, host: overlaidHost(opened.host, texts) });
  if (typeof scope === "number") return scope;
  return report(await diagnosticsOf(scope), { scope, context, isJson: input.has("json"), fixed: undefined });
}

/** More than a definition may have, so that a longer one is told as such. */
const INPUT_BYTES_MAX = 16 * 1024 * 1024;

/** A repair may uncover a mistake that has a repair too. The limit stops repairs that undo each other. */
const REPAIR_ROUNDS_MAX = 10;

interface CheckedNow {
  readonly scope: CheckedScope;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the paths of the changed files as `fixed`; an exit code if a path no longer exists. */
async function repair(
  start: CheckedNow,
  paths: readonly string[],
  context: CommandContext,
): Promise<(CheckedNow & { readonly fixed: readonly string[] }) | number> {
  const fixed = new Set<string>();
  let now = start;
  for (let round = 0; round < REPAIR_ROUNDS_MAX; round++) {
    const changed = await fixDefinitions(now.scope.entries, now.diagnostics, { opened: now.scope.opened, context });
    if (changed.length === 0) break;
    for (const path of changed) fixed.add(path);
    const scope = await checkedScope(paths, context);
    if (typeof scope === "number") return scope;
    now = { scope, diagnostics: await diagnosticsOf(scope) };
  }
  return { ...now, fixed: [...fixed] };
}

/** Returns all that `check` says; `isStill`: without evaluating the transforms of parameters. */
export async function diagnosticsOf(
  scope: CheckedScope,
  options: { readonly isStill?: true } = {},
): Promise<readonly Diagnostic[]> {
  return [
    ...(await diagnosticsOfTools(scope)),
    ...commandNames(scope),
    ...(await missingTools(scope)),
    ...(await codeProblems(scope, options)),
    ...(scope.isWhole ? await rulesOfProject(scope.opened) : []),
  ];
}

async function rulesOfProject({ catalogue, host }: OpenedSession): Promise<readonly Diagnostic[]> {
  const projects = catalogue().folders.filter(({ scope }) => scope === "project");
  const found = await Promise.all(
    projects.map(async ({ path, shownPath }): Promise<readonly Diagnostic[]> => {
      const shown = `${shownPath}/${CONFIGURATION_NAME}`;
      const problem = await configProblem(join(path, CONFIGURATION_NAME), shown, host);
      if (problem === undefined) return [];
      const message = `\`${shown}\` has errors: ${problem}`;
      return [{ code: "unreadable-file", severity: "error", message, related: [], help: ["fix it there"] }];
    }),
  );
  return found.flat();
}

/** Returns what refuses calls, or is ignored, because of a project's `config.yaml`. */
export async function configProblem(path: string, shown: string, host: Host): Promise<string | undefined> {
  const read = readConfigText(path, host);
  if (!read || read.trouble !== undefined) return read?.trouble;
  await loadPart("writtenPaths");
  const { problems } = readRules(read.text, { path: shown, owner: "project", host });
  return problems[0] ?? configProblems(read.text)[0]?.text;
}

/** Only here are the names of dottool's own commands known: the language is below them. */
function commandNames({ opened, entries }: CheckedScope): readonly Diagnostic[] {
  return entries
    .filter((entry) => entry.resolution.kind === "used" && isCommandName(entry.name))
    .flatMap((entry): readonly Diagnostic[] => {
      const named = opened.catalogue().definitionOf(entry)?.name;
      return named === undefined
        ? []
        : [
            {
              code: "reserved-name",
              severity: "warning",
              message: `\`dottool ${entry.name}\` runs a command of dottool, not this tool`,
              at: { span: named.span, text: "" },
              related: [],
              help: [`call it as \`dottool run ${entry.name}\`, or give it another name`],
            },
          ];
    });
}

async function diagnosticsOfTools({
  opened,
  entries,
  plugins,
  unread,
  isWhole,
}: CheckedScope): Promise<readonly Diagnostic[]> {
  const catalogue = opened.catalogue();
  if (!isWhole) {
    const all: Diagnostic[] = [...unread];
    for (const entry of entries) {
      all.push(...(await catalogue.diagnosticsOf(entry)));
      if (["used", "broken", "other-platform"].includes(entry.resolution.kind))
        all.push(...(await opened.buildDiagnostics(entry.name, entry)));
    }
    // All plugins are loaded to check one, so only if one is asked for.
    if (plugins.length > 0)
      all.push(...(await opened.pluginDiagnostics()).filter(({ plugin }) => plugins.includes(plugin)));
    return all;
  }
  return ownDiagnostics(opened);
}

interface ReportOptions {
  readonly scope: CheckedScope;
  readonly context: CommandContext;
  readonly isJson: boolean;
  /** Paths of files that were changed; undefined for a text that is in no file. */
  readonly fixed: readonly string[] | undefined;
}

async function report(
  diagnostics: readonly Diagnostic[],
  { scope, context, isJson, fixed }: ReportOptions,
): Promise<number> {
  const { output } = context.terminal;
  const definitions = new Set(scope.entries.map((entry) => entry.path)).size;
  const plugins = scope.plugins.length;
  const code = hasErrors(diagnostics)
    ? exitCodes.definitions
    : diagnostics.some(({ code: kind }) => kind === "missing-dependency")
      ? exitCodes.missing
      : exitCodes.done;
  if (isJson) {
    writeJson(context.terminal, {
      checked: definitions + plugins,
      fixed: fixed ?? [],
      diagnostics: diagnostics.map(diagnosticJson),
    });
    return code;
  }
  const { green, red, yellow } = await paintFor(output);
  output.write(await renderAll(diagnostics, output));
  if (fixed && fixed.length > 0) output.write(`fixed ${printable(fixed.join(", "))}\n`);
  const parts = [
    [definitions, "definition"],
    [plugins, "plugin"],
  ] as const;
  const what = parts
    .filter(([count, word]) => count > 0 || (word === "definition" && plugins === 0))
    .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`)
    .join(" and ");
  const counts = problemCounts(diagnostics);
  const nothing = definitions + plugins > 0 || counts !== "" ? undefined : nothingFoundText(scope.wanted, scope.opened);
  if (nothing !== undefined) output.write(`${what} checked: ${printable(nothing)}\n`);
  else if (counts === "") output.write(`${what} checked: ${green("no problems")}\n`);
  else
    output.write(
      `${what} checked: ${code === exitCodes.done ? yellow(counts) : red(counts)}${fixed ? fixesText(diagnostics) : ""}\n`,
    );
  return code;
}

function fixesText(diagnostics: readonly Diagnostic[]): string {
  const count = diagnostics.filter((diagnostic) => diagnostic.fix).length;
  return count === 0 ? "" : `; \`dottool check --fix\` fixes ${count}`;
}

// `check --fix`: writes the repairs that diagnostics offer.

interface FixOptions {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

/** Returns the shown paths of the changed files. Stops at the first file that cannot be written, and reports it. */
export async function fixDefinitions(
  entries: readonly CatalogueEntry[],
  diagnostics: readonly Diagnostic[],
  { opened, context }: FixOptions,
): Promise<readonly string[]> {
  const catalogue = opened.catalogue();
  const fixed: string[] = [];
  for (const entry of entries) {
    const path = catalogue.absolutePathOf(entry);
    const own = diagnostics.filter((diagnostic) => diagnostic.fix?.edits[0]?.span.source.path === entry.path);
    const source = own[0]?.fix?.edits[0]?.span.source;
    if (path === undefined || !source || fixed.includes(entry.path)) continue;
    const text = applyFixes(source, own);
    if (text === source.text) continue;
    const write = (): Promise<boolean> => writeOrTell({ path, shownPath: entry.path, text }, opened.host, context);
    if (!(await keepingTrust({ path, text, from: path }, write, { ...context, host: opened.host }))) break;
    fixed.push(entry.path);
  }
  return fixed;
}
