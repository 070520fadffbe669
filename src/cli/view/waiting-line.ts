// The view of a person at a terminal while a call runs: its steps if it has some; otherwise, after a while without
// output, a line that says what is being waited for.
import type { ToolResult } from "../../core/tool/call.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../core/tool/terminal.ts";
import { progressText, type StepEvent, type ToolEvent } from "../../core/tool/tool.ts";
import type { ResultPrinter } from "./print-result.ts";
import type { StepsView } from "./steps-view.ts";
import { mayHaveTerminal } from "../../core/run/may-have-terminal.ts";
import type { Session } from "../../core/run/session.ts";
import type { CommandContext } from "../command.ts";

const SILENCE_MS = 1_000;
const LINE_END = 10;

type OnEvent = (event: ToolEvent) => void | Promise<void>;

export class WaitingLine {
  readonly #terminal: Terminal;
  #name = "";
  #show: OnEvent = () => undefined;
  readonly #ended = new AbortController();
  #host: Host | undefined;
  #view: StepsView | undefined;
  #opening: Promise<void> | undefined;
  #hasNews = false;
  // An unfinished line or a question would be erased together with ours.
  #isInLine = false;
  #isAsking = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Starts to wait for a call, and returns a printer that takes its events and prints its result after the display. */
  around(printer: ResultPrinter, name: string, host: Host): ResultPrinter {
    this.start(name, host, printer.onEvent);
    return {
      onEvent: (event) => this.take(event),
      print: async (result, tool) => {
        const closing = this.end(result);
        const exitCode = await printer.print(result, tool);
        this.#terminal.errors.write(closing);
        return exitCode;
      },
    };
  }

  /** Used instead of the given terminal, so that questions to the person are noticed. */
  get terminal(): Terminal {
    const { input, errors } = this.#terminal;
    const write: TerminalPort["write"] = (content) => {
      this.#view?.hide();
      const writing = errors.write(content);
      this.#written(typeof content === "string" ? content.codePointAt(content.length - 1) : content.at(-1));
      return writing;
    };
    // Not copies: these would read the signal, which starts listening to signals, and would freeze the size.
    return Object.create(this.#terminal, {
      input: { value: { ...input, ask: (question: string) => this.#ask(question) } },
      errors: { value: Object.create(errors, { write: { value: write } }) },
    }) as Terminal;
  }

  /** Shows nothing until the returned function is called. */
  async rest(): Promise<() => void> {
    this.#isAsking = true;
    await this.#show({ kind: "progress", text: "" });
    return () => {
      this.#isAsking = false;
      this.#hasNews = true;
    };
  }

  /** The line is an event like other progress: `show` prints it, and removes it when something else comes. */
  start(name: string, host: Host, show: OnEvent): void {
    this.#name = name;
    this.#host = host;
    this.#show = show;
    // If the line cannot be shown, the call continues without it.
    void this.#watch(host).catch(() => undefined);
  }

  take(event: ToolEvent): void | Promise<void> {
    // A person who cannot see the steps gets no news from them.
    if (event.kind !== "step" && event.kind !== "resource-changed") this.#hasNews = true;
    switch (event.kind) {
      case "step":
        return this.#takeStep(event);
      case "output":
        return this.#takeOutput(event);
      case "resource-changed":
        return;
      case "log":
        return this.#show(event);
      case "progress":
        return this.#view ? this.#view.note(progressText(event)) : this.#show(event);
    }
  }

  /** Ends the display before the result is printed. Returns what to print after it. */
  end({ status }: ToolResult): string {
    this.#ended.abort();
    const left = this.#view?.end(status === "ok") ?? "";
    const text = left !== "" && this.#isInLine ? `\n${left}` : left;
    if (status === "ok") return text;
    this.#terminal.errors.write(text);
    return "";
  }

  async #watch(host: Host): Promise<void> {
    const startedMs = host.nowMs();
    for (;;) {
      this.#hasNews = false;
      await host.sleep(SILENCE_MS, this.#ended.signal);
      if (this.#ended.signal.aborted || this.#view) return;
      // The trailing space makes up for the first character, which is two columns wide.
      if (!this.#hasNews && !this.#isInLine && !this.#isAsking)
        await this.#show({
          kind: "progress",
          text: `⏳ ${this.#name} ${Math.floor((host.nowMs() - startedMs) / 1000)} s `,
        });
    }
  }

  async #takeStep(event: StepEvent): Promise<void> {
    if (!this.#host || !this.#terminal.errors.movesCursor) return;
    this.#opening ??= this.#openView(this.#host);
    await this.#opening;
    this.#view?.take(event);
  }

  async #openView(host: Host): Promise<void> {
    const { errors } = this.#terminal;
    const [{ StepsView }, { paintFor }] = await Promise.all([import("./steps-view.ts"), import("./paint.ts")]);
    const paint = await paintFor(errors);
    if (this.#ended.signal.aborted) return;
    await this.#show({ kind: "progress", text: "" });
    this.#view = new StepsView({ name: this.#name, port: errors, paint, host });
    if (this.#isInLine || this.#isAsking) this.#view.hide();
  }

  #takeOutput(event: ToolEvent & { readonly kind: "output" }): void | Promise<void> {
    const isSeen = event.stream === "stderr" || this.#terminal.output.isTerminal;
    if (!isSeen) return this.#show(event);
    this.#view?.hide();
    const showing = this.#show(event);
    this.#written(event.bytes.at(-1));
    return showing;
  }

  async #ask(question: string): Promise<string | undefined> {
    this.#isAsking = true;
    this.#view?.hide();
    try {
      return await this.#terminal.input.ask(question);
    } finally {
      this.#isAsking = false;
      this.#hasNews = true;
      this.#written(LINE_END);
    }
  }

  #written(last: number | undefined): void {
    if (last !== undefined) this.#isInLine = last !== LINE_END;
    if (!this.#isInLine && !this.#isAsking) this.#view?.show();
  }
}

/** Only if nothing is redirected: a pipe or a file gets the output, and a program of it gets no keys. */
export function lentTo({ terminal, options }: CommandContext, waiting: WaitingLine): Pick<Session, "lendTerminal"> {
  const { input, output, errors, lend } = terminal;
  if (options.result !== "text" || !lend || !input.isTerminal || !output.isTerminal || !errors.isTerminal) return {};
  const lent = async (): Promise<(isForced: boolean) => void> => {
    const goOn = await waiting.rest();
    const giveBack = await lend();
    return (isForced) => {
      giveBack(isForced);
      goOn();
    };
  };
  return { lendTerminal: (tool) => (mayHaveTerminal(tool) ? lent() : undefined) };
}
