// Judges a call of another agent's tool with the gate: rules, files that are asked about each time, stored approvals,
// rates and the log are those of dottool's own calls. Only where no rule matches, the default policy for hooks decides.
import { resolve } from "node:path";
import { quoteWord } from "../../core/base/quote.ts";
import { runCommand } from "../../core/base/run-command.ts";
import { type CallView, withDefaults } from "../../core/policy/call-views.ts";
import { writesOutside } from "../../core/policy/outside.ts";
import { commandDangers, pathDangers, searchDangers } from "./command-dangers.ts";
import type { Match } from "../../core/policy/policy.ts";
import type { LoadedPolicy } from "../../core/policy/policy-config.ts";
import { ranCommands } from "./ran-commands.ts";
import { logJudged } from "../../core/run/log-call.ts";
import type { Moment } from "../../core/run/ask-for-call.ts";
import type { GuardedPlaces } from "../../core/policy/guarded-places.ts";
import type { Containment } from "./contained.ts";
import { matchesOf, permit, placeOptions, type Ruling } from "../../core/run/permit.ts";
import type { Session } from "../../core/run/session.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { baseTool, failed } from "../../core/tool/base-tool.ts";
import type { PolicyRule } from "../../core/tool/policy-rule.ts";
import type { Decision } from "../../core/tool/policy.ts";
import type { BaseTool, PreparedCall } from "../../core/tool/tool.ts";
import type { ClientName, HookCall, HookDecision } from "./formats.ts";
import type { SandboxPlace } from "./in-sandbox.ts";
import { type MeantCall, meantCalls, withLine } from "./tool-calls.ts";

const strictness = ["none", "allow", "ask", "deny"] as const;

interface JudgeOptions {
  readonly session: Session;
  readonly client: ClientName;
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Set if what is not known to only read runs in the sandbox. */
  readonly isContained?: boolean;
  /** Gets what is ruled, in place of the log: then nothing is counted. */
  readonly told?: (ruling: Ruling) => void;
}

/** Reading takes longer with the square of the length, and clients wait for a minute. */
const COMMAND_CHARACTERS_MAX = 16_384;

export async function judgeHook(call: HookCall, options: JudgeOptions): Promise<HookDecision> {
  const { tool, arguments: args } = call;
  const calls = meantCalls(tool, args);
  if (!calls) return { decision: "ask", reason: `the arguments of \`${tool}\` cannot be read, so it cannot be judged` };
  const isOverlong = ({ arguments: { command, argv } }: MeantCall): boolean =>
    JSON.stringify([command, argv]).length > COMMAND_CHARACTERS_MAX;
  if (calls.some(isOverlong))
    return {
      decision: "ask",
      reason: `the command is longer than can be judged: ${COMMAND_CHARACTERS_MAX} characters`,
    };
  const judged: HookDecision[] = [];
  for (const meant of calls) judged.push(await judgeCall(meant, call, options));
  const strictest = Math.max(0, ...judged.map(({ decision }) => strictness.indexOf(decision)));
  const meant = judged.filter(({ decision }) => decision === strictness[strictest]);
  // Allowed is only what a rule allows as a whole.
  if (strictest <= 1 && meant.length < judged.length) return { decision: "none", reason: "" };
  const help = meant.flatMap((one) => one.help ?? [])[0];
  const [{ sandboxed } = {}] = meant;
  return {
    decision: strictness[strictest] ?? "ask",
    reason: [...new Set(meant.map(({ reason }) => reason))].join("; "),
    ...(help === undefined ? {} : { help }),
    ...(sandboxed ? { sandboxed } : {}),
  };
}

async function judgeCall(given: MeantCall, call: HookCall, options: JudgeOptions): Promise<HookDecision> {
  const { session, client } = options;
  const startedMs = session.host.nowMs();
  const inner = await innerLine(given, options);
  const meant = inner === undefined ? given : { ...given, arguments: { ...given.arguments, command: inner } };
  const tool = meant.isKnown ? await ownTool(meant.tool) : foreignTool(meant.tool, meant.arguments);
  const prepared: PreparedCall = {
    call: { id: session.host.randomId(), tool: meant.tool, arguments: meant.arguments },
    tool,
    arguments: withDefaults(tool, meant.arguments),
  };
  const config = await session.guard?.current();
  const matches = matchesOf(prepared, { config, session, frontEnd: "hook" });
  const plain = config?.policy ? plainMatches(prepared, matches, { config, session }) : [];
  // A rule of the user stands instead of the default policy, whatever it decides.
  const isConfigured = matches.length + plain.length > 0;
  const isContained = options.isContained === true && !isConfigured && meant.tool === "run_command";
  const dangers = isConfigured
    ? []
    : reasonsToAsk(tool.definition.name.value, meant.arguments, { session, isContained });
  // Without any rule, the gate asks, and approvals count.
  const policy = isConfigured ? plain.map(asRule) : dangers.length === 0 ? [noObjection] : [];
  const containment = isContained ? await containmentIn(meant, options) : undefined;
  const ruling = await permit(
    prepared,
    { ...session, policy },
    {
      ...(options.told ? { isQuestion: true } : {}),
      ...(containment?.moment ? { moment: containment.moment } : {}),
    },
  );
  const ruled = decisionOf(ruling, { isConfigured, dangers });
  const isSandboxed = inner === undefined && matches.some((match) => match.isSandboxed);
  const made = { meant, call, options, isAsked: "answer" in ruling };
  const decision = isSandboxed
    ? await inSandbox(ruled, made)
    : containment && ruled.decision === "none"
      ? await contained(made, containment, inner !== undefined)
      : ruled;
  const durationMs = session.host.nowMs() - startedMs;
  if (options.told) options.told(ruling);
  else logJudged({ prepared, ruling, client, status: decision.decision, reason: decision.reason, durationMs }, session);
  return decision;
}

