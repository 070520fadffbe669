// The loop: ask the model, run its calls, put the results into the conversation, until a tool ends it or a limit is
// met.
import { rowOf } from "../../core/text/row-of.ts";
import type { ApiModel } from "../models/api-model.ts";
import { textToolsPrompt } from "../dialects/text.ts";
import { failureHeadline } from "../../core/run/failure-text.ts";
import type { Session } from "../../core/run/session.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { type Asked, askModel } from "./ask-model.ts";
import type { Conversation } from "./conversation.ts";
import { callsOf, type EndEntry, type Entry, type ReplyEntry, type ResultEntry, textOfReply } from "./entry.ts";
import type { AgentLimits, Spending } from "./limits.ts";
import type { Offered } from "./offered.ts";
import {
  type AnsweredCall,
  type LoopEnd,
  notRun,
  runCalls,
  type RunCallsOptions,
  withTextCalls,
  wordsOf,
} from "./run-calls.ts";
import type { ToolForm } from "./prompt.ts";

interface AgentOptions {
  readonly model: ApiModel;
  readonly conversation: Conversation;
  readonly offered: Offered;
  readonly session: Session;
  readonly limits: AgentLimits;
  readonly spending: Spending;
  readonly system: string;
  readonly signal: AbortSignal;
  readonly mask: (text: string) => string;
  readonly view: AgentView;
}

/** Shows the loop at work. */
export interface AgentView {
  /** Shows the model's text, as it comes. */
  onText(text: string): void | Promise<void>;
  onNote(text: string): void | Promise<void>;
  onCall: RunCallsOptions["onCall"];
  onResult(answered: AnsweredCall): void | Promise<void>;
}

export type AgentEnd =
  | { readonly how: EndEntry["how"]; readonly text: string }
  | { readonly how: "failed"; readonly failure: Failure };

/** The limit of failures in a row of the same call with the same message. */
const SAME_FAILURES_MAX = 5;
/** The same result as often may be a call that waits for something: from the first number on, the model gets a note. */
const SAME_RESULTS_TOLD = 3;
const SAME_RESULTS_MAX = 10;
/** The limit of replies in a row without progress: empty, cut off, or quoting a call. */
const STALLED_MAX = 3;

const EMPTY =
  "Your reply is empty. Continue with a call; when the task is done, answer with everything the person should read.";
/** A thought in the text, from models whose server does not separate it. */
const THOUGHT = /^\s*<(think(?:ing)?)>[^]*?<\/\1>/;
const QUOTED =
  "Your reply has a `<tool>` in code, in a quotation or in a thought, so nothing has run. Write the block again, outside of them.";
const CUT =
  "Your reply was cut off at the token limit, so nothing in it has run. Write less at a time: shorter text, or several smaller calls.";

export async function runLoop(options: AgentOptions): Promise<AgentEnd> {
  const stop = new AbortController();
  const { timeMsMax } = options.limits;
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const done = new AbortController();
  if (timeMsMax !== undefined) void options.session.host.sleep(timeMsMax, done.signal).then(() => stop.abort());
  try {
    const end = await new Loop(options, signal).run();
    return stop.signal.aborted && !options.signal.aborted && end.how === "failed" && timeMsMax !== undefined
      ? { how: "failed", failure: { kind: "timeout", limitMs: timeMsMax } }
      : end;
  } finally {
    done.abort();
  }
}

class Loop {
  readonly #options: AgentOptions;
  readonly #signal: AbortSignal;
  #stalled = 0;
  #same = { key: "", count: 0 };
  /** The step by which old results are left out, because the conversation is too long for the model. */
  #shorter = 0;
  #form: ToolForm;
  #isBlind = false;

  constructor(options: AgentOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#form = options.model.provider.toolsAsText ? "text" : "native";
  }

