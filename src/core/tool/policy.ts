// Whether a call may run. Decisions are from mild to strict, and the strictest of the matching rules wins.
export type Decision = (typeof decisions)[number];
export const decisions = ["allow", "ask", "deny"] as const;

/**
 * The caller: a person who types a tool's name, a program that embeds dottool, or a model through one of the ways in. A
 * `worker` makes the calls that stand in a queue, which anybody may have written who can reach it. A `hook` is about a
 * tool of another agent, which dottool does not run.
 */
export type Caller = (typeof callers)[number];
export const callers = ["person", "program", "mcp", "exec", "agent", "worker", "hook"] as const;

/** `name` is the place of a rule in a file. */
export interface MatchedRule {
  readonly name: string;
  readonly decision: Decision;
  readonly reason: string;
  readonly asksEachTime?: true;
}

/** Begins the name of a rule that is an author's `@confirm`. */
export const CONFIRM_RULE = "the author of";

export interface Verdict {
  readonly decision: Decision;
  readonly matched: readonly MatchedRule[];
  /** Present if a person is to be asked. */
  readonly question?: PolicyQuestion;
}

/** What a person has to know besides the call. */
export interface PolicyQuestion {
  readonly frontEnd: Caller;
  /** The absolute path where the call would run. */
  readonly cwd: string;
  /**
   * What `session` and `always` cover: the tool with any arguments, or with these alone because they are the program.
   * With `call`, neither is offered.
   */
  readonly scope: "tool" | "arguments" | "call";
  /** What edits of files would change. */
  readonly edits?: readonly string[];
  /** The changes in the tool since it was approved with `always`. */
  readonly changes: readonly string[];
  /** The absolute path, without links, of the project in which `session` and `always` count. */
  readonly project: string;
  /** The names of the `arguments` that have to be the same, if others need not. */
  readonly deciding?: readonly string[];
  /** A hash of everything that a yes covers. */
  readonly content: string;
  /** Paths of files that run besides the tool itself and have to stay as they are. */
  readonly files: readonly string[];
  /**
   * Other things that run and may change while the approval counts: ends of a sentence that begins with "later changes
   * of".
   */
  readonly rest: readonly string[];
  /** What a person types to allow it. Absent if only an answer can. */
  readonly allowWith?: string;
}

/**
 * How long an approval lasts: for this call, for all calls of the tool in this session, or as long as the content of
 * the tool is the same.
 */
export type Approval = (typeof approvals)[number];
const approvals = ["once", "session", "always", "denied"] as const;

/** A no with what the person said. The caller reads it. */
export interface Refusal {
  readonly refused: string;
}

/** Whether the answer is a yes. No compiler checks the answer of a program, so anything else is a no. */
export function isYes(approval: Approval | Refusal): approval is Exclude<Approval, "denied"> {
  return typeof approval === "string" && approval !== "denied" && approvals.includes(approval);
}
