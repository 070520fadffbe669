// The one place that puts failures into words, for people and for models: a headline, facts, and what to do.
import { rowOf } from "../text/row-of.ts";
import { inOwnName } from "../text/program-name.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { printable } from "../text/display.ts";
import { forModels } from "../text/hidden-characters.ts";
import type {
  ArgumentIssue,
  CodeProblem,
  DefinitionMistake,
  Failure,
  NotStartedReason,
  SuggestedCall,
} from "../tool/failure.ts";
import { type Caller, CONFIRM_RULE } from "../tool/policy.ts";
import { rateWords } from "../tool/rate.ts";
import { visibleJson } from "../base/quote.ts";
import { callLine } from "./call-line.ts";

interface FailureTextOptions {
  /**
   * The reader, who decides how a repaired call is written: a command line for people, arguments as JSON for models.
   */
  readonly audience: "person" | "model";
  /** Set if the model writes its calls into its text, where they have other fields. */
  readonly isInText?: boolean;
  /** Set if the caller writes the arguments alone: as a line of a batch, or the body of a request for the tool. */
  readonly hasArgumentsAlone?: boolean;
  /** The name that the caller used. */
  readonly tool: string;
  /** Those of the tool. */
  readonly parameters?: readonly Parameter[];
  /**
   * Whether a command of the program has this name, so that a tool of that name is called with `call`. If absent, none
   * has.
   */
  readonly isCommand?: (name: string) => boolean;
}

/** Returns the failure as text of several lines, without a final line end. */
export function failureText(failure: Failure, options: FailureTextOptions): string {
  const { headline, facts, help } = words(failure, options);
  const whole = [
    `failed[${failure.kind}]: ${headline}`,
    ...facts.map((fact) => `  ${fact}`),
    ...help.map((line) => `  = ${line}`),
  ].join("\n");
  if (options.audience === "person") return whole;
  const text = forModels(inOwnName(whole));
  if (text.length <= MODEL_CHARACTERS_MAX) return text;
  return `${text.slice(0, MODEL_CHARACTERS_MAX).toWellFormed()}\n  and ${(text.length - MODEL_CHARACTERS_MAX).toLocaleString("en")} more characters`;
}

/** Below a model's budget for a result also in pictographs, which have the most tokens: see budget.ts. */
const MODEL_CHARACTERS_MAX = 7_500;
export const ISSUES_SHOWN_MAX = 20;
/** The limit of a call that is shown; a longer one is neither read nor pasted. */
const CALL_CHARACTERS_MAX = 4_000;
const NAME_CHARACTERS_MAX = 200;
const PLACEHOLDERS_SHOWN_MAX = 10;

interface Words {
  readonly headline: string;
  readonly facts: readonly string[];
  readonly help: readonly string[];
}

