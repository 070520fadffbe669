// The streams and signals of one call, as its launcher has them: no terminal, and nothing is read.
import { Buffer } from "node:buffer";
import process from "node:process";
import { getSystemErrorName } from "node:util";
import type { Terminal, TerminalEnding, TerminalPort } from "../../../core/tool/terminal.ts";
import { isReaderGone, lossText, wantsColor } from "../../../core/host/terminal/terminal.ts";
import type { ServedCall } from "./call-host.ts";

/** As in ../terminal/terminal.ts: the exit code is this and the number of the signal. */
const SIGNALLED = 128;
const CANCELLED = 130;
const COLUMNS = 80;
const ROWS = 24;
/** How long unread output is waited for once the work is done, after a signal or a time limit. */
const DRAIN_MS_MAX = 2_000;

export interface CallTerminal extends Terminal {
  /** Ends the call. `isLimited` says that its reader is not waited for. */
  end(exitCode: number, isLimited: boolean): Promise<void>;
}

export interface CallTerminalOptions {
  readonly isPlain: boolean;
  /** Called at a second signal: nothing is waited for then. */
  killAll(): void;
}

export function openCallTerminal({ link, facts }: ServedCall, { isPlain, killAll }: CallTerminalOptions): CallTerminal {
  const controller = new AbortController();
  let ending: TerminalEnding | undefined;
  let endingCode: number | undefined;
  const stop = (reason: TerminalEnding, exitCode: number): void => {
    endingCode ??= exitCode;
    ending ??= reason;
    controller.abort();
  };
  const leave = (need: string) => (): never => link.leave(need);
  const portOf = (stream: "output" | "errors"): TerminalPort => ({
    isTerminal: false,
    hasColor: !isPlain && wantsColor(false, Object.fromEntries(facts.environment)),
    movesCursor: false,
    columns: COLUMNS,
    rows: ROWS,
    write: (content) => {
      const taken = link.write(stream, typeof content === "string" ? Buffer.from(content) : content);
      return ending === "interrupted" ? undefined : taken;
    },
  });
  const [output, errors] = [portOf("output"), portOf("errors")];
  link.onSignal = (number) => {
    if (ending === "interrupted") {
      killAll();
      return finish(() => SIGNALLED + number, true);
    }
    stop("interrupted", SIGNALLED + number);
  };
  link.onGone = () => stop("interrupted", CANCELLED);
  /** Says how the call has ended once more. */
  let finishAgain: (() => void) | undefined;
  link.onLost = (stream, errorNumber) => {
    takeLoss(stream, errorNumber);
    // The launcher waits for what follows from the loss.
    finishAgain?.();
  };
  const takeLoss = (stream: "output" | "errors", errorNumber: number): void => {
    if (stream === "errors") return;
    const error = Object.assign(new Error("write"), { code: getSystemErrorName(-errorNumber) });
    if (isReaderGone(error)) return stop("output-closed", 0);
    errors.write(`failed[output]: the output cannot be written: ${lossText(error)}\n`);
    stop("output-failed", 1);
  };
  const finish = (exitCode: () => number, isNow: boolean): void => {
    finishAgain = () => finish(exitCode, isNow);
    link.commit();
    // An abort makes an error with its stack, and nothing is left to end.
    if (!isNow) link.onGone = () => undefined;
    link.send("x", Buffer.from([exitCode(), isNow ? 1 : 0, link.losses]));
  };
  return {
    runtime: `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`,
    workingFolder: () => facts.workingFolder,
    output,
    errors,
    input: {
      isTerminal: facts.hasInputTerminal,
      readBytes: leave("input"),
      ask: leave("an answer"),
      listen: leave("input"),
    },
    signal: controller.signal,
    get ending() {
      return ending;
    },
    end: async (own, isLimited) => {
      link.commit();
      const isWritten =
        ending === "interrupted" || isLimited
          ? await Promise.race([all((stream) => link.written(stream)), after(DRAIN_MS_MAX)])
          : await all((stream) => link.handed(stream));
      finish(() => exitCodeAt(own, ending, endingCode), !isWritten);
    },
  };
}

/** What was found out before the reader left stays true: a failed check is one, whoever reads of it. */
function exitCodeAt(own: number, ending: TerminalEnding | undefined, endingCode: number | undefined): number {
  return endingCode === undefined || (ending === "output-closed" && own !== CANCELLED) ? own : endingCode;
}

async function all(wait: (stream: "output" | "errors") => Promise<void>): Promise<true> {
  await Promise.all([wait("output"), wait("errors")]);
  return true;
}

function after(ms: number): Promise<false> {
  return new Promise((resolve) => void setTimeout(resolve, ms, false));
}
