// Reads one call of an API (an id, a name, arguments as an object or as JSON in a string) into the internal form.
import type { Json } from "../../core/schema/json.ts";
import type { ReplyJson } from "./dialect.ts";
import type { ModelCall } from "./model-call.ts";
import { argumentsOf, longName, NAME_CHARACTERS_MAX } from "./text-call.ts";

interface RawCall {
  readonly id?: Json | undefined;
  readonly name?: Json | undefined;
  readonly arguments?: Json | undefined;
  /** The reason why it cannot run, whatever its arguments are. */
  readonly problem?: string | undefined;
  readonly isCustom?: boolean;
}

export const CUT_OFF =
  "the reply was cut off within this call, so nothing of it was run; send the whole call again, in pieces if it is long";

export function readCall(raw: RawCall, reply: ReplyJson): ModelCall {
  const id = typeof raw.id === "string" && raw.id !== "" ? { id: raw.id } : {};
  const given = typeof raw.name === "string" && raw.name !== "" ? raw.name : undefined;
  const name = given === undefined || given.length <= NAME_CHARACTERS_MAX ? given : undefined;
  const faulty = (problem: string): ModelCall => ({
    kind: "faulty",
    ...id,
    ...(name === undefined ? {} : { name }),
    problem,
    ...(raw.isCustom ? { isCustom: true } : {}),
  });
  if (raw.problem !== undefined) return faulty(raw.problem);
  if (raw.isCustom) return faulty("this call has text as its input; the tools here take arguments as JSON");
  if (name === undefined) return faulty(given === undefined ? "the call does not name a tool" : longName(given));
  const fault = reply.faultIn(raw.arguments);
  if (fault !== undefined) return faulty(`the arguments are not usable JSON: ${fault}`);
  const read = argumentsOf(raw.arguments);
  return "problem" in read ? faulty(read.problem) : { kind: "sound", ...id, name, arguments: read.arguments };
}

/** Returns an id, which the API requires, if the reply has none: `call_1` for the first. */
export function idOf(call: ModelCall, index: number): string {
  return call.id ?? `call_${index + 1}`;
}