function words(failure: Failure, options: FailureTextOptions): Words {
  const just = (headline: string, help: readonly string[] = []): Words => ({ headline, facts: [], help });
  switch (failure.kind) {
    case "unknown-tool":
      return unknownTool(failure, options);
    case "definition":
      return {
        headline: `\`${failure.tool}\` cannot run until its definition is fixed`,
        ...mistakeWords(failure.mistake, options),
      };
    case "removed":
      return just(`the tool \`${failure.tool}\` no longer exists: its definition was removed`, [
        "list the tools again",
      ]);
    case "invalid-arguments":
      return invalidArguments(failure, options);
    case "denied":
      return deniedText(failure);
    case "too-often":
      return just(
        `\`${failure.tool}\` may be called ${rateWords(failure.rate)}${failure.by === "@limit" ? "" : ` (${failure.by})`}; this limit is reached`,
        [`call again in ${Math.ceil(failure.waitMs / 1000)} s`],
      );
    case "untrusted":
      return just(
        untrusted(failure),
        options.audience === "person"
          ? failure.help
          : ["a person has to review and trust it at a terminal; no call can do that"],
      );
    case "unavailable":
      return {
        headline: `\`${failure.tool}\` cannot run here`,
        facts: [...failure.reasons, ...(options.audience === "person" ? (failure.untold ?? []) : [])],
        help: failure.help ?? [],
      };
    case "exit":
      return just(
        failure.exitCode === undefined
          ? `\`${failure.program}\` was killed by ${failure.signalName ?? "a signal"}`
          : `\`${failure.program}\` ended with exit code ${failure.exitCode}`,
        failure.help,
      );
    case "not-started":
      return just(
        notStarted[failure.reason](failure.program, failure.detail),
        notStartedHelp(failure.reason, failure.program, options),
      );
    case "timeout":
      return just(`timed out after ${failure.limitMs / 1000} s`, failure.help);
    case "cancelled":
      return just("cancelled before it finished");
    case "busy":
      return just(`too many calls: ${failure.waiting} are already waiting`, ["call again when some have finished"]);
    case "too-deep":
      return just(`tools call each other more than ${failure.depthMax} levels deep: ${failure.path.join(" > ")}`);
    case "limit":
      return just(
        `stopped at the limit of ${failure.limit} ${failure.limit === 1 ? failure.unit.replace(/^([a-z]{2,})s\b/, "$1") : failure.unit}`,
        failure.help,
      );
    case "file":
      return just(fileText(failure.path, failure.action, failure.code), failure.help ?? []);
    case "network":
      return just(`\`${failure.url}\`: ${failure.reason}`, failure.help);
    case "rejected":
      return just(failure.reason, failure.help);
    case "wrong-result":
      return {
        headline: `the result of \`${failure.tool}\` does not match its declared type`,
        facts: issueLines(failure.issues),
        help: failure.help ?? ["the call is fine; the tool has a bug"],
      };
    case "code-failed":
      return just(codeProblems[failure.problem](failure.message) + placeText(failure), failure.help);
    case "step-failed": {
      const cause = words(failure.cause, { ...options, tool: failure.tool });
      // The caller of a tool of steps cannot make the step's own call.
      const isOwnCall = failure.cause.kind === "invalid-arguments" || failure.cause.kind === "unknown-tool";
      return {
        headline: `step \`${failure.step}\` (\`${failure.tool}\`): ${cause.headline}`,
        facts: cause.facts,
        help: isOwnCall ? [] : cause.help,
      };
    }
    case "crashed":
      return {
        headline: `a bug in \`${failure.tool}\`: ${failure.error.message}`,
        facts: (failure.error.stack ?? "")
          .split("\n")
          .slice(1, 6)
          .map((line) => line.trim()),
        help: ["report it with the call that led here"],
      };
  }
}

function untrusted({ tool, folder, reason, files = [] }: Failure & { kind: "untrusted" }): string {
  const [file, ...others] = files;
  const place = `\`${printable(file === undefined ? folder : `${folder}/${file}`)}\``;
  const shown = others.length === 0 ? place : `${place} (and ${others.length} more)`;
  if (typeof reason === "object") return `\`${tool}\` does not run: ${shown} ${printable(reason.fact)}`;
  return reason === "new"
    ? `\`${tool}\` does not run: ${shown} is not trusted yet`
    : `\`${tool}\` does not run: ${shown} has changed since it was trusted`;
}

function unknownTool(
  { name, nearest, suggested, withheld, known }: Failure & { kind: "unknown-tool" },
  options: FailureTextOptions,
): Words {
  const call = suggested
    ? callLines(suggested.tool, suggested, options)
    : withheld
      ? [withheldLine(withheld.tool, withheld.names)]
      : [];
  const isModel = options.audience === "model";
  const list = !isModel
    ? ["`dottool list --all` shows all tools"]
    : known
      ? [`available tools: ${known.join(", ")}`]
      : call.length > 0
        ? []
        : ["the list of tools that you were given is complete"];
  return {
    headline: `there is no tool \`${printable(shortened(name))}\`${didYouMean(nearest)}`,
    facts: [],
    help: [...call, ...list],
  };
}

/** Returns the first mistake. A person has seen all of them, with their lines. */
function mistakeWords(
  mistake: DefinitionMistake | undefined,
  { audience }: FailureTextOptions,
): Pick<Words, "facts" | "help"> {
  if (!mistake)
    return {
      facts: [],
      help: audience === "person" ? [] : ["the call is fine; `dottool check` shows a person what is wrong"],
    };
  const { place, code, message, help, more } = mistake;
  const first = printable(`${place === undefined ? "" : `${place}: `}error[${code}]: ${message}`);
  return {
    facts: [first, ...(more === 0 ? [] : [`and ${more.toLocaleString("en")} more`])],
    help: [...help.map(printable), "the call is fine; call again once the definition is fixed"],
  };
}

