// `dottool mcp-proxy -- COMMAND…`: an MCP server for any client, which puts the sandbox, pins, rules, masks and the log
// around another server.
import { commandLine } from "../../../core/base/quote.ts";
import { placedProgram } from "../../../core/base/program-words.ts";
import { isSecretVariable } from "../../../core/text/secret-names.ts";
import { type CommandInput, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { namedPlaces, placeOptions } from "../../confinement/commands/sandbox.ts";
import { pinAndWrite } from "../../mcp-client/commands/pin.ts";
import { asRemoteTools } from "../../mcp-client/remote-tools.ts";
import { serverSandbox } from "../../mcp-client/server-sandbox.ts";
import type { ConfiguredText, ProcessServer } from "../../mcp-client/server-settings.ts";
import { serveClients } from "../../mcp-server/commands/mcp.ts";
import { proxiedSource } from "../proxied-source.ts";

const START_MS = 30_000;

export const mcpProxyCommand: WordsCommand = {
  kind: "words",
  usage: [
    "mcp-proxy [--write PATH]… [--read PATH]… [--network HOST]… [--env NAME]… -- COMMAND [ARGUMENT…]",
    "mcp-proxy --accept … -- COMMAND [ARGUMENT…]",
  ],
  about:
    "Starts an MCP server in the sandbox and serves its tools over standard input and output, for a client that would start the server itself. " +
    "It offers the tools that a person has accepted with `--accept`, as they were then: one that has changed is not offered until it is accepted again, and what is accepted belongs to this folder and these options. " +
    "Your rules decide about calls, which are logged, and secrets in results are masked. The server sees the working folder, read-only, unless that shows your home folder.",
  options: [
    { name: "accept", does: "accept the tools as they are now, and end" },
    {
      name: "level",
      value: "LEVEL",
      choices: ["strict", "none"],
      does: "`strict` (default), or `none` for no sandbox",
    },
    ...placeOptions,
    { name: "env", value: "NAME", does: "a variable that it gets, which is set here (repeatable)" },
  ],
  words: [1, 100_000],
  examples: [
    ["dottool mcp-proxy --accept --write ~/notes -- mcp-server-filesystem ~/notes", "accept its tools, at a terminal"],
    ["dottool mcp-proxy --write ~/notes -- mcp-server-filesystem ~/notes", "the command that a client starts"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context, { isQuiet: true });
    if (typeof opened === "number") return opened;
    const server = proxiedServer(input, opened);
    if ("problem" in server) return reportUsage(context.terminal, server.problem, "mcp-proxy");
    if (!input.has("accept"))
      return serveClients(input, { context, sourceOf: (again) => proxiedSource(again, server, context) });
    asRemoteTools(await opened.remoteTools()).add(server);
    return pinAndWrite([{ server: server.name }], { input, opened, context });
  },
};

function proxiedServer(
  input: CommandInput,
  { host, cwd }: OpenedSession,
): ProcessServer | { readonly problem: string } {
  const placed = placedProgram(input.words, host);
  if ("problem" in placed) return { problem: `the command ${placed.problem}` };
  const places = namedPlaces(input, host, cwd);
  if ("problem" in places) return places;
  const isFree = input.value("level") === "none";
  const needless = placeOptions.find(({ name }) => isFree && input.values(name).length > 0);
  if (needless) return { problem: `\`--${needless.name}\` is for the sandbox, which \`--level none\` leaves out` };
  const environment = new Map<string, ConfiguredText>();
  for (const name of input.values("env")) {
    const text = host.environment(name);
    if (text === undefined) return { problem: `\`--env\` takes a variable that is set here; \`${name}\` is not` };
    const isSecret = isSecretVariable(name, text);
    const source = { kind: "environment", name } as const;
    environment.set(name, isSecret ? { kind: "secret", before: "", source } : { kind: "plain", text });
  }
  const { home } = host.folders;
  const showsHome = home === cwd || home.startsWith(cwd.endsWith("/") ? cwd : `${cwd}/`);
  // A relative name is another file in another folder, and a server may offer other tools where it may do more. 64 bits:
  // no other command has its pins, or what rules allow it.
  const whole = [placed.words, cwd, isFree ? "none" : "strict", places, [...environment.keys()]];
  const name = `${labelOf(placed.words)}-${host.sha256(JSON.stringify(whole)).slice(0, 16)}`;
  const sandbox = isFree ? undefined : serverSandbox(name, { ...places, cwd: showsHome ? undefined : cwd }, host);
  const options = ["level", "write", "read", "network", "env"].flatMap((option) =>
    input.values(option).flatMap((value) => [`--${option}`, value]),
  );
  return {
    kind: "process",
    name,
    argv: placed.words,
    cwd: sandbox?.confinement.folder ?? cwd,
    environment,
    ...(sandbox ? { sandbox } : {}),
    pinLine: commandLine(["dottool", "--cwd", cwd, "mcp-proxy", "--accept", ...options, "--", ...input.words]),
    startMs: START_MS,
  };
}

const LABEL_CHARACTERS_MAX = 32;

/** Returns a word of the command by which people know the server. */
function labelOf(argv: readonly string[]): string {
  const isTelling = (word: string): boolean => /mcp|server/i.test(word);
  const parts = (argv.find(isTelling) ?? argv[0] ?? "").split(/[/\\]/);
  const label = parts.findLast(isTelling) ?? parts.at(-1) ?? "";
  return label
    .replace(/(.)@.*$/s, "$1")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .slice(0, LABEL_CHARACTERS_MAX);
}
