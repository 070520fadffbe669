// One turn of a scripted model, in no API's own form.
import type { ServerResponse } from "node:http";
import { KEY } from "../base/model-server.ts";
import type { SeenRequest } from "../base/web-server.ts";

export { KEY };
export const MODEL = "big-1";

export type Turn = ReplyTurn | ErrorTurn | RespondTurn;

export interface ReplyTurn {
  /** The text in pieces, as it streams. */
  readonly text?: readonly string[];
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The API's own word. If absent, the one that fits the rest. */
  readonly stop?: string;
  /** Null if the API reports none. */
  readonly tokens?: readonly [input: number, output: number] | null;
  /** Set if the stream ends without its last events. */
  readonly isCutOff?: true;
  /** Raw events before the last ones. */
  readonly rawEvents?: readonly string[];
}

export interface ErrorTurn {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RespondTurn {
  readonly respond: (response: ServerResponse, request: SeenRequest) => void;
}

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** The arguments. A text is sent as it is. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

export function call(name: string, args: ScriptedCall["arguments"] = {}, id?: string): ScriptedCall {
  return { name, arguments: args, ...(id === undefined ? {} : { id }) };
}

export const done = (result: string): ReplyTurn => ({ calls: [call("task_completion", { result })] });

/** The parts that differ between the two APIs. */
export interface ScriptedApi {
  error(status: number, message: string, type: string): ErrorTurn;
  refuse(request: SeenRequest, body: Body): ErrorTurn | undefined;
  whole(turn: ReplyTurn, ids: readonly string[]): unknown;
  events(turn: ReplyTurn, ids: readonly string[]): readonly string[];
}

export type Body = Readonly<Record<string, unknown>>;

/** Splits a text, but never within a surrogate pair. */
export function inPieces(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
  return pieces;
}

export function argumentsText({ arguments: args }: ScriptedCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}
