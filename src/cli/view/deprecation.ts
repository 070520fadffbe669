// The warning for a person who calls a deprecated tool. Models read it in the tool's declaration.
import type { TerminalPort } from "../../tool/terminal.ts";
import { printable } from "./layout.ts";

export function warnOfDeprecation(name: string, reason: string, port: TerminalPort): void {
  port.write(`warning[deprecated]: \`${name}\` is deprecated: ${printable(reason.replaceAll(/\s+/g, " "))}\n`);
}
