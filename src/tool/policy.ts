// Whether a call may run. From mild to strict; where several rules match, the strictest wins.
import type { PreparedCall } from "./call.ts";

export type Decision = (typeof decisions)[number];
export const decisions = ["allow", "ask", "deny"] as const;

/**
 * The caller: a person who types a tool's name, a program that embeds dottool, or a model through one of the ways in.
 */
export type Caller = (typeof callers)[number];
export const callers = ["person", "program", "mcp", "exec", "agent"] as const;

export interface PolicyRule {
  readonly name: string;
  readonly decision: Decision;
  /** Shown when asking or refusing; a `deny` names the alternative. */
  readonly reason: string;
  /** For `ask`: a yes is for this call alone. */
  readonly asksEachTime?: true;
  matches(call: PreparedCall, caller: Caller): boolean;
}

/** `name`: of a rule in a file, its place. */
export interface MatchedRule {
  readonly name: string;
  readonly decision: Decision;
  readonly reason: string;
  readonly asksEachTime?: true;
}

export interface Verdict {
  readonly decision: Decision;
  readonly matched: readonly MatchedRule[];
  /** Present if a person is to be asked. */
  readonly question?: PolicyQuestion;
}

/** What a person has to know besides the call. */
export interface PolicyQuestion {
  readonly frontEnd: Caller;
  /** Absolute: where the call would run. */
  readonly cwd: string;
  /**
   * What `session` and `always` go for: the tool with any arguments, or with these alone, because they are the program;
   * `call`: neither counts.
   */
  readonly scope: "tool" | "arguments" | "call";
  /** What has changed in the tool since it was approved for always. */
  readonly changes: readonly string[];
  /** Absolute, without links: where `session` and `always` go for it. */
  readonly project: string;
  /** The names of those `arguments` that have to be the same, if others need not. */
  readonly deciding?: readonly string[];
  /** A hash of all that a yes is for. */
  readonly content: string;
  /** What runs beside the tool itself and has to stay what it is: paths of files. */
  readonly files: readonly string[];
  /** What else runs, and may change while the yes counts: ends of a sentence that begins with "later changes of". */
  readonly rest: readonly string[];
  /** What a person types to allow it; absent where only an answer does. */
  readonly allowWith?: string;
}

/**
 * How long an approval lasts: for this call, for all calls of the tool in this session, or as long as the content of
 * the tool stays what it is.
 */
export type Approval = (typeof approvals)[number];
export const approvals = ["once", "session", "always", "denied"] as const;

/** No compiler checks the answer of a program: anything but a clear yes is a no. */
export function isYes(approval: Approval): approval is Exclude<Approval, "denied"> {
  return approval !== "denied" && approvals.includes(approval);
}

export interface Approver {
  /** It cannot take a second question before the first is answered, as a terminal cannot. */
  readonly asksOneAtATime?: true;
  /** Why no one is asked, as a sentence: a yes to a call that cannot be shown whole would mean nothing. */
  unaskable?(call: PreparedCall, verdict: Verdict): string | undefined;
  ask(call: PreparedCall, verdict: Verdict): Promise<Approval>;
}

/** For `unaskable`. Undefined: a question of so many characters is shown whole. */
export function unaskableText(characters: number, charactersMax: number): string | undefined {
  if (characters <= charactersMax) return undefined;
  const [has, most] = [characters, charactersMax].map((number) => number.toLocaleString("en"));
  return `the call cannot be approved: it has ${has} characters, and at most ${most} can be shown; put long text in a file`;
}
