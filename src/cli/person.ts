// The person at the terminal: agrees to calls that policy asks about, and answers the questions of tools.
import { callLine } from "../run/call-line.ts";
import type { Session } from "../run/session.ts";
import { maskedArguments } from "../schema/secrets.ts";
import type { Terminal } from "../tool/terminal.ts";
import { printable } from "./layout.ts";
import { rawParameter } from "./tool-words.ts";

export function personAt(terminal: Terminal): Required<Pick<Session, "approver" | "person">> {
  return {
    approver: {
      ask: async ({ tool, arguments: args }, verdict) => {
        const reasons = verdict.matched.filter((rule) => rule.decision === verdict.decision).map((rule) => `  ${printable(rule.name)}: ${printable(rule.reason)}\n`);
        terminal.errors.write(`${printable(callLine(tool.definition.name.value, maskedArguments(args, tool.parameters), rawParameter(tool.parameters)?.name))}\n${reasons.join("")}`);
        const answer = await terminal.input.ask("run it? [y/N] ");
        return /^y(es)?$/i.test(answer?.trim() ?? "") ? "once" : "denied";
      },
    },
    person: {
      ask: async (question, suggestions) => {
        const numbered = suggestions.map((suggestion, index) => `  ${index + 1}. ${printable(suggestion)}\n`);
        terminal.errors.write(`${printable(question)}\n${numbered.join("")}`);
        const answer = (await terminal.input.ask("> ")) ?? "";
        const number = /^\d+$/.test(answer.trim()) ? Number(answer) : 0;
        return suggestions[number - 1] ?? answer;
      },
      type: (signal, onText) => terminal.input.listen(signal, onText),
    },
  };
}