function placeOf({ arguments: { working_dir: folder } }: MeantCall, { session, program }: JudgeOptions): SandboxPlace {
  return { host: session.host, cwd: session.cwd, program, folder: typeof folder === "string" ? folder : undefined };
}

/** Returns the line of a call that is in the sandbox already. */
async function innerLine(meant: MeantCall, options: JudgeOptions): Promise<string | undefined> {
  const { command } = meant.arguments;
  if (meant.tool !== "run_command" || typeof command !== "string" || !IN_SANDBOX.test(command)) return undefined;
  return (await import("./in-sandbox.ts")).lineInSandbox(command, placeOf(meant, options));
}

const IN_SANDBOX = / sandbox --(?:write \. --|work) /;

interface Ruled {
  readonly meant: MeantCall;
  readonly call: HookCall;
  readonly options: JudgeOptions;
  /** Whether a person has allowed it, as it is. */
  readonly isAsked: boolean;
}

/** What a rule allows in the sandbox runs there, or a person is asked. */
async function inSandbox(made: HookDecision, { meant, call, options, isAsked }: Ruled): Promise<HookDecision> {
  if (made.decision === "ask") return { ...made, reason: `${made.reason}; it would run outside of the sandbox` };
  if (made.decision !== "allow" || isAsked) return made;
  const { command } = meant.arguments;
  const unable = (trouble: string): HookDecision => ({
    decision: "ask",
    reason: `a rule allows it in the sandbox, which ${trouble}; it would run outside of it`,
  });
  if (typeof command !== "string") return unable("takes a line for a shell alone");
  const { sandboxedLine } = await import("./in-sandbox.ts");
  const found = await sandboxedLine(command, placeOf(meant, options));
  if ("trouble" in found) return unable(found.trouble);
  const args = withLine(call.tool, call.arguments, found.line);
  return args
    ? { ...made, reason: `${made.reason}, in the sandbox`, sandboxed: { line: found.line, arguments: args } }
    : unable("takes only whole lines of a POSIX shell");
}

/** What is known of a line, and the judgement of one that the sandbox will hold. */
interface ContainedLine {
  readonly line: string;
  readonly found: Containment;
  readonly moment?: Moment;
}

async function containmentIn(meant: MeantCall, options: JudgeOptions): Promise<ContainedLine> {
  const { argv, command } = meant.arguments;
  const line = typeof command === "string" ? command : wordsOf(argv).map(quoteWord).join(" ");
  const { host, cwd, folder } = placeOf(meant, options);
  const { containmentOf, NoPlaces } = await import("./contained.ts");
  const found = containmentOf(line, { host, cwd: resolve(cwd, folder ?? ".") });
  if (found.kind === "reads") return { line, found };
  const { session } = options;
  const places = (): GuardedPlaces => new NoPlaces(placeOptions(session));
  return { line, found, moment: { current: () => session.guard?.current() ?? Promise.resolve(undefined), places } };
}

/** What no rule and no danger speaks of passes if it is known to only read, and runs in the sandbox otherwise. */
async function contained(
  { meant, call, options }: Omit<Ruled, "isAsked">,
  { line, found }: ContainedLine,
  isInside: boolean,
): Promise<HookDecision> {
  if (isInside) return { decision: "allow", reason: "it runs in the sandbox" };
  if (found.kind === "reads") return { decision: found.isInside ? "allow" : "none", reason: "it only reads" };
  const made = (await import("./in-sandbox.ts")).containedLine(line, placeOf(meant, options));
  const args = "line" in made ? withLine(call.tool, call.arguments, made.line) : undefined;
  if ("line" in made && args)
    return { decision: "allow", reason: "it runs in the sandbox", sandboxed: { line: made.line, arguments: args } };
  const trouble = "trouble" in made ? made.trouble : "takes only whole lines of a POSIX shell";
  return { decision: "ask", reason: `it is not known to only read, and the sandbox ${trouble}` };
}

