// The one place that puts failures into words, for people and for models: a headline, facts, and what to do.
import type { JsonObject } from "../schema/json.ts";
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
import type { FrontEnd } from "../tool/policy.ts";
import { rateWords } from "../tool/rate.ts";
import { visibleJson } from "../base/quote.ts";
import { callLine } from "./call-line.ts";

export interface FailureTextOptions {
  /** How the repaired call is written: a command line for people, arguments as JSON for models. */
  readonly audience: "person" | "model";
  /** The model writes its calls into its text, where they have other fields. */
  readonly isInText?: boolean;
  /** The name that the caller used. */
  readonly tool: string;
  /** Where the tool takes every word after its name as it is. */
  readonly arrayParameter?: string;
  /**
   * Whether a command of the program has this name, so that a tool of that name is called behind `call`. Default: none
   * has.
   */
  readonly isCommand?: (name: string) => boolean;
}

/** Several lines, without a final line end. */
export function failureText(failure: Failure, options: FailureTextOptions): string {
  const { headline, facts, help } = words(failure, options);
  const whole = [
    `failed[${failure.kind}]: ${headline}`,
    ...facts.map((fact) => `  ${fact}`),
    ...help.map((line) => `  = ${line}`),
  ].join("\n");
  if (options.audience === "person") return whole;
  const text = forModels(whole);
  if (text.length <= MODEL_CHARACTERS_MAX) return text;
  return `${text.slice(0, MODEL_CHARACTERS_MAX).toWellFormed()}\n  and ${(text.length - MODEL_CHARACTERS_MAX).toLocaleString("en")} characters more`;
}