function deniedText({ tool, verdict, said }: Failure & { readonly kind: "denied" }): Words {
  const { question, decision } = verdict;
  const ruling = verdict.matched.filter((rule) => rule.decision === decision);
  const isConfirm = question?.frontEnd === "person" && ruling.every(({ name }) => name.startsWith(CONFIRM_RULE));
  const facts = [...ruling.map((rule) => `${rule.name}: ${rule.reason}`), ...(question?.changes ?? [])];
  if (decision === "deny") return { headline: `policy denies \`${tool}\``, facts, help: [] };
  const whose =
    question === undefined || question.frontEnd === "person" ? "" : ` for ${callerNames[question.frontEnd]}`;
  const headline = `\`${tool}\` was not approved${whose}`;
  if (said !== undefined)
    return { headline, facts: [...facts, `the person says: ${said}`], help: ["do what the person says instead"] };
  return {
    headline,
    facts,
    help: isConfirm
      ? [`nothing has run; answer at a terminal, or say yes beforehand: \`dottool --yes ${tool} …\``]
      : [
          question === undefined
            ? "run it yourself, or allow it in the policy"
            : question.allowWith === undefined
              ? "a person has to run it, or approve this one call when asked"
              : `a person can allow it at a terminal with: ${question.allowWith}`,
        ],
  };
}

const callerNames: Readonly<Record<Caller, string>> = {
  person: "a person",
  program: "the program that embeds dottool",
  mcp: "clients of `dottool mcp`",
  exec: "`dottool exec`",
  agent: "`dottool agent`",
  worker: "`dottool worker`",
  hook: "other agents",
};

function invalidArguments(failure: Failure & { kind: "invalid-arguments" }, options: FailureTextOptions): Words {
  const { example } = failure;
  return {
    headline: `\`${failure.tool}\` does not accept these arguments`,
    facts: issueLines(failure.issues),
    help: [
      ...(example
        ? callLines(
            failure.tool,
            {
              arguments: example,
              placeholders: failure.placeholders ?? [],
              ...(failure.losses ? { losses: failure.losses } : {}),
            },
            options,
          )
        : [withoutCall(failure)]),
      ...new Set(failure.issues.slice(0, ISSUES_SHOWN_MAX).flatMap(({ help }) => help ?? [])),
    ],
  };
}

function withoutCall({ tool, losses }: Failure & { kind: "invalid-arguments" }): string {
  return losses === undefined
    ? "fix the arguments named above; no call is known that would be accepted"
    : `fix the arguments named above; ${withheldLine(tool, losses.leftOut)}`;
}

/** A call that can be copied would be copied, and change something else than was meant. */
function withheldLine(tool: string, names: readonly string[]): string {
  return `no call is suggested, because \`${tool}\` would run without ${namesText(names)}`;
}

/** Returns the call on a line of its own, so that it can be copied. */
function callLines(
  tool: string,
  { arguments: args, placeholders, losses }: Omit<SuggestedCall, "tool">,
  options: FailureTextOptions,
): readonly string[] {
  const call =
    options.audience === "model"
      ? visibleJson(
          options.isInText
            ? { server_name: "local", tool_name: tool, arguments: args }
            : options.hasArgumentsAlone === true && tool === options.tool
              ? args
              : { name: tool, arguments: args },
        )
      : lineFor(tool, args, options);
  if (call.length > CALL_CHARACTERS_MAX)
    return [
      `fix the arguments named above; the rest of the call (${call.length.toLocaleString("en")} characters) can stay`,
    ];
  return [
    `call it like this: ${call}`,
    ...(placeholders.length === 0 ? [] : [placeholderLine(placeholders)]),
    ...(losses && losses.changed.length > 0 ? [changedLine(losses.changed)] : []),
    ...(losses && losses.leftOut.length > 0 ? [`left out: ${namesText(losses.leftOut)}`] : []),
    ...(losses?.each ? [eachLine(losses.each)] : []),
  ];
}

function lineFor(
  tool: string,
  args: JsonObject,
  { tool: called, parameters = [], isCommand }: FailureTextOptions,
): string {
  return callLine(tool, args, {
    ...(tool === called ? { parameters } : {}),
    isCall: isCommand?.(tool) === true,
  });
}

function placeholderLine(paths: readonly string[]): string {
  return paths.length === 1
    ? `the value of ${namesText(paths)} is a placeholder; replace it with yours`
    : `the values of ${namesText(paths)} are placeholders; replace them with yours`;
}

function changedLine(names: readonly string[]): string {
  return names.length === 1
    ? `the value of ${namesText(names)} is not the one you gave; check it`
    : `the values of ${namesText(names)} are not the ones you gave; check them`;
}

function eachLine({ name, count }: { readonly name: string; readonly count: number }): string {
  return `${namesText([name])} takes one value: make one call for each of your ${count.toLocaleString("en")}; this is the first`;
}

