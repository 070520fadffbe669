// `--output-file`: the output of a call goes to a file instead, which is written at once when the output is complete.
import { resolve } from "node:path";
import { exitCodes } from "../run/exit-code.ts";
import { printable } from "../text/display.ts";
import type { Host } from "../tool/host.ts";
import type { Terminal, TerminalPort } from "../tool/terminal.ts";

export class ResultFile {
  /** The given terminal, until `begin`. */
  readonly terminal: Terminal;
  readonly #outer: Terminal;
  #path: string | undefined;
  readonly #pieces: Uint8Array[] = [];

  constructor(terminal: Terminal) {
    const { output } = terminal;
    const write: TerminalPort["write"] = (content) => {
      if (this.#path === undefined) return output.write(content);
      this.#pieces.push(typeof content === "string" ? new TextEncoder().encode(content) : content.slice());
    };
    this.#outer = terminal;
    this.terminal = Object.create(terminal, {
      output: { value: Object.create(output, { write: { value: write } }) },
    }) as Terminal;
  }

  /** Sends all further output to the file. */
  begin(path: string): void {
    this.#path = path;
  }

  /**
   * Returns the exit code: the call's own, unless it succeeded and the file could not be written. A failed call does
   * not change the file.
   */
  async end(exitCode: number, host: Host): Promise<number> {
    if (this.#path === undefined) return exitCode;
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
