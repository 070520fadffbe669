// `--output-file`: what a call prints goes to a file instead, at once when all of it is there.
import { resolve } from "node:path";
import { exitCodes } from "../run/exit-code.ts";
import { printable } from "../text/display.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { Terminal, TerminalPort } from "../tool/terminal.ts";

export class ResultFile {
  /** The one given, until `begin`. */
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

  /** What is printed from now on is for the file. */
  begin(path: string): void {
    this.#path = path;
  }

  /**
   * Gives the exit code: the call's own, unless it went well and the file could not be written. A call that failed
   * leaves the file as it is.
   */
  async end(exitCode: number, host: Host): Promise<number> {
    if (this.#path === undefined) return exitCode;
    const shown = printable(this.#path);
    const { errors } = this.#outer;
    if (exitCode !== exitCodes.done) {
      errors.write(`warning[output-file]: \`${shown}\` is as it was: the call failed\n`);
      return exitCode;
    }
    try {
      await host.files.write(resolve(this.#outer.workingFolder(), this.#path), joined(this.#pieces));
      return exitCode;
    } catch (error) {
      errors.write(
        `failed[output-file]: \`${shown}\` cannot be written: ${codeOf(error) ?? "the system does not say why"}\n`,
      );
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
