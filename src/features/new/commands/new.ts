// `dottool new`: writes a starter definition that passes `check`.
import { join, resolve } from "node:path";
import { PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { shownPathOf } from "../../../core/catalog/load.ts";
import { analyzeToolFile } from "../../../core/language/analyze.ts";
import { parseToolFile } from "../../../core/language/syntax/parse.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import type { BaseTool, Tool } from "../../../core/tool/tool.ts";
import { type CommandContext, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { isCommandName } from "../../../cli/commands.ts";
import { printable } from "../../../core/text/display.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { renderAll } from "../../../cli/view/diagnostics-text.ts";
import { isTrustedNow, keepingTrust } from "../../../cli/session/keep-trust.ts";
import { reportMissingTool } from "../../../cli/words/no-such-tool.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { aliasStarter, commandStarter, exampleStarter, type StarterOptions } from "../starter.ts";
import { writeBelowOrTell } from "../../../cli/view/write-or-tell.ts";

const namePattern = /^(?:([A-Za-z_][A-Za-z0-9_-]{0,63})\/)?([A-Za-z_][A-Za-z0-9_-]{0,63})$/;
const BASE_DEFAULT = "run_command";

export const newCommand: WordsCommand = {
  kind: "words",
  usage: ["new [OWNER/]NAME [--from 'COMMAND LINE'] [--wrap TOOL]"],
  about:
    "Writes a starter definition to the first folder of `--tools`, or to `.tools` of the project. `--from` starts from a command line: program and subcommand stay, what looks like a value becomes a parameter with that default, named by what it is (input, output, count, host …), and a line with pipes or similar gets a shell. " +
    "`--wrap` starts from another tool. Existing files are not overwritten.",
  options: [
    { name: "from", value: "LINE", does: "a command line to start from" },
    { name: "wrap", value: "TOOL", does: `the tool to wrap; default ${BASE_DEFAULT}` },
  ],
  words: [1, 1_000],
  examples: [
    ["dottool new todo --from 'grep -rn \"TODO\" .'", "from a command line"],
    ["dottool new fetch --wrap web_fetch", "over another tool"],
  ],
  run: async (input, context) => {
    const { terminal } = context;
    const [given = "", ...more] = input.words;
    const wanted = given.replace(/\.tool$/, "");
    if (more.length > 0) return reportUsage(terminal, lineWanted(wanted, more), "new");
    const [, owner, name] = namePattern.exec(wanted) ?? [];
    if (name === undefined)
      return reportUsage(
        terminal,
        `\`${wanted}\` is not a tool name: use at most 64 letters, digits, \`_\` and \`-\`, starting with a letter or \`_\`; an owner and \`/\` may precede it`,
        "new",
      );
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const taken = await placeOfTaken(wanted, opened);
    if (taken !== undefined)
      return failedWith(context, `the tool \`${wanted}\` already exists${taken}`, "choose another name");
    const baseName = input.value("wrap") ?? BASE_DEFAULT;
    const base = await opened.session.registry.resolve(baseName);
    if (!base) return reportMissingTool(baseName, opened, context);
    const from = input.value("from");
    if (from !== undefined && !isWrappable(base))
      return reportUsage(terminal, `\`${baseName}\` runs no commands, so \`--from\` cannot be used with it`, "new");
    const starter = starterText({ name, base, ...(from === undefined ? {} : { from }) });
    if ("problems" in starter && from !== undefined) return reportLine(from, starter.problems, context);
    if ("problems" in starter) {
      terminal.errors.write(await renderAll(starter.problems, terminal.errors));
      return exitCodes.definitions;
    }
    return write(starter, {
      path: join(folderFor(opened, context), ...(owner === undefined ? [] : [owner]), `${name}.tool`),
      name: wanted,
      opened,
      context,
    });
  },
};

/** Says how the words of a command line are given. */
function lineWanted(name: string, words: readonly string[]): string {
  const line = words.map((word) =>
    /^[\w./:=@%+,{}-]+$/.test(word) ? word : `"${word.replaceAll(/["\\$`]/g, "\\$&")}"`,
  );
  return `the command line goes in quotes: dottool new ${name} --from '${line.join(" ").replaceAll("'", `'\\''`)}'`;
}

/** Returns ` in PATH:LINE`, or empty text if the place is unknown; undefined if the name is free. */
async function placeOfTaken(name: string, opened: OpenedSession): Promise<string | undefined> {
  const entry = opened.catalogue().entries.find((one) => one.name === name);
  if (entry) return `: ${entry.path}:${entry.line}`;
  return (await opened.session.registry.resolve(name)) ? "" : undefined;
}

function isWrappable(base: Tool): boolean {
  return (base as BaseTool).wrap !== undefined;
}

interface StarterRequest extends StarterOptions {
  readonly from?: string;
}

type Starter =
  | { readonly text: string; readonly secretVariables?: readonly string[] }
  | { readonly problems: readonly Diagnostic[] };

function starterText({ name, base, from }: StarterRequest): Starter {
  if (from !== undefined) return starterFrom(from, { name, base });
  const text = isWrappable(base) ? exampleStarter({ name, base }) : aliasStarter({ name, base });
  const problems = errorsIn(text);
  return problems.length === 0 ? { text } : { problems };
}

/**
 * Guesses that the analyzer refuses, such as a program for `awk`, are taken back one by one, since each may be to blame
 * for others.
 */
function starterFrom(line: string, options: StarterOptions): Starter {
  const fixed = new Set<number>();
  for (;;) {
    const { text, guesses, secretVariables } = commandStarter(line, options, fixed);
    const problems = errorsIn(text);
    if (problems.length === 0) return { text, secretVariables };
    if (guesses.length === 0) return { problems };
    const blamed = guesses.find(({ name }) =>
      problems.some(({ at }) => at?.span.source.text.slice(at.span.start - 1, at.span.end + 1).includes(`{${name}}`)),
    );
    for (const { word } of blamed ? [blamed] : guesses) fixed.add(word);
  }
}

function errorsIn(text: string): readonly Diagnostic[] {
  return analyzeToolFile(parseToolFile({ path: "new.tool", text })).diagnostics.filter(
    (diagnostic) => diagnostic.severity === "error",
  );
}

/** Reports problems without lines and columns, because the user has not seen the definition that they are in. */
function reportLine(line: string, problems: readonly Diagnostic[], { terminal }: CommandContext): number {
  const facts = [
    ...new Set(
      problems.flatMap(({ message, at }) => [
        `  ${message}${at === undefined || at.text === "" ? "" : `: ${at.text}`}`,
      ]),
    ),
  ];
  const help = [...new Set(problems.flatMap((problem) => problem.help.map((one) => `  = ${one}`)))];
  terminal.errors.write(
    `${printableLines([`failed[definition]: cannot make a tool from \`${line}\``, ...facts, ...help].join("\n"))}\n`,
  );
  return exitCodes.definitions;
}

/** Returns the absolute folder for new definitions. */
export function folderFor(opened: OpenedSession, { options, terminal }: CommandContext): string {
  const [given] = options.toolFolders;
  if (given !== undefined) return resolve(terminal.workingFolder(), given);
  const own = join(opened.cwd, PROJECT_FOLDER_NAME);
  const kind = opened.host.instant.stat(own)?.kind ?? (opened.host.instant.isLink(own) ? "link" : "folder");
  // Writing there fails with a message; elsewhere the tool would be in another project.
  if (kind !== "folder") return own;
  return opened.catalogue().folders.find((folder) => folder.scope === "project")?.path ?? own;
}

interface WriteOptions {
  readonly path: string;
  readonly name: string;
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

async function write(
  { text, secretVariables = [] }: Extract<Starter, { text: string }>,
  { path, name, opened, context }: WriteOptions,
): Promise<number> {
  const { host } = opened;
  const shown = shownPathOf(path, opened.cwd);
  if (host.instant.stat(path))
    return failedWith(context, `\`${shown}\` already exists`, "remove it, or choose another name for the new tool");
  const doWrite = (): Promise<boolean> => writeBelowOrTell({ path, shownPath: shown, text }, host, context);
  if (!(await keepingTrust({ path, text }, doWrite, { ...context, host }))) return exitCodes.failed;
  const call = isCommandName(name) ? `dottool call ${name}` : `dottool ${name}`;
  context.terminal.output.write(`wrote ${printable(shown)}\n`);
  if (secretVariables.length > 0) {
    const variables = secretVariables.map((variable) => `\`${variable}\``).join(" and ");
    context.terminal.errors.write(`the file does not contain the secret of the line: set ${variables} to it\n`);
  }
  const isAsked = context.options.toolFolders.length === 0 && !isTrustedNow(path, host);
  const asks = isAsked ? "; it asks once whether you trust it" : "";
  context.terminal.errors.write(`edit it, check it with \`dottool check\`, and run it with \`${call}\`${asks}\n`);
  return exitCodes.done;
}

function failedWith({ terminal }: CommandContext, message: string, help: string): number {
  terminal.errors.write(`failed[exists]: ${printable(message)}\n  = ${help}\n`);
  return exitCodes.failed;
}
