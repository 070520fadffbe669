import { join } from "node:path";
import type { McpSource } from "../offered.ts";
import { PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { installedRecordsFolderOf } from "../../packages/installed-packages.ts";
import { recordFolderOf } from "../../../core/catalog/trust-store.ts";
import { type Mode, modes } from "../modes.ts";
import type { HttpOptions, HttpToken } from "./mcp-http.ts";
import type { McpService } from "../service.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { FolderChange, Host } from "../../../core/tool/host.ts";
import { errorReport } from "../../../cli/error-report.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { forgeOption, forgingOf, offerChoiceOf, offerOptions } from "../../../cli/words/offer-choice.ts";
import type { OfferChoice } from "../../../core/session/offered-names.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession, type OpenSessionOptions } from "../../../cli/session/open-session.ts";
import { printable } from "../../../core/text/display.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { ServedDefinitions } from "../served-definitions.ts";
import { mcpSource } from "../mcp-source.ts";
import type { Approver } from "../../../core/tool/policy-rule.ts";

export const mcpCommand: WordsCommand = {
  kind: "words",
  usage: [
    "mcp [--mode full|search|code] [--bundled] [--only WORD…] [--except WORD…]",
    "mcp --http [HOST:]PORT [--token-file FILE | --without-token] [--allow-host NAME…]",
  ],
  about:
    "Serves the tools to clients of the Model Context Protocol, in its revisions up to 2025-11-25 and 2026-07-28. " +
    "It offers your own tools, those of the project, the user and the machine; without any, those that come with dottool. " +
    "By default it uses standard input and output, and ends when its input ends. " +
    "`--http` serves at `http://HOST:PORT/mcp`, only to this machine unless a host is given; port 0 is any free port. Clients send the token that is printed to standard error, " +
    "or the one in DOTTOOL_MCP_TOKEN or `--token-file`: servers behind a load balancer share that token, and can continue each other's calls. " +
    "It also answers `POST /tools/NAME` with JSON, which `/openapi.json` describes. " +
    "Tool folders are watched, and clients are told when their tools change.",
  options: [
    {
      name: "mode",
      value: "MODE",
      choices: modes,
      does: "all tools (full, the default); three that find, describe and call the others (search); or one that runs programs against them (code)",
    },
    { name: "http", value: "[HOST:]PORT", does: "serve over HTTP; default host 127.0.0.1" },
    { name: "token-file", value: "FILE", does: "the file with the token that clients send" },
    { name: "without-token", does: "let every client call that can connect; only for this machine" },
    {
      name: "allow-host",
      value: "NAME",
      does: "another host name that clients use for this server (repeatable)",
    },
    ...offerOptions,
    forgeOption,
  ],
  words: [0, 0],
  examples: [
    ["dottool mcp", "the command that a client starts"],
    ["claude mcp add dottool -- dottool mcp", "add it to Claude Code"],
    ["dottool mcp --http 8765", "for clients that connect"],
    ["dottool mcp --mode search", "for hundreds of tools"],
    ["dottool mcp --bundled --except run", "also what comes with dottool, without tools that may run anything"],
  ],
  run: async (input, context) => {
    const http = (await import("./mcp-http.ts")).readHttpOptions(input, context);
    return typeof http === "number" ? http : serveClients(input, { context, http });
  },
};

/** Serves until the clients have gone or the program is told to end. Returns the exit code. */
export async function serveClients(input: CommandInput, options: Omit<ServingOptions, "signal">): Promise<number> {
  const { context, http } = options;
  context.terminal.expectSignal?.();
  const ended = new AbortController();
  const served = await openServing(input, { ...options, signal: ended.signal });
  if (typeof served === "number") return served;
  const { service, host, token } = served;
  context.terminal.signal.addEventListener("abort", () => context.terminal.endWithin?.(END_MS_MAX), { once: true });
  const code = http
    ? await (await import("./mcp-http.ts")).serveHttp(service, { http, token, host, context })
    : await serveStdio(service, host, context);
  ended.abort();
  await endAll(service, host);
  return code;
}

interface ServingOptions {
  readonly context: CommandContext;
  /** Ends the watch of the folders. */
  readonly signal: AbortSignal;
  readonly http?: HttpOptions | undefined;
  /** Serves this in place of the tools of the folders, whose problems are not reported then. */
  readonly sourceOf?: ((opened: OpenedSession) => McpSource) | undefined;
}

/** Opens what clients are served from. Returns an exit code if it cannot serve; the reason has been printed. */
export function openServing(input: CommandInput, options: ServingOptions): Promise<Serving | number> {
  const { context, http } = options;
  const warn = onceEach((text) => void context.terminal.errors.write(text));
  context.terminal.outliveErrors?.((error) => warn(errorReport(error).text));
  // Problems of folders are reported below, once.
  const open: StartOptions["open"] = (again): Promise<OpenedSession | number> =>
    openSession(context, {
      isQuiet: true,
      warn,
      frontEnd: "mcp",
      audience: "model",
      approver: nobody,
      person: undefined,
      forging: forgingOf(input),
      ...again,
    });
  const mode = modes.find((one) => one === input.value("mode"));
  return serving(http, { ...options, open, mode, choice: offerChoiceOf(input) });
}

interface StartOptions extends ServingOptions {
  /** `again` has the parts of an earlier session to reuse. */
  open(again?: Pick<OpenSessionOptions, "host" | "earlier">): Promise<OpenedSession | number>;
  readonly mode: Mode | undefined;
  readonly choice: OfferChoice;
}

export interface Serving {
  readonly service: McpService;
  readonly host: Host;
  readonly token: HttpToken | undefined;
}

/** Returns an exit code if it cannot serve; the reason has been printed. */
async function serving(http: HttpOptions | undefined, options: StartOptions): Promise<Serving | number> {
  const opened = await options.open();
  if (typeof opened === "number") return opened;
  const { problem, unable } = await (await import("../../../core/session/offered-names.ts")).offeredNames(
    opened,
    options.choice,
  );
  for (const one of unable) options.context.terminal.errors.write(`warning[mcp]: ${printable(one)}\n`);
  if (problem !== undefined) return reportUsage(options.context.terminal, problem, "mcp");
  const token = http && (await (await import("./mcp-http.ts")).findToken(http, opened, options.context));
  return typeof token === "number" ? token : { service: await startService(opened, options), host: opened.host, token };
}

async function startService(
  first: OpenedSession,
  { open, mode, choice, signal, context, sourceOf }: StartOptions,
): Promise<McpService> {
  const { openService } = await import("../service.ts");
  const { host } = first;
  const definitions = new ServedDefinitions(first, context.terminal.errors);
  if (!sourceOf) await definitions.begin();
  // Nothing else may hold a session: the memory of ten thousand definitions must be freed when they are replaced.
  let latest = first;
  /** The changes that `latest` does not include. */
  const changes: FolderChange[] = [];
  const openAgain = async (): Promise<OpenedSession> => {
    // The limit of running calls is the server's, whatever happens to its folders.
    const taken = [...changes];
    const again = await open({
      host,
      earlier: {
        folders: latest.catalogue().loaded,
        mayDiffer: (path) => taken.some((change) => change.mayDiffer(path)),
      },
    });
    // If the working folder is gone, the last session stays.
    if (typeof again === "number") return latest;
    changes.splice(0, taken.length);
    carryOver(latest, again);
    if (!sourceOf) await definitions.follow(again);
    return (latest = again);
  };
  const source = (of: OpenedSession): McpSource =>
    sourceOf?.(of) ?? {
      ...mcpSource({ ...of, session: { ...of.session, broken: definitions.brokenIn(of) } }, choice),
      app: async () => (await import("../../runs/app-page.ts")).appPage({ host: of.host, folder: of.cwd }),
    };
  const service = openService({
    ...(mode ? { mode } : {}),
    source: source(latest),
    open: async () => source(await openAgain()),
    afterTurn: context.terminal.afterTurn,
  });
  watchFolders(service, { opened: latest, changes, signal, context });
  return service;
}

/** Standard input is the client's, so no person at the terminal can answer; clients that can ask are asked. */
const nobody: Approver = { ask: () => Promise.resolve("denied") };

/** Prints each text once: each change of the folders opens a session, which would print the same again. */
function onceEach(write: (text: string) => void): (text: string) => void {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) write(text);
    said.add(text);
  };
}