/** A failure takes less of a model's budget than a result: see budget.ts. */
const MODEL_CHARACTERS_MAX = 12_000;
export const ISSUES_SHOWN_MAX = 20;
/** Nobody reads, or pastes, a longer one. */
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
        headline: `\`${failure.tool}\` cannot run until its definition is mended`,
        ...mistakeWords(failure.mistake, options),
      };
    case "removed":
      return just(`\`${failure.tool}\` is no tool any more: its definition was removed`, [
        "ask for the list of tools again",
      ]);
    case "invalid-arguments":
      return invalidArguments(failure, options);
    case "denied":
      return deniedText(failure);
    case "too-often":
      return just(
        `\`${failure.tool}\` may be called ${rateWords(failure.rate)}${failure.by === "@limit" ? "" : ` (${failure.by})`}, and has been`,
        [`call again in ${Math.ceil(failure.waitMs / 1000)} s`],
      );
    case "untrusted":
      return just(
        untrusted(failure),
        options.audience === "person"
          ? failure.help
          : ["a person has to look at it and trust it at a terminal; no call can do that"],
      );
    case "unavailable":
      return { headline: `\`${failure.tool}\` cannot run here`, facts: failure.reasons, help: failure.help ?? [] };
    case "exit":
      return just(
        failure.exitCode === undefined
          ? `\`${failure.program}\` was ended by ${failure.signalName ?? "a signal"}`
          : `\`${failure.program}\` ended with exit code ${failure.exitCode}`,
      );
    case "not-started":
      return just(
        notStarted[failure.reason](failure.program, failure.detail),
        notStartedHelp(failure.reason, failure.program, options),
      );
    case "timeout":
      return just(
        `not done after ${failure.limitMs / 1000} s`,
        failure.isOfStep
          ? ["the step allows more with its `[timeout=…]`"]
          : failure.isDeclared
            ? ["a definition allows more with `@timeout`"]
            : [],
      );
    case "cancelled":
      return just("cancelled before it was done");
    case "busy":
      return just(`${failure.waiting} calls are waiting already`, ["call again when some have ended"]);
    case "too-deep":
      return just(`tools call tools more than ${failure.depthMax} deep: ${failure.path.join(" > ")}`);
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
        headline: `\`${failure.tool}\` did not give what its definition promises`,
        facts: issueLines(failure.issues),
        help: [
          failure.isDeclared
            ? "the call is fine; mend `@returns` in the definition, or what it runs"
            : "the call is fine; the tool is at fault",
        ],
      };
    case "code-failed":
      return just(codeProblems[failure.problem](failure.message) + placeText(failure), failure.help);
    case "step-failed": {
      const cause = words(failure.cause, { ...options, tool: failure.tool });
      // Who called the tool of steps cannot make the step's own call.
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

function untrusted({ tool, folder, reason }: Failure & { kind: "untrusted" }): string {
  const shown = `\`${printable(folder)}\``;
  if (typeof reason === "object") return `\`${tool}\` does not run, because ${shown} ${printable(reason.fact)}`;
  return reason === "new"
    ? `\`${tool}\` does not run, because nobody has trusted ${shown} yet`
    : `\`${tool}\` does not run, because ${shown} has changed since it was trusted`;
}

function unknownTool(
  { name, nearest, suggested, known }: Failure & { kind: "unknown-tool" },
  options: FailureTextOptions,
): Words {
  const call = suggested ? callLines(suggested.tool, suggested, options) : [];
  const isModel = options.audience === "model";
  const list = !isModel
    ? ["`dottool list` shows the tools there are"]
    : known
      ? [`the tools there are: ${known.join(", ")}`]
      : call.length > 0
        ? []
        : ["the list of tools that you were given has all there are"];
  return {
    headline: `there is no tool \`${printable(shortened(name))}\`${didYouMean(nearest)}`,
    facts: [],
    help: [...call, ...list],
  };
}

/** A person has been shown all of them, with their lines. */
function mistakeWords(
  mistake: DefinitionMistake | undefined,
  { audience }: FailureTextOptions,
): Pick<Words, "facts" | "help"> {
  if (!mistake)
    return {
      facts: [],
      help: audience === "person" ? [] : ["the call is not at fault; `dottool check` shows a person what is"],
    };
  const { place, code, message, help, more } = mistake;
  const first = printable(`${place === undefined ? "" : `${place}: `}error[${code}]: ${message}`);
  return {
    facts: [first, ...(more === 0 ? [] : [`and ${more.toLocaleString("en")} more`])],
    help: [...help.map(printable), "the call is not at fault; once the definition is mended, call again"],
  };
}

function deniedText({ tool, verdict }: Failure & { readonly kind: "denied" }): Words {
  const { question, decision } = verdict;
  const facts = [
    ...verdict.matched.filter((rule) => rule.decision === decision).map((rule) => `${rule.name}: ${rule.reason}`),
    ...(question?.changes ?? []),
  ];
  if (decision === "deny") return { headline: `policy does not let \`${tool}\` run`, facts, help: [] };
  const whose =
    question === undefined || question.frontEnd === "person" ? "" : ` for ${frontEndWords[question.frontEnd]}`;
  return {
    headline: `nobody has agreed to \`${tool}\`${whose}`,
    facts,
    help: [
      question === undefined
        ? "nobody was there to agree; run it yourself, or allow it in the policy"
        : question.allowWith === undefined
          ? "a person does it, or agrees to this one call when asked"
          : `a person allows it at a terminal with: ${question.allowWith}`,
    ],
  };
}

const frontEndWords: Readonly<Record<FrontEnd, string>> = {
  person: "a person",
  program: "the program that embeds dottool",
  mcp: "clients of `dottool mcp`",
  exec: "`dottool exec`",
  agent: "`dottool agent`",
};

function invalidArguments(failure: Failure & { kind: "invalid-arguments" }, options: FailureTextOptions): Words {
  const { example } = failure;
  return {
    headline: `\`${failure.tool}\` cannot use these arguments`,
    facts: issueLines(failure.issues),
    help: [
      ...(example
        ? callLines(failure.tool, { arguments: example, placeholders: failure.placeholders ?? [] }, options)
        : ["mend what is said here; no call is known that would be accepted"]),
      ...new Set(failure.issues.slice(0, ISSUES_SHOWN_MAX).flatMap(({ help }) => help ?? [])),
    ],
  };
}

/** The call on a line of its own, so that it can be taken from there. */
function callLines(
  tool: string,
  { arguments: args, placeholders }: Omit<SuggestedCall, "tool">,
  options: FailureTextOptions,
): readonly string[] {
  const call =
    options.audience === "model"
      ? visibleJson(
          options.isInText
            ? { server_name: "local", tool_name: tool, arguments: args }
            : { name: tool, arguments: args },
        )
      : lineFor(tool, args, options);
  if (call.length > CALL_CHARACTERS_MAX)
    return [`mend what is said here; the rest of the call (${call.length.toLocaleString("en")} characters) can stay`];
  return [`call it like this: ${call}`, ...(placeholders.length === 0 ? [] : [placeholderLine(placeholders)])];
}

function lineFor(
  tool: string,
  args: JsonObject,
  { tool: called, arrayParameter, isCommand }: FailureTextOptions,
): string {
  const needsCall = isCommand?.(tool) === true;
  const line = callLine(tool, args, tool === called && !needsCall ? arrayParameter : undefined);
  return needsCall ? line.replace(/^dottool (?!call )/, "dottool call ") : line;
}

function placeholderLine(paths: readonly string[]): string {
  const shown = paths.slice(0, PLACEHOLDERS_SHOWN_MAX).map((path) => `\`${printable(path)}\``);
  const more = paths.length > shown.length ? ` and ${(paths.length - shown.length).toLocaleString("en")} more` : "";
  return paths.length === 1
    ? `the value of ${shown[0]} is a placeholder; put your own there`
    : `the values of ${shown.join(", ")}${more} are placeholders; put your own there`;
}

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
    `there is no program \`${program}\`${detail === program ? "" : `: nothing is at \`${detail}\``}`,
  "folder-missing": (program, detail) => `\`${program}\` was to run in \`${detail}\`, which is no folder`,
  "not-executable": (program, detail) => `\`${program}\` cannot be executed${because(detail)}`,
  "batch-file": (program) =>
    `\`${program}\` is a batch file, whose arguments cannot be passed safely; wrap the program it calls`,
  "too-large": (program) =>
    `the arguments and environment are too large for the system to start \`${program}\`; pass long text through \`@stdin\``,
  system: (program, detail) => `the system could not start \`${program}\`${because(detail)}`,
};

