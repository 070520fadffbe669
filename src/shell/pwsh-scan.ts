// Reads a script for PowerShell: its statements, and in them commands, expressions, strings and blocks. It covers the
// parts of the language that decide where a command begins, what its words are and what variables hold. Sources:
// about_Parsing and about_Language_Keywords.
import { readExpression } from "./pwsh-expressions.ts";
import { readStatement, readStatements } from "./pwsh-statements.ts";
import { PwshState } from "./pwsh-state.ts";
import type { WindowsScript } from "./windows-place.ts";

export function scanPwsh(text: string): WindowsScript {
  const state = new PwshState(text, { readStatements, readStatement, readExpression });
  readStatements(state, "");
  return state.script("pwsh");
}