/** Carries over what clients were allowed: to them the server is one session, also after a change of the folders. */
function carryOver({ session: from }: OpenedSession, { session: to }: OpenedSession): void {
  for (const [key, agreed] of from.guard?.agreed ?? []) to.guard?.agreed.set(key, agreed);
  for (const [key, value] of from.memory) to.memory.set(key, value);
}

/**
 * Processes get TERM when their calls are aborted; the rest is killed after this, so that everything ends within 2 s.
 */
const ENDING_MS = 1_000;
/** Output that a client has not read by then is lost. */
const END_MS_MAX = 1_900;

async function endAll(service: McpService, { processes, sleep }: Host): Promise<void> {
  const idle = new AbortController();
  await Promise.race([service.idle(), sleep(ENDING_MS, idle.signal)]);
  idle.abort();
  processes.killAll();
}

async function serveStdio(
  service: McpService,
  host: Host,
  { terminal, handedOver: before }: CommandContext,
): Promise<number> {
  const { serveLines } = await import("../serve-lines.ts");
  const ended = new AbortController();
  await serveLines(service, {
    host,
    lines: {
      listen: (onText) => {
        if (before && before.waiting !== "") onText(before.waiting)?.catch(() => undefined);
        terminal.input.listen(ended.signal, (text) => {
          if (text === undefined) terminal.endWithin?.(END_MS_MAX);
          return onText(text);
        });
      },
      write: (text) => terminal.output.write(text),
    },
    afterTurn: terminal.afterTurn ?? ((work) => work()),
    answered: before?.answered,
    signal: terminal.signal,
  });
  ended.abort();
  return exitCodes.done;
}

interface Watching {
  readonly opened: OpenedSession;
  readonly changes: FolderChange[];
  readonly signal: AbortSignal;
  readonly context: CommandContext;
}

function watchFolders(service: McpService, { opened, changes, signal, context: { terminal } }: Watching): void {
  const { host, cwd, catalogue } = opened;
  const folders = [
    ...new Set([
      ...catalogue().folders.map(({ path }) => path),
      `${cwd}/${PROJECT_FOLDER_NAME}`,
      recordFolderOf(host),
      installedRecordsFolderOf(host),
      join(host.folders.state, "mcp"),
    ]),
  ];
  host.watcher.watch(folders, {
    signal,
    onChange: (change) => {
      changes.push(change);
      service
        .reload()
        .catch((error: unknown) =>
          terminal.errors.write(
            `warning[mcp]: the tool folders cannot be reloaded: ${printableLines(String(error))}\n`,
          ),
        );
    },
    onTrouble: (folder, code) =>
      void terminal.errors.write(`warning[mcp]: \`${printable(folder)}\` cannot be watched for changes: ${code}\n`),
  });
}
