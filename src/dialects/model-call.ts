// The internal form that every dialect reads replies into and writes answers from: what a model asked for, and what it
// gets back.
import type { JsonObject } from "../schema/json.ts";
import type { ToolResult } from "../tool/call.ts";
import type { XmlElement } from "./xml-body.ts";

interface CallForm {
  /** OpenAI's `function_call` of before, which has no id and is answered by its name. */
  readonly isOldForm?: true;
}

/** One call of a reply, in the order written. Each is answered exactly once, whatever is wrong with it. */
export type ModelCall = SoundCall | FaultyCall;

export interface SoundCall extends CallForm {
  readonly kind: "sound";
  /** As the API gave it; absent where it gives none, as in the text form. */
  readonly id?: string;
  /** As the model wrote it: a name as it was exported. */
  readonly name: string;
  readonly arguments: JsonObject;
  /**
   * The arguments came as XML, where every value is text until the parameters of the tool say its type; `arguments` is
   * empty then.
   */
  readonly elements?: readonly XmlElement[];
}

/** Cannot be read, so it never runs, not in part either. */
export interface FaultyCall extends CallForm {
  readonly kind: "faulty";
  readonly id?: string;
  /** As far as it can be told. */
  readonly name?: string;
  /** What is wrong and what to do, for the model. */
  readonly problem: string;
  /** A call with text in place of arguments, which OpenAI's Responses answer in a shape of its own. */
  readonly isCustom?: true;
}

/** The answer to one call of a reply. */
export interface ModelAnswer {
  readonly call: ModelCall;
  /** Absent where the call was not run. */
  readonly result?: ToolResult;
  /** What the model reads; where there is no result, why. */
  readonly text: string;
  readonly isError: boolean;
}
