// What decides about a call: the rules, and a person who is asked.
import type { Approval, Caller, Decision, Refusal, Verdict } from "./policy.ts";
import type { PreparedCall } from "./tool.ts";

export interface PolicyRule {
  readonly name: string;
  readonly decision: Decision;
  /** The reason that is shown when asking or refusing. That of a `deny` names the alternative. */
  readonly reason: string;
  /** Set for `ask` if a yes covers this call alone. */
  readonly asksEachTime?: true;
  matches(call: PreparedCall, caller: Caller): boolean;
}

export interface Approver {
  /** Set if it cannot take a second question before the first is answered, as a terminal cannot. */
  readonly asksOneAtATime?: true;
  /** Set if it shows a person what edits of files would change, and nobody else. */
  readonly showsEdits?: true;
  /** Returns why nobody can be asked, as a sentence: a yes to a call that is not fully shown would mean nothing. */
  unaskable?(call: PreparedCall, verdict: Verdict): string | undefined;
  /** Returns what is different from an earlier call that it knows of, as sentences that are shown with the question. */
  changes?(call: PreparedCall, verdict: Verdict): readonly string[];
  ask(call: PreparedCall, verdict: Verdict): Promise<Approval | Refusal>;
}

/** Returns the text for `unaskable`, or undefined if a question of that length is fully shown. */
export function unaskableText(characters: number, charactersMax: number): string | undefined {
  if (characters <= charactersMax) return undefined;
  const [has, most] = [characters, charactersMax].map((number) => number.toLocaleString("en"));
  return `the call cannot be approved: it has ${has} characters, and at most ${most} can be shown; put long text in a file`;
}