const noObjection: PolicyRule = {
  name: "default policy for hooks",
  decision: "allow",
  reason: "",
  matches: () => true,
};

function asRule(match: Match): PolicyRule {
  return { ...match, matches: () => true };
}

interface Looking {
  readonly config: LoadedPolicy;
  readonly session: Session;
}

/** Returns the rules that refuse or ask about what a line runs once its quotes, variables and wrappers are read. */
function plainMatches(
  { call, tool, arguments: args }: PreparedCall,
  made: readonly Match[],
  looking: Looking,
): readonly Match[] {
  const { command } = args;
  if (typeof command !== "string") return [];
  const known = new Set(made.map(({ fingerprint }) => fingerprint));
  // What the line writes is known from the whole line alone: its pipes, folders and wrappers.
  const whole: CallView = { name: call.tool, tool, effects: tool.effects, arguments: args };
  return plainCommands(command, looking.session)
    .flatMap((plain) => matchesOf({ call, tool, arguments: plain }, { ...looking, frontEnd: "hook" }))
    .filter(({ decision, fingerprint, isOutside }) => {
      if (isOutside && !writesOutside([whole], looking.session)) return false;
      const isNew = decision !== "allow" && !known.has(fingerprint);
      known.add(fingerprint);
      return isNew;
    });
}

function plainCommands(command: string, { host, cwd }: Session): readonly JsonObject[] {
  return ranCommands(command, { host, cwd }).commands.flatMap(({ name, args, folders }) => {
    const argv = [...name.split(" "), ...args.map(({ text }) => text)];
    const own = folders.map((folder) => (folder === undefined || folder === cwd ? {} : { working_dir: folder }));
    return name === "" ? [] : own.map((place) => ({ argv, ...place }));
  });
}

function decisionOf(
  { verdict, failure, answer }: Ruling,
  { isConfigured, dangers }: { readonly isConfigured: boolean; readonly dangers: readonly string[] },
): HookDecision {
  const reasonsOf = (decision: Decision): string => {
    const own = verdict.matched.filter((rule) => rule.decision === decision).map(({ reason }) => reason);
    return [...new Set([...(decision === "ask" ? dangers : []), ...own])].join("; ");
  };
  if (verdict.decision === "deny") return { decision: "deny", reason: reasonsOf("deny") };
  if (failure?.kind === "denied") {
    const help = failure.verdict.question?.allowWith;
    return { decision: "ask", reason: reasonsOf("ask"), ...(help === undefined ? {} : { help: `\`${help}\`` }) };
  }
  if (failure) return { decision: "deny", reason: "it is called too often: a rule limits its rate" };
  if (answer !== undefined) return { decision: "allow", reason: "it was allowed before" };
  return isConfigured ? { decision: "allow", reason: reasonsOf("allow") } : { decision: "none", reason: "" };
}

function reasonsToAsk(
  tool: string,
  args: JsonObject,
  { session: { host, cwd }, isContained }: { readonly session: Session; readonly isContained: boolean },
): readonly string[] {
  const { working_dir: folder, command, argv, file_path: path } = args;
  const from = typeof folder === "string" ? resolve(cwd, folder) : cwd;
  switch (tool) {
    case "run_command":
      return commandDangers(typeof command === "string" ? command : wordsOf(argv).map(quoteWord).join(" "), {
        host,
        cwd,
        from,
        isContained,
      });
    case "write_file":
    case "edit_file":
      return typeof path === "string" ? pathDangers(path, { host, cwd }) : [];
    case "search_text":
      return searchDangers(typeof args["path"] === "string" ? args["path"] : ".", { host, cwd });
    default:
      return [];
  }
}

function wordsOf(argv: JsonObject[string] | undefined): readonly string[] {
  return Array.isArray(argv) ? argv.map(String) : [];
}

/** Loads the one tool whose parameters say which arguments are paths. */
async function ownTool(name: string): Promise<BaseTool> {
  switch (name) {
    case "read_file":
      return (await import("../files/read-file.ts")).readFile;
    case "write_file":
      return (await import("../files/write-file.ts")).writeFile;
    case "edit_file":
      return (await import("../files/edit-file.ts")).editFile;
    case "find_files":
      return (await import("../files/find-files.ts")).findFiles;
    case "search_text":
      return (await import("../files/search-text.ts")).searchText;
    case "list_dir":
      return (await import("../files/list-dir.ts")).listDir;
    case "web_fetch":
      return (await import("../web/web-fetch.ts")).webFetch;
    case "web_search":
      return (await import("../web/web-search.ts")).webSearch;
    default:
      return runCommand;
  }
}

/** A tool of the client's that dottool has no like of: only its name and its arguments are known. */
function foreignTool(name: string, args: JsonObject): BaseTool {
  return baseTool({
    name,
    title: name,
    description: "",
    parameters: {},
    effects: [],
    execute: () => Promise.resolve(failed({ kind: "unknown-tool", name: Object.keys(args).join(" "), nearest: [] })),
  });
}
