// The loop as a person at a terminal sees it, on standard error: what the model says, its calls and how they ended.
// Without a terminal it reports only denied calls, because the answer may be worse for lack of them.
import type { AgentView } from "./loop.ts";
import { shownText } from "../web/web-text.ts";
import { callLine } from "../../core/run/call-line.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { createMasks } from "../../core/run/mask.ts";
import { isJsonObject } from "../../core/schema/json.ts";
import { maskedArguments } from "../../core/schema/secrets.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { printableLines } from "../../cli/view/layout.ts";
import { loopBreakerOf } from "../../core/tool/tool.ts";

/** Calls may contain whole files. */
const CALL_CHARACTERS_MAX = 300;

export interface OpenedView extends AgentView {
  /** The calls, for `--json`. */
  readonly calls: readonly unknown[];
  end(): Promise<void>;
  /** Whether this text is the last that the terminal shows, so that printing it again there would only repeat it. */
  hasShown(text: string): boolean;
}

export function openAgentView({ errors }: Terminal, masks: ReturnType<typeof createMasks>): OpenedView {
  const calls: unknown[] = [];
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let isInLine = false;
  /** What the model has said since its last call. */
  let words = "";
  const write = (text: string): void => {
    if (text === "") return;
    errors.write(text);
    isInLine = !text.endsWith("\n");
  };
  const said = masks.events((event) => {
    if (event.kind !== "output") return;
    const text = shownText(decoder.decode(event.bytes, { stream: true }));
    words += text;
    write(text);
  });
  const endLine = async (): Promise<void> => {
    await said.flush();
    if (isInLine) write("\n");
  };
  const line = async (text: string): Promise<void> => {
    if (!errors.isTerminal) return;
    await endLine();
    words = "";
    write(`${printableLines(masks.text(text))}\n`);
  };
  return {
    calls,
    onText: (text) =>
      errors.isTerminal ? said.emit({ kind: "output", stream: "stderr", bytes: encoder.encode(text) }) : undefined,
    onNote: line,
    onCall: async ({ tool: name, arguments: args }, tool) => {
      // A call that ends the loop is its result, which is printed anyway.
      if (!isJsonObject(args) || loopBreakerOf(tool)) return;
      const shown = callLine(name, maskedArguments(args, tool.parameters), { parameters: tool.parameters });
      await line(
        `→ ${shown.length > CALL_CHARACTERS_MAX ? `${shown.slice(0, CALL_CHARACTERS_MAX).toWellFormed()}…` : shown}`,
      );
    },
    onResult: async ({ entry, result, failure }) => {
      calls.push({
        tool: result?.call.tool ?? entry.name,
        ...(result ? { arguments: result.call.arguments } : {}),
        status: failure ? "failed" : "ok",
        ...(failure
          ? {
              failure: {
                kind: failure.kind,
                message: masks.text(failureText(failure, { audience: "model", tool: entry.name })),
              },
            }
          : {}),
      });
      if (!failure) return;
      if (failure.kind === "denied" && !errors.isTerminal)
        return void errors.write(
          `${printableLines(failureText(failure, { audience: "person", tool: failure.tool }))}\n`,
        );
      const [headline = ""] = failureText(failure, { audience: "model", tool: entry.name }).split("\n", 1);
      await line(`  ${headline}`);
    },
    end: endLine,
    hasShown: (text) => text.trim() !== "" && inOneLine(words).endsWith(inOneLine(shownText(text))),
  };
}

/** Removes all spaces, because two replies follow each other without one. */
function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
