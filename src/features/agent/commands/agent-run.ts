// One run of `dottool agent`: opens the model and the conversation, runs the loop, and reports how it ended.
import type { AgentLimits } from "../limits.ts";
import { join, resolve } from "node:path";
import type { ApiModel } from "../../models/api-model.ts";
import {
  beginConversation,
  beginningOf,
  type Conversation,
  type ConversationOptions,
  lastConversationIn,
  missing,
  type Opened,
  resumeConversation,
  savedForm,
} from "../conversation.ts";
import { Spending } from "../limits.ts";
import type { BeginEntry } from "../entry.ts";
import { type AgentEnd, runLoop } from "../loop.ts";
import { type Offered, offeredTools } from "../offered.ts";
import { openModel } from "../open-model.ts";
import { systemPrompt } from "../prompt.ts";
import { shownText } from "../../web/web-text.ts";
import { exitCodes, failureExitCode } from "../../../core/run/exit-code.ts";
import { failureText } from "../../../core/run/failure-text.ts";
import { createMasks } from "../../../core/run/mask.ts";
import type { Session } from "../../../core/run/session.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { Failure } from "../../../core/tool/failure.ts";
import type { Terminal } from "../../../core/tool/terminal.ts";
import { type Instructions, projectPart, readInstructions } from "../agent-instructions.ts";
import { openAgentView, type OpenedView } from "../agent-view.ts";
import { type CommandContext, reportUsage } from "../../../cli/command.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { type OfferChoice, offeredNames } from "../../../core/session/offered-names.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { estimateTokens } from "../../list/token-estimate.ts";

/** A fifth of what common models hold. */
const TOOL_TOKENS_MAX = 40_000;
/** OpenAI accepts no more tools, whatever their size. */
const TOOLS_MAX = 128;

/** Returns the exit code. */
export async function runAgent(input: AgentInput, opened: OpenedSession, context: CommandContext): Promise<number> {
  try {
    return await begin(input, opened, context);
  } catch (error) {
    // The state folder is full, or cannot be written to.
    const code = codeOf(error);
    if (code === undefined || !/^E(?!RR_)[A-Z]+$/.test(code)) throw error;
    if (code === "ESTALE")
      return report(
        {
          kind: "rejected",
          reason: "another process took over this conversation, because this one was paused for too long",
          help: ["continue there, or start a new conversation"],
        },
        context.terminal,
      );
    return report(
      {
        kind: "file",
        path: join(opened.host.folders.state, "agents"),
        action: "write",
        code,
        help: ["conversations are stored there; free some space, or set XDG_STATE_HOME to another folder"],
      },
      context.terminal,
    );
  }
}