function notStartedHelp(
  reason: NotStartedReason,
  program: string,
  { audience, tool }: FailureTextOptions,
): readonly string[] {
  if (reason === "folder-missing") return ["make the folder, or name another one as the working folder"];
  if (reason !== "program-missing") return [];
  if (tool !== "run_command" || !/\s/.test(program)) return ["install it, or name it by its path"];
  return [
    `for a whole command line: ${audience === "person" ? callLine(tool, { command: program }, undefined) : "give it as `command`"}`,
  ];
}

const codeProblems: Readonly<Record<CodeProblem, (message: string) => string>> = {
  syntax: (message) => `the code cannot be read: ${message}`,
  thrown: (message) => `the code threw ${message}`,
  "no-json": (message) => `the code returned ${message}`,
  unsettled: (message) => `the code waits for ${message}`,
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

/** Whoever sends a name of any length has it already. */
function shortened(name: string): string {
  return name.length <= NAME_CHARACTERS_MAX ? name : `${name.slice(0, NAME_CHARACTERS_MAX)}…`;
}

/** What the system's codes mean for the one who called. */
const fileCodes: Readonly<Record<string, string>> = {
  ENOENT: "there is nothing at that path",
  EACCES: "no permission",
  EPERM: "not permitted",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of the path is a file, not a folder",
  EEXIST: "there is something already",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
  EFBIG: "it is too large",
  EINVAL: "it is no regular file",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
  EBUSY: "it is in use",
  EIO: "the disk or the mount gives an error (EIO)",
  ENOTEMPTY: "there is something in it",
  EDQUOT: "there is no room left for you on that disk",
};

function fileText(path: string, action: string, code: string): string {
  return `cannot ${action} \`${path}\`: ${fileCodes[code] ?? code}`;
}

/** For logs and tests: the words of a failure in one line. */
export function failureHeadline(failure: Failure): string {
  return words(failure, { audience: "model", tool: "" }).headline;
}
