// `--output-file`: the output of a call goes to a file instead, which is written at once when the output is complete.
import { resolve } from "node:path";
import { exitCodes } from "../run/exit-code.ts";
import { printable } from "../text/display.ts";
import type { Host } from "../tool/host.ts";
import type { Terminal, TerminalPort } from "../tool/terminal.ts";

export class ResultFile {
  /** Its output goes to the file. */
  readonly terminal: Terminal;
  readonly #outer: Terminal;
  readonly #path: string;
  readonly #pieces: Uint8Array[] = [];

  constructor(path: string, terminal: Terminal) {
    const write: TerminalPort["write"] = (content) =>
      void this.#pieces.push(typeof content === "string" ? new TextEncoder().encode(content) : content.slice());
    this.#path = path;
    this.#outer = terminal;
    this.terminal = Object.create(terminal, {
      output: { value: Object.create(terminal.output, { write: { value: write } }) },
    }) as Terminal;
  }

  /**
   * Returns the exit code: the call's own, unless it succeeded and the file could not be written. A failed call does
   * not change the file.
   */
  async end(exitCode: number, host: Host): Promise<number> {
    const shown = printable(this.#path);
    const { errors } = this.#outer;
    if (exitCode !== exitCodes.done) {
      errors.write(`warning[output-file]: \`${shown}\` was not changed: the call failed\n`);
      return exitCode;
    }
    try {
      await host.files.write(resolve(this.#outer.workingFolder(), this.#path), joined(this.#pieces));
      return exitCode;
    } catch (error) {
      errors.write((await import("./write-or-tell.ts")).unwrittenText("output-file", this.#path, error));
      return exitCodes.failed;
    }
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
