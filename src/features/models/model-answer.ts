// A model's answer: the text as it comes, and what its end means for the caller.
import { failed } from "../../core/tool/base-tool.ts";
import type { Content, Outcome } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { shownText } from "../web/web-text.ts";
import type { Stop } from "./read-reply.ts";

export interface ModelQuestion {
  /** The name of the provider, for messages. */
  readonly provider: string;
  /** `config.yaml`, for messages. */
  readonly configPath: string;
  readonly prompt: string;
  readonly system?: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
}

const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

export class AnswerText {
  readonly #emit: ToolContext["emit"];
  readonly #encoder = new TextEncoder();
  readonly #pieces: string[] = [];
  #half = "";

  constructor({ emit }: Pick<ToolContext, "emit">) {
    this.#emit = emit;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#half === "";
  }

  /** Passes on text at once, without characters that move a terminal's cursor. */
  async add(text: string): Promise<void> {
    const whole = this.#half + text;
    // JSON writes some characters as two halves, and an API may send them one by one.
    this.#half = HIGH_SURROGATE_AT_END.exec(whole)?.[0] ?? "";
    await this.#hand(whole.slice(0, whole.length - this.#half.length));
  }

  /** Ends the line of the streamed text. Returns the answer without its final line ends. */
  async end(): Promise<string> {
    await this.#hand(this.#half);
    const text = this.#pieces.join("");
    if (text !== "" && !text.endsWith("\n"))
      await this.#emit({ kind: "output", stream: "stdout", bytes: this.#encoder.encode("\n") });
    return text.replace(/(?<![\r\n])[\r\n]+$/, "");
  }

  async #hand(text: string): Promise<void> {
    const shown = shownText(text.toWellFormed());
    if (shown === "") return;
    this.#pieces.push(shown);
    await this.#emit({ kind: "output", stream: "stdout", bytes: this.#encoder.encode(shown) });
  }
}

interface AnswerEnd {
  readonly stop: Stop;
  /** The limit that was sent, if any. */
  readonly maxTokens?: number;
}

export async function answered(answer: AnswerText, end: AnswerEnd, question: ModelQuestion): Promise<Outcome> {
  const text = await answer.end();
  const failure = failureOf(text, end, question);
  const content = textContent(text);
  return failure === undefined
    ? { status: "ok", content, isUntrusted: true }
    : { status: "failed", content, failure, isUntrusted: true };
}

/** Returns a failure with the text that came before it. */
export async function broken(answer: AnswerText, failure: Failure): Promise<Outcome> {
  const text = await answer.end();
  return text === "" ? failed(failure) : { status: "failed", content: textContent(text), failure, isUntrusted: true };
}

function textContent(text: string): readonly Content[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function failureOf(
  text: string,
  { stop, maxTokens }: AnswerEnd,
  { provider, configPath }: ModelQuestion,
): Failure | undefined {
  const rejected = (reason: string, ...help: readonly string[]): Failure => ({ kind: "rejected", reason, help });
  switch (stop) {
    case "done":
      return text.trim() === ""
        ? rejected(`\`${provider}\` gave an empty answer`, "say in the prompt what to return, or ask another model")
        : undefined;
    case "cut":
      if (maxTokens === undefined)
        return rejected(
          `\`${provider}\` cut off the answer at its own limit`,
          `pass \`max_tokens\`, or write \`max_tokens:\` for \`${provider}\` in \`${configPath}\``,
        );
      return {
        kind: "limit",
        limit: maxTokens,
        unit: "tokens of answer",
        help: [`pass a larger \`max_tokens\`, or write one for \`${provider}\` in \`${configPath}\``],
      };
    case "refused":
      return rejected(`\`${provider}\` refused to answer`, "rephrase the prompt, or ask another model");
    case "full":
      return rejected(
        `the prompt and the answer are too long for the model of \`${provider}\``,
        "send a shorter prompt, or ask a model with a larger context",
      );
    case "unfinished":
      return rejected(
        `\`${provider}\` stopped before an answer: its model asked for a tool or for a pause, and neither is available`,
        "ask for a text answer in the prompt",
      );
  }
}