async function begin(input: AgentInput, opened: OpenedSession, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { host } = opened;
  const id = input.resume ? (input.resume.id ?? lastConversationIn(opened.cwd, host)) : undefined;
  if (input.resume && id === undefined)
    return report(
      missing("this folder has no conversation to continue", "start one: dottool agent TASK").failure,
      terminal,
    );
  const earlier = id === undefined ? undefined : beginningOf(id, host);
  const names = await namesToOffer(input.choice, earlier, opened);
  if (typeof names === "string") return reportUsage(terminal, names, "agent");
  const systemPath = input.systemFile === undefined ? undefined : resolve(terminal.workingFolder(), input.systemFile);
  const instructions: Instructions = systemPath === undefined ? {} : readInstructions(systemPath, host);
  if ("failure" in instructions) return report(instructions.failure, terminal);
  const { signal } = terminal;
  const found = await openModel(input.model ?? earlier?.model, host, signal);
  if ("failure" in found) return report(found.failure, terminal);
  const { model, secrets } = found;
  if (input.limits.costUsdMax !== undefined && !model.provider.price) {
    return report(
      {
        kind: "rejected",
        reason: `the price of \`${model.name}\` is not known, so \`--max-cost\` cannot be enforced`,
        help: [
          `add \`price: { input: 3, output: 15 }\` to it in \`${model.configPath}\`, in dollars per million tokens`,
        ],
      },
      terminal,
    );
  }
  const masks = createMasks([], { used: [], hidden: secrets, environment: () => undefined });
  const { offered, session } = await offer(names, opened, terminal);
  const options: ConversationOptions = {
    host,
    savedForm: (entry) => savedForm(entry, { session, offered, mask: masks.text }),
  };
  const system =
    earlier && input.systemFile === undefined
      ? earlier.system
      : systemPrompt({
          platform: host.platform,
          cwd: opened.cwd,
          now: host.timestamp(),
          ...(await projectPart(opened, terminal, systemPath)),
          ...instructions,
        });
  const begun =
    id === undefined
      ? await beginConversation(
          {
            cwd: opened.cwd,
            model: `${model.name}/${model.model}`,
            only: names.only,
            ...(names.isBundled ? { isBundled: true } : {}),
            system,
          },
          options,
        )
      : await goOn(id, opened.cwd, options);
  if ("failure" in begun) return report(begun.failure, terminal);
  const { conversation } = begun;
  try {
    if (input.task === undefined && conversation.entries.at(-1)?.kind === "end")
      return reportUsage(
        terminal,
        `the conversation \`${conversation.id}\` has ended; continue it with a new task: dottool agent --resume ${conversation.id} TASK`,
        "agent",
      );
    if (input.task !== undefined) await conversation.add({ kind: "user", text: input.task });
    const spending = new Spending(input.limits, model.provider.price);
    const view = openAgentView(terminal, masks);
    const end = await runLoop({
      model,
      conversation,
      offered,
      session,
      limits: input.limits,
      spending,
      system,
      signal,
      mask: masks.text,
      view,
    });
    await view.end();
    return tell(masked(end, masks), { input, terminal, conversation, spending, model, view });
  } finally {
    conversation.close();
  }
}

interface NamesToOffer {
  readonly names: readonly string[];
  /** The names that were chosen; empty if nothing was chosen. */
  readonly only: readonly string[];
  readonly isBundled: boolean;
}

/** Returns what is wrong with the choice as a text. A conversation goes on with the tools that were chosen for it. */
async function namesToOffer(
  { only, except, isBundled }: OfferChoice,
  earlier: Pick<BeginEntry, "only" | "isBundled"> | undefined,
  opened: OpenedSession,
): Promise<NamesToOffer | string> {
  const isChosen = only.length > 0 || except.length > 0;
  if (!isChosen && earlier && earlier.only.length > 0)
    return { names: earlier.only, only: earlier.only, isBundled: false };
  const choice = { only, except, isBundled: isBundled || (!isChosen && earlier?.isBundled === true) };
  const { names, unable, problem } = await offeredNames(opened, choice);
  return (
    problem ??
    (names.length === 0 ? unable[0] : undefined) ?? { names, only: isChosen ? names : [], isBundled: choice.isBundled }
  );
}

/** Offers the tools; if they are too many and none was chosen, the base tools and a search for the others. */
async function offer(
  { names, only }: NamesToOffer,
  opened: OpenedSession,
  { errors }: Terminal,
): Promise<{ readonly offered: Offered; readonly session: Session }> {
  const { session } = opened;
  const offered = await offeredTools(names, session);
  const { tools, untrusted } = offered;
  const subject =
    untrusted.length === 1 ? `the tool \`${untrusted[0]}\` is` : `${untrusted.length} tools of the project are`;
  if (untrusted.length > 0)
    errors.write(
      `warning[untrusted]: ${subject} not offered to the model until you trust the folder\n  = dottool trust\n`,
    );
  const tokens = tools.reduce((sum, tool) => sum + estimateTokens(tool), 0);
  if (tokens <= TOOL_TOKENS_MAX && tools.length <= TOOLS_MAX) return { offered, session };
  const { createSearchTool, SEARCH_TOOL, withSearch } = await import("../search-tool.ts");
  const search = createSearchTool(offered, async (query) => {
    const [{ surveyTools }, { searchTools }] = await Promise.all([
      import("../../../core/session/listed-tool.ts"),
      import("../../../core/session/search-tools.ts"),
    ]);
    return searchTools((await surveyTools(opened)).listed, query);
  });
  const extended = only.length > 0 ? undefined : session.registry.extended([search]);
  const isSearched = extended?.value !== undefined && extended.value.find(SEARCH_TOOL) === search;
  errors.write(
    `warning[tools]: ${tools.length} tools take about ${tokens.toLocaleString("en")} tokens of each request, more than the model can choose from well${isSearched ? `, so it finds them with \`${SEARCH_TOOL}\`` : ""}\n  = offer fewer with \`--only\`; \`dottool list --tokens\` shows the size of each\n`,
  );
  return isSearched
    ? { offered: withSearch(offered, search), session: { ...session, registry: extended.value } }
    : { offered, session };
}

