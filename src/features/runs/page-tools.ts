// The tools of the page of runs: a list, the form of each, and its start. What the terminal would ask about a call is
// asked on the page, once for each call.
import { broken } from "../../cli/view/asked-call.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { surveyTools } from "../../core/session/listed-tool.ts";
import { callFacts } from "../../core/run/call-facts.ts";
import { withSuggestion } from "../../core/run/suggest.ts";
import { approvalKey } from "./approvals.ts";
import { type PageAnswer, toolForm } from "./tool-form.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Approval, Verdict } from "../../core/tool/policy.ts";
import type { Approver } from "../../core/tool/policy-rule.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import { grouped } from "../list/commands/list-tools.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { canAsk } from "../../cli/session/trust-prompt.ts";
import { failureLines } from "../../cli/view/print-result.ts";
import type { RunsPlace } from "./run-facts.ts";
import { startRun } from "./start-run.ts";

/** As a page shows it: each row is a name and a text without invisible characters. */
interface AskedQuestion {
  readonly id: string;
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** Whether a yes can hold for later calls. */
  readonly mayLast: boolean;
}

const QUESTIONS_MAX = 100;

export class PageTools {
  readonly #place: Pick<RunsPlace, "host" | "context">;
  /** The keys of what was asked, by the ids of the questions: an answer counts only for what was shown. */
  readonly #asked = new Map<string, string>();

  constructor(place: Pick<RunsPlace, "host" | "context">) {
    this.#place = place;
  }

  async list(): Promise<PageAnswer> {
    const opened = await openSession(this.#place.context, { isQuiet: true });
    if (typeof opened === "number") return noFolder();
    const { listed } = await surveyTools(opened);
    const tools = grouped(listed).map(({ name, title, summary, origin, isTrusted, unavailable }) => ({
      name,
      title,
      summary,
      origin,
      ...(isTrusted === false ? { isTrusted } : {}),
      unavailable,
    }));
    return { status: 200, body: { tools, folder: opened.cwd } };
  }

  async form(name: string): Promise<PageAnswer> {
    const opened = await openSession(this.#place.context, { isQuiet: true });
    if (typeof opened === "number") return noFolder();
    const tool = await opened.session.registry.resolve(name);
    if (!tool) {
      const missing = { kind: "unknown-tool", name, nearest: [] } as const;
      const failure = await withSuggestion(
        missing,
        { id: opened.host.randomId(), tool: name, arguments: {} },
        opened.session,
      );
      return problem(404, await failureLines(failure, { name, audience: "person" }));
    }
    const pathsOf = tool.parameters.filter(({ schema }) => schema.type === "string" && schema.format === "path");
    return toolForm(name, tool, { folder: opened.cwd, paths: pathsOf.map((parameter) => parameter.name) });
  }

  /** `sent` is the body of the request: `arguments`, and `answer` to the question that an earlier one was answered with. */
  async start(name: string, sent: Json | undefined): Promise<PageAnswer> {
    if (!isJsonObject(sent) || !isJsonObject(sent["arguments"]))
      return problem(400, "the body must have `arguments`, an object");
    const questions: AskedQuestion[] = [];
    const opened = await openSession(this.#place.context, {
      isQuiet: true,
      approver: this.#approver(answerIn(sent), (question) => questions.push(question)),
      // Set, so that `@confirm` is asked here as at the terminal.
      person: { ask: () => Promise.resolve(""), type: () => undefined },
    });
    if (typeof opened === "number") return noFolder();
    if ((await opened.unaskedBelow(name)).length > 0)
      return problem(
        409,
        `\`${name}\` uses a tool of an MCP server that has not been asked for it: call it once at the terminal`,
      );
    const call = { id: opened.host.randomId(), tool: name, arguments: sent["arguments"] };
    const started = await startRun(call, { session: opened.session, options: this.#place.context.options });
    if ("id" in started) return { status: 200, body: { id: started.id } };
    if ("trouble" in started) return problem(409, started.trouble.trim());
    return this.#refused(started.failure, questions[0], { name, opened });
  }

  async #refused(
    failure: Parameters<typeof failureLines>[0],
    question: AskedQuestion | undefined,
    { name, opened }: { readonly name: string; readonly opened: OpenedSession },
  ): Promise<PageAnswer> {
    if (failure.kind === "invalid-arguments") {
      const issues = failure.issues.map(({ path, message, help }) => ({
        path,
        message: help === undefined ? message : `${message}; ${help}`,
      }));
      return { status: 400, body: { message: "some values are not accepted", issues } };
    }
    const { terminal } = this.#place.context;
    if (failure.kind === "denied" && question && canAsk(terminal, opened.host))
      return { status: 409, body: { message: "this call needs your approval", question: { ...question } } };
    const tool = await opened.session.registry.resolve(name);
    const lines = await failureLines(failure, { tool, name, audience: "person" });
    return problem(
      409,
      question ? `${lines}\n  = start \`dottool runs --ui\` at a terminal to be asked on this page` : lines,
    );
  }

  #approver(answer: GivenAnswer | undefined, onQuestion: (question: AskedQuestion) => void): Approver {
    const { host, context } = this.#place;
    return {
      ask: (call, verdict) => {
        const key = approvalKey(call, verdict, host);
        const known = answer && this.#asked.get(answer.id);
        if (answer) this.#asked.delete(answer.id);
        if (answer && known === key && canAsk(context.terminal, host)) return Promise.resolve(answer.approval);
        onQuestion(this.#question(call, verdict, key));
        return Promise.resolve("denied");
      },
    };
  }

  #question(call: PreparedCall, verdict: Verdict, key: string): AskedQuestion {
    const { host, context } = this.#place;
    const id = host.randomId();
    this.#asked.set(id, key);
    for (const old of [...this.#asked.keys()].slice(0, -QUESTIONS_MAX)) this.#asked.delete(old);
    const { question } = verdict;
    const facts = callFacts(call, verdict, question?.cwd ?? context.terminal.workingFolder());
    return {
      id,
      facts: facts.map(([name, text]) => [name, visible(text)] as const),
      mayLast: question !== undefined && question.scope !== "call",
    };
  }
}

interface GivenAnswer {
  readonly id: string;
  readonly approval: Approval;
}

function answerIn({ answer }: JsonObject): GivenAnswer | undefined {
  if (!isJsonObject(answer ?? null)) return undefined;
  const { id, approval } = answer as JsonObject;
  const known = approval === "once" || approval === "always" ? approval : undefined;
  return typeof id === "string" && known ? { id, approval: known } : undefined;
}

function visible(text: string): string {
  return text
    .toWellFormed()
    .split("\n")
    .flatMap((line) => broken(line, Number.POSITIVE_INFINITY))
    .join("\n");
}

function problem(status: number, message: string): PageAnswer {
  return { status, body: { message } };
}

function noFolder(): PageAnswer {
  return problem(409, "the folder where `dottool runs --ui` was started cannot be read");
}
