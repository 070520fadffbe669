// The person at the terminal, who approves calls that policy asks about, and answers the questions of tools.
import { rowOf } from "../../core/text/row-of.ts";
import { callLine } from "../../core/run/call-line.ts";
import type { Session } from "../../core/run/session.ts";
import { isJsonObject } from "../../core/schema/json.ts";
import { maskedArguments } from "../../core/schema/secrets.ts";
import { displayed } from "../../core/text/display.ts";
import { unaskableText } from "../../core/tool/policy-rule.ts";
import { type Approval, CONFIRM_RULE, type Refusal, type Verdict } from "../../core/tool/policy.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import { printableLines } from "../view/layout.ts";

export function personAt(terminal: Terminal): Required<Pick<Session, "approver" | "person">> {
  return {
    approver: {
      asksOneAtATime: true,
      showsEdits: true,
      unaskable: ({ arguments: args }) => unaskableText(JSON.stringify(args).length, SHOWN_CHARACTERS_MAX),
      ask: async (call, verdict) => {
        const { callFacts } = await import("../../core/run/call-facts.ts");
        const { factLines } = await import("../view/asked-call.ts");
        const { showByPages } = await import("../view/asked-call.ts");
        const { question } = verdict;
        const sure = shortQuestion(call, verdict, terminal.errors.columns);
        if (sure !== undefined)
          return /^y(?:es)?$/i.test((await terminal.input.ask(`${sure} [y/N] `))?.trim() ?? "") ? "once" : "denied";
        const facts = callFacts(call, verdict, question?.cwd ?? terminal.workingFolder());
        if (!(await showByPages(factLines(facts, terminal.errors.columns), terminal))) return "denied";
        // A model can act on a reason; a person who typed the call knows it.
        const takesReason = question !== undefined && question.frontEnd !== "person";
        const no = takesReason ? "[N]o, or what to do instead " : "[N]o ";
        const until = question?.scope === "arguments" ? " with these arguments" : ", until the tool changes";
        const answer = await terminal.input.ask(
          question?.scope === "call"
            ? `run it this once? [y]es / ${no}`
            : `run it? [y]es, once / for this [s]ession / [a]lways${until} / ${no}`,
        );
        const approval = approvalOf(answer);
        if (approval !== undefined) return question?.scope === "call" && approval !== "once" ? "denied" : approval;
        return takesReason ? reasonIn(answer ?? "") : "denied";
      },
    },
    person: {
      ask: async (question, suggestions) => {
        const numbered = suggestions.map((suggestion, index) => `  ${index + 1}. ${printableLines(suggestion)}\n`);
        // The bar keeps a question of several lines from looking like another one.
        terminal.errors.write(`${printableLines(question).replaceAll("\n", "\n  │ ")}\n${numbered.join("")}`);
        const answer = (await terminal.input.ask("> ")) ?? "";
        const number = /^\d+$/.test(answer.trim()) ? Number(answer) : 0;
        return suggestions[number - 1] ?? answer;
      },
      type: (signal, onText) => terminal.input.listen(signal, onText),
    },
  };
}

const ANSWER_COLUMNS = 8;

/**
 * Returns what the author's `@confirm` asks a person who typed the call, with the values of the call. Undefined if more
 * than that is to be known, or if it does not fit one line as it is.
 */
function shortQuestion({ call, tool }: PreparedCall, verdict: Verdict, columns: number): string | undefined {
  const { question, matched, decision } = verdict;
  const { name, parameters, confirm = "" } = tool.definition;
  const [rule, ...others] = matched.filter((one) => one.decision === decision);
  const isOwn = rule?.name === `${CONFIRM_RULE} \`${name.value}\`` && others.length === 0;
  if (question?.frontEnd !== "person" || question.edits?.length || !isOwn) return undefined;
  const args = isJsonObject(call.arguments) ? maskedArguments(call.arguments, parameters) : {};
  const shown = new Set<string>();
  const filled = confirm.replaceAll(/\{([A-Za-z_][\w-]*)\}/g, (all, one: string) => {
    const value = args[one];
    if (value === undefined) return all;
    shown.add(one);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
  const isWhole = Object.keys(args).every((one) => shown.has(one));
  const text = isWhole ? filled : `${filled} (${callLine(call.tool, args, { parameters })})`;
  const { columns: width, text: safe } = displayed(text);
  return safe === text && printableLines(text) === text && width + ANSWER_COLUMNS < columns ? text : undefined;
}

/** Hours of reading. */
const SHOWN_CHARACTERS_MAX = 2_000_000;

const answers: Readonly<Record<string, Approval>> = {
  y: "once",
  yes: "once",
  s: "session",
  session: "session",
  a: "always",
  always: "always",
  n: "denied",
  no: "denied",
  "": "denied",
};

/** Returns undefined if it is not one of the answers. */
function approvalOf(answer = ""): Approval | undefined {
  const word = answer.trim().toLowerCase();
  return rowOf(answers, word);
}

const REASON_CHARACTERS_MAX = 2_000;

/** Returns the words behind a no, as in "no, use goodbye instead". */
function reasonIn(answer: string): Refusal {
  const reason = answer.trim().replace(/^no?[\s,.;:!]+(?=\S)/i, "");
  return { refused: reason.slice(0, REASON_CHARACTERS_MAX).toWellFormed() };
}
