// A line on the terminal that says what is being waited for, once nothing has come for a while.
import type { Host } from "../tool/host.ts";
import type { Terminal } from "../tool/terminal.ts";
import type { ToolEvent } from "../tool/tool.ts";

const SILENCE_MS = 1_000;
const LINE_END = 10;

type OnEvent = (event: ToolEvent) => void | Promise<void>;

export interface WaitingLine {
  /** Instead of the given one, so that questions to the person are seen. */
  readonly terminal: Terminal;
  /** Instead of the given one, so that output is seen. */
  readonly onEvent: OnEvent;
  start(host: Host): void;
  end(): void;
}

/** The line is an event like any other progress: `show` puts it on the terminal, and takes it away when something else comes. */
export function openWaitingLine(name: string, terminal: Terminal, show: OnEvent): WaitingLine {
  const ended = new AbortController();
  let hasNews = false;
  // A line that has begun would be wiped out with ours, and so would a question.
  let isInLine = false;
  let isAsking = false;
  const ask = async (question: string): Promise<string | undefined> => {
    isAsking = true;
    try {
      return await terminal.input.ask(question);
    } finally {
      isAsking = false;
      hasNews = true;
    }
  };
  const watch = async (host: Host): Promise<void> => {
    const startedMs = host.nowMs();
    for (;;) {
      hasNews = false;
      await host.sleep(SILENCE_MS, ended.signal);
      if (ended.signal.aborted) return;
      // The blank at the end makes up for the first character, which is two columns wide.
      if (!hasNews && !isInLine && !isAsking) await show({ kind: "progress", text: `⏳ ${name} ${Math.floor((host.nowMs() - startedMs) / 1000)} s ` });
    }
  };
  return {
    // Not a copy: that would ask for the signal, and signals are listened to from then on.
    terminal: Object.create(terminal, { input: { value: { ...terminal.input, ask } } }) as Terminal,
    onEvent: (event) => {
      hasNews = true;
      if (event.kind === "output" && event.bytes.length > 0) isInLine = event.bytes.at(-1) !== LINE_END;
      return show(event);
    },
    start: (host) => void watch(host),
    end: () => ended.abort(),
  };
}