function namesText(paths: readonly string[]): string {
  const shown = paths.slice(0, PLACEHOLDERS_SHOWN_MAX).map((path) => `\`${printable(path.slice(0, NAME_SHOWN_MAX))}\``);
  const more = paths.length > shown.length ? ` and ${(paths.length - shown.length).toLocaleString("en")} more` : "";
  return `${shown.join(", ")}${more}`;
}

const NAME_SHOWN_MAX = 100;

function issueLines(issues: readonly ArgumentIssue[]): readonly string[] {
  const shown = issues.slice(0, ISSUES_SHOWN_MAX);
  const width = Math.max(...shown.map(({ path }) => shortened(path).length));
  const more = issues.length > shown.length ? [`and ${(issues.length - shown.length).toLocaleString("en")} more`] : [];
  return [
    ...shown.map(({ path, message }) =>
      printable(path === "" ? message : `${shortened(path).padEnd(width)}  ${message}`),
    ),
    ...more,
  ];
}

const notStarted: Readonly<Record<NotStartedReason, (program: string, detail: string) => string>> = {
  "program-missing": (program) => `there is no program \`${program}\` on PATH`,
  "file-missing": (program, detail) =>
    `there is no program \`${program}\`${detail === program ? "" : `: \`${detail}\` does not exist`}`,
  "folder-missing": (program, detail) => `cannot run \`${program}\` in \`${detail}\`, which is not a directory`,
  "not-executable": (program, detail) => `\`${program}\` cannot be executed${because(detail)}`,
  "batch-file": (program) =>
    `\`${program}\` is a batch file, whose arguments cannot be passed safely; wrap the program it calls`,
  "too-large": (program) =>
    `the arguments and environment are too large for the system to start \`${program}\`; pass long text through standard input`,
  sandbox: (program, detail) => `\`${program}\` does not run without the sandbox that is asked for${because(detail)}`,
  hidden: (program, detail) => `\`${program}\` cannot run in the sandbox${because(detail)}`,
  system: (program, detail) => `the system could not start \`${program}\`${because(detail)}`,
};

function notStartedHelp(
  reason: NotStartedReason,
  program: string,
  { audience, tool }: FailureTextOptions,
): readonly string[] {
  if (reason === "sandbox") return [SANDBOX_HELP];
  if (reason === "folder-missing") return ["create the directory, or choose another working directory"];
  if (reason !== "program-missing") return [];
  if (tool !== "run_command" || !/\s/.test(program)) return ["install it, or give its path"];
  return [
    `for a whole command line: ${audience === "person" ? callLine(tool, { command: program }) : "give it as `command`"}`,
  ];
}

const SANDBOX_HELP =
  "`dottool doctor` shows what is missing; `sandbox: {best_effort: true}` in your `config.yaml` runs reviewed tools without what does not work here";

const codeProblems: Readonly<Record<CodeProblem, (message: string) => string>> = {
  syntax: (message) => `the code cannot be parsed: ${message}`,
  thrown: (message) => `the code threw ${message}`,
  "no-json": (message) => `the code returned ${message}`,
  unsettled: (message) => `the code waits for ${message}`,
  "wrong-type": (message) => message,
};

function placeText({ line, column }: { readonly line?: number; readonly column?: number }): string {
  return line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`} of the code)`;
}

function because(detail: string): string {
  return detail === "" ? "" : `: ${detail}`;
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : `; did you mean ${names.map((name) => `\`${printable(name)}\``).join(" or ")}?`;
}

/** Shortens a name, since the caller has it already. */
function shortened(name: string): string {
  return name.length <= NAME_CHARACTERS_MAX ? name : `${name.slice(0, NAME_CHARACTERS_MAX)}…`;
}

/** What the system's codes mean for the caller. */
const fileCodes: Readonly<Record<string, string>> = {
  ENOENT: "no such file or directory",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is a file, not a directory",
  EEXIST: "it already exists",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
  EFBIG: "it is too large",
  EINVAL: "it is not a regular file",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  EBUSY: "it is in use",
  EIO: "the disk or mount reports an error (EIO)",
  ENOTEMPTY: "it is not empty",
  EDQUOT: "your disk quota is used up",
};

function fileText(path: string, action: string, code: string): string {
  return `cannot ${action} \`${path}\`: ${rowOf(fileCodes, code) ?? code}`;
}

/** Returns the headline of a failure, for logs and tests. */
export function failureHeadline(failure: Failure): string {
  return words(failure, { audience: "model", tool: "" }).headline;
}
