// `dottool mcp`: the tools for clients of the Model Context Protocol.
import { exitCodes } from "../run/exit-code.ts";
import { type CommandContext, type WordsCommand } from "./command.ts";
import { openSession, type OpenedSession } from "./open-session.ts";
import { printable } from "./layout.ts";

export const mcpCommand: WordsCommand = {
  kind: "words",
  usage: ["mcp"],
  about: "Serves the tools to clients of the Model Context Protocol, on standard input and output, for the revisions up to 2025-11-25 and for 2026-07-28. Ends when its input does.",
  options: [],
  words: [0, 0],
  examples: [["dottool mcp", "what a client starts"]],
  run: async (_input, context) => {
    const opened = await openSession(context, { frontEnd: "mcp", audience: "model" });
    if (typeof opened === "number") return opened;
    const { openService } = await import("../mcp/server/service.ts");
    const service = openService({ session: opened.session });
    await serveStdio(service, opened, context);
    return exitCodes.done;
  },
};

/** Processes get TERM when their calls are aborted; what is left after this is killed, so that all ends within 2 s. */
const ENDING_MS = 1_200;

async function serveStdio(service: import("../mcp/server/service.ts").McpService, { host }: OpenedSession, { terminal }: CommandContext): Promise<void> {
  const { serveLines } = await import("../mcp/server/serve-lines.ts");
  const never = new AbortController().signal;
  const ended = new AbortController();
  await serveLines(service, {
    lines: { listen: (onText) => terminal.input.listen(ended.signal, onText), write: (text) => terminal.output.write(text) },
    signal: terminal.signal,
    onTrouble: (message) => terminal.errors.write(`warning[mcp]: ${printable(message)}\n`),
    sleep: (delayMs) => host.sleep(delayMs, never),
  });
  ended.abort();
  const idle = new AbortController();
  await Promise.race([service.idle(), host.sleep(ENDING_MS, idle.signal)]);
  idle.abort();
  host.processes.killAll();
}
