// What a person at a terminal sees while a call runs: its steps where it has some, and otherwise, once nothing has come for a while, a line
// that says what is being waited for.
import type { ToolResult } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import type { Terminal, TerminalPort } from "../tool/terminal.ts";
import type { StepEvent, ToolEvent } from "../tool/tool.ts";
import type { StepsView } from "./steps-view.ts";

const SILENCE_MS = 1_000;
const LINE_END = 10;

type OnEvent = (event: ToolEvent) => void | Promise<void>;

export interface WaitingLine {
  /** Instead of the given one, so that questions to the person are seen. */
  readonly terminal: Terminal;
  /** Instead of the given one, so that output is seen. */
  readonly onEvent: OnEvent;
  start(host: Host): void;
  /** Before the result is printed. Gives what stands behind it. */
  end(result: ToolResult): string;
}

/** The line is an event like any other progress: `show` puts it on the terminal, and takes it away when something else comes. */
export function openWaitingLine(name: string, terminal: Terminal, show: OnEvent): WaitingLine {
  const ended = new AbortController();
  let view: StepsView | undefined;
  let opening: Promise<void> | undefined;
  let host: Host | undefined;
  let hasNews = false;
  // A line that has begun would be wiped out with ours, and so would a question.
  let isInLine = false;
  let isAsking = false;
  const written = (last: number | undefined): void => {
    if (last !== undefined) isInLine = last !== LINE_END;
    if (!isInLine && !isAsking) view?.show();
  };
  const ask = async (question: string): Promise<string | undefined> => {
    isAsking = true;
    view?.hide();
    try {
      return await terminal.input.ask(question);
    } finally {
      isAsking = false;
      hasNews = true;
      written(LINE_END);
    }
  };
  const write: TerminalPort["write"] = (content) => {
    view?.hide();
    const writing = terminal.errors.write(content);
    written(typeof content === "string" ? content.codePointAt(content.length - 1) : content.at(-1));
    return writing;
  };
  const watch = async (clock: Host): Promise<void> => {
    const startedMs = clock.nowMs();
    for (;;) {
      hasNews = false;
      await clock.sleep(SILENCE_MS, ended.signal);
      if (ended.signal.aborted || view) return;
      // The blank at the end makes up for the first character, which is two columns wide.
      if (!hasNews && !isInLine && !isAsking) await show({ kind: "progress", text: `⏳ ${name} ${Math.floor((clock.nowMs() - startedMs) / 1000)} s ` });
    }
  };
  const openView = async (clock: Host): Promise<void> => {
    const [{ StepsView }, { paintFor }] = await Promise.all([import("./steps-view.ts"), import("./paint.ts")]);
    const paint = await paintFor(terminal.errors);
    if (ended.signal.aborted) return;
    await show({ kind: "progress", text: "" });
    view = new StepsView({ name, port: terminal.errors, paint, host: clock });
    if (isInLine || isAsking) view.hide();
  };
  const takeStep = async (event: StepEvent): Promise<void> => {
    if (!host || !terminal.errors.movesCursor) return;
    opening ??= openView(host);
    await opening;
    view?.take(event);
  };
  const takeOutput = (event: ToolEvent & { readonly kind: "output" }): void | Promise<void> => {
    const isSeen = event.stream === "stderr" || terminal.output.isTerminal;
    if (!isSeen) return show(event);
    view?.hide();
    const showing = show(event);
    written(event.bytes.at(-1));
    return showing;
  };
  return {
    // Not a copy: that would ask for the signal, and signals are listened to from then on.
    terminal: Object.create(terminal, { input: { value: { ...terminal.input, ask } }, errors: { value: Object.create(terminal.errors, { write: { value: write } }) } }) as Terminal,
    onEvent: (event) => {
      hasNews = true;
      switch (event.kind) {
        case "step":
          return takeStep(event);
        case "output":
          return takeOutput(event);
        case "progress":
          return view ? view.note(event.text) : show(event);
      }
    },
    start: (clock) => {
      host = clock;
      void watch(clock);
    },
    end: (result) => {
      ended.abort();
      const left = view?.end(result.status === "ok") ?? "";
      const text = left !== "" && isInLine ? `\n${left}` : left;
      if (result.status === "ok") return text;
      terminal.errors.write(text);
      return "";
    },
  };
}
