// `--output-file`: the output of a call goes to a file instead, which is written at once when the output is complete.
import { resolve } from "node:path";
import { exitCodes } from "../../core/run/exit-code.ts";
import { printable } from "../../core/text/display.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../core/tool/terminal.ts";
import type { ResultPrinter } from "./print-result.ts";

interface PrintIntoOptions {
  readonly terminal: Terminal;
  readonly host: Host;
  /** Opens a printer on a terminal. */
  shownOn(terminal: Terminal): ResultPrinter;
}

/** Returns a printer whose output goes to the file. A failed call does not change the file. */
export function printInto(path: string, { terminal, host, shownOn }: PrintIntoOptions): ResultPrinter {
  const pieces: Uint8Array[] = [];
  const write: TerminalPort["write"] = (content) =>
    void pieces.push(typeof content === "string" ? new TextEncoder().encode(content) : content.slice());
  const output = { value: Object.create(terminal.output, { write: { value: write } }) };
  const { onEvent, print } = shownOn(Object.create(terminal, { output }) as Terminal);
  const { errors } = terminal;
  return {
    onEvent,
    print: async (result, tool) => {
      const exitCode = await print(result, tool);
      if (exitCode !== exitCodes.done) {
        errors.write(`warning[output-file]: \`${printable(path)}\` was not changed: the call failed\n`);
        return exitCode;
      }
      try {
        await host.files.write(resolve(terminal.workingFolder(), path), joined(pieces));
        return exitCode;
      } catch (error) {
        errors.write((await import("./write-or-tell.ts")).unwrittenText("output-file", path, error));
        return exitCodes.failed;
      }
    },
  };
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