  async run(): Promise<AgentEnd> {
    const { conversation, spending } = this.#options;
    for (;;) {
      if (this.#signal.aborted) return failed({ kind: "cancelled" });
      const over = spending.over();
      if (over) return failed(over);
      const reply = await this.#ask();
      if ("how" in reply) return reply;
      await conversation.add(reply);
      const end =
        reply.stop === "done" && callsOf(reply).length > 0 ? await this.#run(reply) : await this.#stall(reply);
      if (!end) continue;
      if (end.how !== "failed") await conversation.add({ kind: "end", how: end.how });
      return end;
    }
  }

  async #ask(): Promise<ReplyEntry | AgentEnd> {
    const { model, conversation, offered, session, system, view, spending } = this.#options;
    for (;;) {
      const form = this.#form;
      const told = offered.told(conversation.entries);
      const asked: Asked = await askModel(model, {
        entries: shortened(conversation.entries, this.#shorter),
        system: form === "text" ? `${system}\n\n${textToolsPrompt(told.tools)}` : system,
        form,
        isBlind: this.#isBlind,
        tools: told.declarations,
        host: session.host,
        signal: this.#signal,
        // In the text form, calls are a part of the text, which is shown without them once it is complete.
        onText: (text) => (form === "text" ? undefined : view.onText(text)),
        onNote: (text) => view.onNote(text),
      });
      if (form === "text" && asked.kind === "reply") await view.onText(wordsOf(asked.reply).text);
      switch (asked.kind) {
        case "reply":
          spending.add(asked.reply.tokens);
          if (asked.reply.stop !== "full")
            return withTextCalls(asked.reply, { offered, form, entries: conversation.entries });
          break;
        case "full":
          break;
        case "no-tools":
          this.#form = "text";
          await view.onNote(
            `\`${model.name}/${model.model}\` does not support tools, so the prompt describes them; \`tools: text\` for \`${model.name}\` in \`${model.configPath}\` skips this attempt`,
          );
          continue;
        case "no-images":
          this.#isBlind = true;
          await view.onNote(
            `\`${model.name}/${model.model}\` does not support images, so it is only told that there are some`,
          );
          continue;
        case "failed":
          return failed(asked.failure);
      }
      if (this.#shorter === SHORTER_MAX)
        return failed({
          kind: "rejected",
          reason: `the conversation is too long for \`${model.name}/${model.model}\`, even without the results of old calls`,
          help: ["start another one with a smaller task, or continue with a model that has a longer context"],
        });
      const over = spending.over();
      if (over) return failed(over);
      this.#shorter++;
      await view.onNote(
        "the conversation is too long for the model: the results of old calls are left out from now on",
      );
    }
  }

  async #run(reply: ReplyEntry): Promise<AgentEnd | undefined> {
    this.#stalled = 0;
    let repeated: Failure | undefined;
    const { session, offered, mask, view, conversation } = this.#options;
    const calls = callsOf(reply);
    const argumentsOf = new Map(calls.map((call) => [call.id, call.arguments]));
    const end = await runCalls(calls, {
      session,
      offered,
      mask,
      signal: this.#signal,
      onCall: (call, tool) => view.onCall(call, tool),
      onResult: async (answered) => {
        const { entry, failure } = answered;
        const count = this.#countSame(entry, argumentsOf.get(entry.id) ?? "");
        const told = !failure && count >= SAME_RESULTS_TOLD ? { ...entry, text: entry.text + sameText(count) } : entry;
        await conversation.add(told);
        await view.onResult(answered);
        repeated ??= repeatedFailure(answered, count);
      },
    });
    if (end) return endOf(end);
    return repeated ? failed(repeated) : undefined;
  }

  /** Returns how often this call has had this result in a row. */
  #countSame({ name, text, images, isFailed }: ResultEntry, args: string): number {
    const key = JSON.stringify([name, args, text, images ?? [], isFailed === true]);
    this.#same = { key, count: key === this.#same.key ? this.#same.count + 1 : 1 };
    return this.#same.count;
  }

