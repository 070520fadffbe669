// `dottool pin`: asks MCP servers for their tools, shows what has changed, and stores them for the definitions that
// wrap them.
import { asRemoteTools } from "../remote-tools.ts";
import { isInsideRun } from "../../../core/catalog/trust.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { firstSentence } from "../../../core/text/first-sentence.ts";
import { pinTrouble } from "../pin.ts";
import type { PinResult, Wanted } from "../pin-tools.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { printable } from "../../../core/text/display.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession } from "../../../cli/session/open-session.ts";

export const pinCommand: WordsCommand = {
  kind: "words",
  usage: ["pin SERVER/TOOL… [--json]", "pin SERVER… [--json]"],
  about:
    "Asks the MCP servers in your `config.yaml` for their tools and stores the answers. They give definitions with `@wrapped mcp:SERVER/TOOL` their parameters. " +
    "If a server changes a tool later, the tool does not run until you pin it again. `pin` shows the changes.",
  options: [{ name: "json", does: "print as JSON" }],
  words: [1, 1_000],
  examples: [
    ["dottool pin github", "all tools of the server `github`"],
    ["dottool pin github/search_issues", "one of them, also after a change"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const wanted = input.words.map(wantedOf);
    const odd = input.words.find((_word, index) => wanted[index] === undefined);
    if (odd !== undefined)
      return reportUsage(context.terminal, `expected SERVER or SERVER/TOOL, got \`${odd}\``, "pin");
    return pinAndWrite(
      wanted.flatMap((one) => one ?? []),
      { input, opened, context },
    );
  },
};

/** Pins tools, and says what became of them. Returns the exit code. */
export async function pinAndWrite(
  wanted: readonly Wanted[],
  {
    input,
    opened,
    context,
  }: { readonly input: CommandInput; readonly opened: OpenedSession; readonly context: CommandContext },
): Promise<number> {
  if (isInsideRun(opened.host)) {
    context.terminal.errors.write("failed[pin]: a tool started this command, and only a person may pin tools\n");
    return exitCodes.denied;
  }
  const results = await pinned(wanted, opened, { context });
  if (input.has("json")) writeJson(context.terminal, { pins: results });
  else write(results, context);
  return results.some(({ state }) => state === "failed") ? exitCodes.missing : exitCodes.done;
}

function wantedOf(word: string): Wanted | undefined {
  const [, server, tool] = /^(?:mcp:)?([A-Za-z0-9_-]+)(?:\/([A-Za-z0-9_./-]+))?$/.exec(word) ?? [];
  return server === undefined ? undefined : { server, ...(tool === undefined ? {} : { tool }) };
}

/** Masks secrets: a server's answer may repeat those that it was sent. With `storesNothing`, only compares. */
export async function pinned(
  wanted: readonly Wanted[],
  { host, remoteTools }: OpenedSession,
  { context, storesNothing }: { readonly context: CommandContext; readonly storesNothing?: true },
): Promise<readonly PinResult[]> {
  const { terminal } = context;
  const { pinTools } = await import("../pin-tools.ts");
  const { createMasks } = await import("../../../core/run/mask.ts");
  const hidden: string[] = [];
  for (const server of new Set(wanted.map((one) => one.server))) {
    const trouble = pinTrouble(server, host);
    if (trouble !== undefined)
      terminal.errors.write(`warning[file]: ${printable(trouble)}; all of its tools count as new\n`);
  }
  const results = await pinTools(wanted, {
    remote: asRemoteTools(await remoteTools()),
    host,
    signal: terminal.signal,
    hide: async (values) => void hidden.push(...values),
    ...(storesNothing ? { storesNothing } : {}),
  });
  const masks = createMasks([], { used: [], hidden, environment: (name) => host.environment(name) });
  return results.map((result) =>
    result.state === "failed"
      ? { ...result, reason: masks.text(result.reason), help: result.help.map((line) => masks.text(line)) }
      : result,
  );
}

function write(results: readonly PinResult[], { terminal }: CommandContext): void {
  for (const result of results) {
    switch (result.state) {
      case "failed":
        terminal.errors.write(
          `failed[unavailable]: ${result.reason}\n${result.help.map((line) => `  = ${line}\n`).join("")}`,
        );
        break;
      case "new":
        terminal.output.write(
          `pinned     mcp:${printable(`${result.server}/${result.tool}`)}  ${printable(firstSentence(result.pin.description))}\n`,
        );
        break;
      case "same":
        terminal.output.write(`unchanged  mcp:${printable(`${result.server}/${result.tool}`)}\n`);
        break;
      case "changed":
        terminal.output.write(
          `accepted   mcp:${printable(`${result.server}/${result.tool}`)}, which has changed:\n${result.difference.map((line) => `  ${line}\n`).join("")}`,
        );
        break;
    }
  }
}