async function goOn(id: string, cwd: string, options: ConversationOptions): Promise<Opened> {
  const opened = await resumeConversation(id, options);
  if ("failure" in opened) return opened;
  const { conversation } = opened;
  // A reply without an answer must not come last: some APIs would let the model continue it.
  if (conversation.entries.at(-1)?.kind === "reply") await conversation.add({ kind: "user", text: "Go on." });
  const [first] = conversation.entries;
  if (first?.kind === "begin" && first.cwd !== cwd)
    await conversation.add({ kind: "user", text: `The tools run in the folder ${cwd} from now on.` });
  return opened;
}

function masked(end: AgentEnd, masks: ReturnType<typeof createMasks>): AgentEnd {
  return end.how === "failed"
    ? { how: "failed", failure: masks.failure(end.failure) }
    : { ...end, text: masks.text(end.text) };
}

interface TellOptions {
  readonly input: AgentInput;
  readonly terminal: Terminal;
  readonly conversation: Conversation;
  readonly spending: Spending;
  readonly model: ApiModel;
  readonly view: OpenedView;
}

async function tell(end: AgentEnd, options: TellOptions): Promise<number> {
  const { input, terminal, conversation, view } = options;
  const isShown =
    input.isJson ||
    (terminal.output.isTerminal && terminal.errors.isTerminal && end.how !== "failed" && view.hasShown(end.text));
  if (input.isJson) await tellJson(end, options);
  const resume = `dottool agent --resume ${conversation.id}`;
  switch (end.how) {
    case "completed":
    case "message":
      if (!isShown) terminal.output.write(answerText(end.text));
      return exitCodes.done;
    case "question":
      if (!isShown) terminal.output.write(answerText(end.text));
      terminal.errors.write(`the model asked a question and waits for the answer\n  = ${resume} 'ANSWER'\n`);
      return exitCodes.question;
    case "failed":
      if (terminal.ending !== undefined) terminal.errors.write(`the conversation is saved\n  = ${resume}\n`);
      else
        terminal.errors.write(
          `${printableLines(failureText(end.failure, { audience: "person", tool: "agent" }))}\n  = to continue: ${resume}\n`,
        );
      return failureExitCode(end.failure);
  }
}

async function tellJson(end: AgentEnd, { terminal, conversation, spending, model, view }: TellOptions): Promise<void> {
  const { jsonText } = await import("../../../cli/view/json-text.ts");
  const { turns, tokens, isUncounted, costUsd } = spending;
  const outcome =
    end.how === "failed"
      ? { failure: { kind: end.failure.kind, message: failureText(end.failure, { audience: "model", tool: "agent" }) } }
      : { answer: end.text };
  const document = {
    conversation: conversation.id,
    how: end.how,
    ...outcome,
    model: `${model.name}/${model.model}`,
    turns,
    ...(isUncounted ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    calls: view.calls,
  };
  terminal.output.write(`${jsonText(document)}\n`);
}

function report(failure: Failure, terminal: Terminal): number {
  terminal.errors.write(`${printableLines(failureText(failure, { audience: "person", tool: "agent" }))}\n`);
  return failureExitCode(failure);
}

/** Returns the answer without characters that would move a terminal's cursor. */
function answerText(answer: string): string {
  const text = shownText(answer);
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

export interface AgentInput {
  readonly task?: string;
  readonly model?: string;
  readonly limits: AgentLimits;
  readonly choice: OfferChoice;
  readonly systemFile?: string;
  readonly resume?: { readonly id?: string };
  readonly isJson: boolean;
}
