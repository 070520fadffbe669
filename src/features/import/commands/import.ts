// `dottool import`: makes `.tool` files of what other programs call scripts, recipes, targets or tasks.
import { asRemoteTools } from "../../mcp-client/remote-tools.ts";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { shownPathOf } from "../../../core/catalog/load.ts";
import { PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { loadPart } from "../../../core/tool/feature.ts";
import type {} from "../../../cli/parts.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { filesExist, writeBelowOrTell } from "../../../cli/view/write-or-tell.ts";
import { folderFor } from "../../new/commands/new.ts";
import { follow, importedFiles, markedText } from "../follow-source.ts";
import type { ImportedTools } from "../import-sources.ts";

export const importCommand: WordsCommand = {
  kind: "words",
  usage: [
    "import FILE|DIR|URL|mcp:SERVER [-o DIR] [--only NAME]… [--server URL] [--force] [--print|--json]",
    "import FILE|DIR|URL|mcp:SERVER [-o DIR] … --check|--update|--watch",
    "import --help-of PROGRAM [COMMAND…] [-o DIR] …",
  ],
  about:
    "Makes `.tool` files of npm scripts, justfiles, makefiles, Taskfiles, tasks of mise, Deno and pyproject.toml, scripts of argc, specifications of usage, OpenAPI 3, and commands and skills of Claude Code. A folder is searched for such files. " +
    "Definitions are written to the folder of `-o`, to the first folder of `--tools`, or to `.tools` of the project. Each is checked first. A `@note` and standard error say what could not be carried over. " +
    "The servers of an MCP client's configuration are printed as `mcp_servers:` for `config.yaml`. Existing files are not overwritten, and a secret in the source becomes a parameter that is read from the environment.",
  options: [
    { name: "help-of", value: "PROGRAM", does: "run PROGRAM --help, and make tools of its commands and options" },
    { name: "output", short: "o", value: "DIR", does: "write to DIR" },
    { name: "only", value: "NAME", does: "import only this one (repeatable)" },
    {
      name: "server",
      value: "URL",
      does: "the address of the API, in place of those that an OpenAPI description names",
    },
    { name: "force", does: "replace existing files" },
    { name: "print", does: "print the definitions, and write nothing" },
    { name: "json", does: "print them as JSON, and write nothing" },
    {
      name: "check",
      does: "say what has changed since the last import, and write nothing; exit with 1 if the source has",
    },
    { name: "update", does: "rewrite what has changed in the source, except what you have changed" },
    { name: "watch", does: "do that each time the source changes, until Ctrl-C" },
  ],
  words: [0, 20],
  examples: [
    ["dottool import package.json", "its scripts as tools"],
    ["dottool import . --print", "show what the folder has, without writing it"],
    ["dottool import --help-of kubectl --only kubectl-get", "a command of a program, from its help"],
    ["dottool import justfile --check", "whether the tools are as the source says, for example in CI"],
    ["dottool import mcp:github", "the tools of an MCP server, after `dottool pin github`"],
  ],
  run: async (input, context) => {
    const { terminal } = context;
    const modes = ["print", "json", "check", "update", "watch"].filter((one) => input.has(one));
    if (modes.length > 1) {
      const [first, second] = modes;
      return reportUsage(terminal, `\`--${first}\` and \`--${second}\` cannot be combined; give one of them`, "import");
    }
    if (input.has("watch") && (input.has("help-of") || /^(?:https?:\/\/|mcp:)/.test(input.words[0] ?? "")))
      return reportUsage(terminal, "`--watch` is for a file or folder", "import");
    if (!isServer(input.value("server")))
      return reportUsage(
        terminal,
        "`--server` takes the address of an API, such as `https://api.example.com/v1`",
        "import",
      );
    if (input.has("server") && (input.has("help-of") || /^mcp:/.test(input.words[0] ?? "")))
      return reportUsage(terminal, "`--server` is for a description of OpenAPI alone", "import");
    if (!input.has("help-of") && input.words.length !== 1)
      return reportUsage(terminal, `expected one FILE, DIR or URL, got ${input.words.length}`, "import");
    const opened = await openSession(context, { isQuiet: true });
    if (typeof opened === "number") return opened;
    const folder = targetFolder(input, { opened, context });
    const delivery = { folder, input, opened, context };
    if (!input.has("watch")) return delivered(delivery);
    terminal.expectSignal?.();
    for (;;) {
      // As each file was before it was read, so that no change is missed.
      const read = new Map<string, string>();
      const stateOf = (path: string): string => sourceState(path, delivery);
      await delivered(delivery, (path) => read.set(path, read.get(path) ?? stateOf(path)));
      while ([...read].every(([path, before]) => stateOf(path) === before)) {
        await opened.host.sleep(LOOK_MS, terminal.signal);
        if (terminal.signal.aborted) return exitCodes.done;
      }
    }
  },
};

const LOOK_MS = 300;

/** What tells whether a source has changed: of a folder its names, but for that of the folder with the tools. */
function sourceState(path: string, { folder, opened }: Delivery): string {
  const { instant } = opened.host;
  const found = instant.stat(path);
  if (found?.kind !== "folder") return JSON.stringify(found ?? {});
  return JSON.stringify(instant.names(path).filter((name) => !isWithin(folder, join(path, name))));
}

async function delivered(delivery: Delivery, onRead?: (path: string) => void): Promise<number> {
  const { ImportRefusal } = await import("../read-sources.ts");
  try {
    return await deliver(await importedTools(delivery, onRead), delivery);
  } catch (error) {
    if (!(error instanceof ImportRefusal)) throw error;
    const { message, help, isMissing } = error;
    delivery.context.terminal.errors.write(
      `failed[${isMissing ? "missing" : "import"}]: ${printable(message)}\n  = ${printable(help)}\n`,
    );
    return isMissing ? exitCodes.missing : exitCodes.definitions;
  }
}

function isServer(address: string | undefined): boolean {
  return address === undefined || (/^https?:\/\/[^?#\s]+$/.test(address) && URL.canParse(address));
}

async function importedTools(
  { input, folder, opened, context }: Delivery,
  onRead: ((path: string) => void) | undefined,
): Promise<ImportedTools> {
  const { importHelp, importRemoteTools, importSources } = await import("../import-sources.ts");
  const { host, cwd } = opened;
  const [wanted = ""] = input.words;
  const only = new Set(input.values("only"));
  const program = input.value("help-of");
  if (program !== undefined) {
    const { helpAsker } = await import("../ask-help.ts");
    return importHelp([program, ...input.words], {
      only,
      ask: helpAsker(host, {
        cwd,
        signal: context.terminal.signal,
        tell: (note) => context.terminal.errors.write(`${printable(note)}\n`),
      }),
    });
  }
  const [, server] = /^mcp:([A-Za-z0-9_-]+)(?:\/\*?)?$/.exec(wanted) ?? [];
  if (server !== undefined)
    return importRemoteTools(server, [
      ...asRemoteTools(await opened.remoteTools())
        .pins(server)
        .tools.keys(),
    ]);
  const given = input.value("server");
  return importSources(wanted, {
    host,
    cwd,
    only,
    server: given === undefined ? undefined : new URL(given).href.replace(/\/+$/, ""),
    importers: async () => {
      await opened.session.registry.complete();
      return opened.pluginOffers().importers;
    },
    folderOf: (source) => folderWithin(projectOf(folder, cwd), source),
    before: importedFiles(folder, host),
    ...(onRead ? { onRead } : {}),
  });
}

interface Delivery {
  /** Absolute. */
  readonly folder: string;
  readonly input: CommandInput;
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

async function deliver(found: ImportedTools, delivery: Delivery): Promise<number> {
  const { input, opened, context } = delivery;
  const { terminal } = context;
  if (["check", "update", "watch"].some((one) => input.has(one))) {
    const [wanted = ""] = input.words;
    const isFile = !input.has("help-of") && !/^\w+:/.test(wanted);
    const from = resolve(projectOf(delivery.folder, opened.cwd) ?? opened.cwd);
    const covers = (source: string): boolean =>
      !input.has("only") &&
      (isFile
        ? isWithin(resolve(from, source), resolve(opened.cwd, wanted))
        : found.tools.some((tool) => tool.source === source));
    const end = await follow(found.tools, {
      folder: delivery.folder,
      isCheck: input.has("check"),
      covers,
      opened,
      context,
    });
    if (!input.has("check")) terminal.errors.write(reportOf(found));
    return end;
  }
  const imported = input.has("json") || input.has("print") ? found : await wantedOf(found, delivery);
  if (!imported) return exitCodes.interrupted;
  if (input.has("json")) writeJson(terminal, imported);
  else if (input.has("print"))
    terminal.output.write(
      imported.tools.map(({ name, text }) => `── ${name}.tool\n${printableLines(text)}`).join("\n"),
    );
  else {
    const problem = await writeAll(imported, delivery);
    if (problem !== undefined) return problem;
  }
  if (imported.settings !== "" && !input.has("json")) {
    terminal.errors.write(`add this to \`${printable(join(opened.host.folders.config, "config.yaml"))}\`:\n`);
    terminal.output.write(printableLines(imported.settings));
  }
  terminal.errors.write(reportOf(imported));
  return imported.tools.length > 0 || imported.settings !== "" ? exitCodes.done : exitCodes.definitions;
}

/** Returns an exit code if not all could be written; the reason has been printed. */
async function writeAll(
  { tools }: ImportedTools,
  { folder, input, opened, context }: Delivery,
): Promise<number | undefined> {
  const { terminal } = context;
  const { host } = opened;
  const files = tools.map((tool) => {
    const path = join(folder, `${tool.name}.tool`);
    return { path, text: markedText(tool, host), shownPath: shownPathOf(path, opened.cwd) };
  });
  const existing = files.filter(({ path }) => host.instant.stat(path) !== undefined);
  if (existing.length > 0 && !input.has("force"))
    return filesExist(
      existing.map(({ shownPath }) => shownPath),
      "`--update` replaces those that only the source has changed, `-o DIR` writes elsewhere, `--only NAME` takes others",
      context,
    );
  for (const file of files) {
    // Others wrote what it is made from, so nothing is trusted here: the first call asks.
    if (!(await writeBelowOrTell(file, host, context))) return exitCodes.failed;
    terminal.output.write(`wrote ${printable(file.shownPath)}\n`);
  }
  return undefined;
}

/** Asks a person at a terminal which of several tools to write; undefined if the person gives up. */
async function wantedOf(imported: ImportedTools, { input, context }: Delivery): Promise<ImportedTools | undefined> {
  const { terminal } = context;
  const isAsked = terminal.input.isTerminal && !input.has("only") && context.options.isConfirmed !== true;
  const chooseSome = isAsked && imported.tools.length > 1 ? await loadPart("chooseSome") : undefined;
  if (!chooseSome) return imported;
  const named = imported.tools.map(({ name, text }) => ({ name, about: printable(text.split("\n", 1)[0] ?? "") }));
  const wanted = await chooseSome(terminal, "Which of these? Space takes the mark off, Enter writes them", named);
  return wanted && { ...imported, tools: imported.tools.filter(({ name }) => wanted.includes(name)) };
}

function reportOf({ tools, leftOut, notes, next }: ImportedTools): string {
  const byNote = new Map<string, string[]>();
  for (const { name, notes: own } of tools)
    for (const note of own) byNote.set(note, [...(byNote.get(note) ?? []), name]);
  const secrets = tools.filter(({ secretVariables }) => secretVariables.length > 0);
  return [
    ...notes,
    ...[...byNote].map(([note, names]) => `${names.map((name) => `\`${name}\``).join(", ")}: ${note}`),
    ...secrets.map(
      ({ name, secretVariables }) =>
        `\`${name}\` does not contain the secret of the source: set ${secretVariables.map((one) => `\`${one}\``).join(" and ")} to it`,
    ),
    ...next.map((line) => `then run: ${line}`),
    ...leftOut.map(({ original, reason }) => `not imported: \`${original}\`: ${reason}`),
  ]
    .map((line) => `${printable(line)}\n`)
    .join("");
}

function targetFolder(
  input: CommandInput,
  { opened, context }: { readonly opened: OpenedSession; readonly context: CommandContext },
): string {
  const given = input.value("output");
  return given === undefined ? folderFor(opened, context) : resolve(opened.cwd, given);
}

/** The folder that calls of the tools are made from; undefined if the tools are for any folder. */
function projectOf(folder: string, cwd: string): string | undefined {
  for (let at = folder; dirname(at) !== at; at = dirname(at))
    if (basename(at) === PROJECT_FOLDER_NAME) return dirname(at);
  return isWithin(folder, cwd) ? cwd : undefined;
}

/** Returns undefined if it is the project's own folder, and an absolute path if it is not in the project. */
function folderWithin(project: string | undefined, folder: string): string | undefined {
  if (project === undefined || !isWithin(folder, project)) return folder;
  return relative(project, folder).replaceAll(sep, "/") || undefined;
}

function isWithin(folder: string, other: string): boolean {
  return `${folder}${sep}`.startsWith(`${other}${sep}`);
}