  /** Handles a reply that calls nothing, whose words are the answer, or one that cannot be used. */
  async #stall(reply: ReplyEntry): Promise<AgentEnd | undefined> {
    const { conversation, model, view } = this.#options;
    const name = `\`${model.name}/${model.model}\``;
    const isCut = reply.stop === "cut";
    const words = this.#form === "text" ? wordsOf(reply) : { text: textOfReply(reply).replace(THOUGHT, ""), quoted: 0 };
    const text = words.text.trim();
    for (const call of callsOf(reply)) {
      const answered = notRun(call, {
        kind: "rejected",
        reason: isCut
          ? "not run: the reply was cut off at the token limit, perhaps within this call"
          : "not run: the reply was refused",
        help: isCut ? ["write less at a time"] : [],
      });
      await conversation.add(answered.entry);
      await view.onResult(answered);
    }
    if (reply.stop === "refused")
      return failed({
        kind: "rejected",
        reason: `${name} refused to continue${text === "" ? "" : `: ${text}`}`,
        help: ["reword the task, or use another model"],
      });
    // A model that quotes a call means to continue.
    if (!isCut && text !== "" && words.quoted === 0) return { how: "completed", text };
    if (++this.#stalled === STALLED_MAX)
      return failed({
        kind: "rejected",
        reason: `${name} gave ${STALLED_MAX} replies in a row that ${isCut ? "were cut off at its token limit" : "call no tool"}`,
        help: [
          isCut
            ? `set a larger \`max_tokens\` for \`${model.name}\` in \`${model.configPath}\``
            : "use another model, or reword the task",
        ],
      });
    await conversation.add({ kind: "user", text: isCut ? CUT : words.quoted > 0 ? QUOTED : EMPTY });
    return undefined;
  }
}

function sameText(count: number): string {
  return `warning[repeated]: this call has had the same result ${count} times in a row\n  = use the result, or do something else; at ${SAME_RESULTS_MAX} times the run ends\n`;
}

function repeatedFailure({ entry, failure }: AnsweredCall, count: number): Failure | undefined {
  if (count < (failure ? SAME_FAILURES_MAX : SAME_RESULTS_MAX)) return undefined;
  return {
    kind: "rejected",
    reason: failure
      ? `the same call of \`${entry.name}\` failed ${SAME_FAILURES_MAX} times in a row: ${failureHeadline(failure)}`
      : `the same call of \`${entry.name}\` had the same result ${SAME_RESULTS_MAX} times in a row`,
    help: ["say in the task what to do about it, or use another model"],
  };
}

const HOW: Readonly<Record<string, EndEntry["how"]>> = { ask_question: "question", converse: "message" };

function endOf({ tool, text }: LoopEnd): AgentEnd {
  return { how: rowOf(HOW, tool) ?? "completed", text };
}

function failed(failure: Failure): AgentEnd {
  return { how: "failed", failure };
}

/** The number of results that stay complete, by step. */
const KEPT = [Number.POSITIVE_INFINITY, 8, 1] as const;
const SHORTER_MAX = KEPT.length - 1;
const CHARACTERS_MAX = 1_000;
const CHARACTERS_KEPT = 300;

/**
 * Leaves out results of old calls of a conversation that is too long for its model. Messages and calls stay, because
 * they show what was done, and a call can be made again. `step`: 0 leaves everything.
 */
function shortened(entries: readonly Entry[], step: number): readonly Entry[] {
  const results = entries.filter(({ kind }) => kind === "result").length;
  const first = results - (KEPT[step] ?? 0);
  let count = 0;
  return entries.map((entry) => (entry.kind === "result" && count++ < first ? shortResult(entry) : entry));
}

function shortResult({ images: _, ...entry }: ResultEntry): ResultEntry {
  return { ...entry, text: shortText(entry.text) };
}

function shortText(text: string): string {
  return text.length <= CHARACTERS_MAX
    ? text
    : `${text.slice(0, CHARACTERS_KEPT).toWellFormed()}\n[${text.length - CHARACTERS_KEPT} characters left out, because the conversation is long; call again to see them]\n`;
}
