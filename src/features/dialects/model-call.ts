// The internal form of calls and answers, which every dialect reads replies into and writes answers from.
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import type { XmlElement } from "./xml-body.ts";

/** One call of a reply. Each is answered exactly once, whatever is wrong with it. */
export type ModelCall = SoundCall | FaultyCall;

export interface SoundCall {
  readonly kind: "sound";
  /** The API's id; absent if it gives none, as in the text form. */
  readonly id?: string;
  /** The name as the model wrote it: the exported name. */
  readonly name: string;
  readonly arguments: JsonObject;
  /**
   * Arguments as XML, where every value is text until the parameters of the tool say its type; `arguments` is empty
   * then.
   */
  readonly elements?: readonly XmlElement[];
}

/** A call that cannot be read, so no part of it runs. */
export interface FaultyCall {
  readonly kind: "faulty";
  readonly id?: string;
  /** The name, if it is known. */
  readonly name?: string;
  /** The problem and its solution, for the model. */
  readonly problem: string;
  /** Whether it has text instead of arguments, which OpenAI's Responses answer in another shape. */
  readonly isCustom?: true;
}

/** The answer to one call of a reply. */
export interface ModelAnswer {
  readonly call: ModelCall;
  /** Absent if the call was not run. */
  readonly result?: ToolResult;
  /** The text for the model; if there is no result, the reason. */
  readonly text: string;
  readonly isError: boolean;
}
