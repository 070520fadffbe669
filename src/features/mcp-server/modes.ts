// Other ways to offer many tools: three tools that find, describe and call the others, or one that runs a program which
// calls them.
import type { JsonObject } from "../../core/schema/json.ts";

export const modes = ["full", "search", "code"] as const;
export type Mode = (typeof modes)[number];

/** The answer of a mode's tool: its own, or a call of another tool, which clients may know as `named`. */
export type ModeAnswer =
  | { readonly text: string; readonly isError?: true }
  | { readonly call: { readonly tool: string; readonly arguments: unknown; readonly named?: string } };

export interface ModeTool {
  readonly shown: JsonObject;
  answer(args: JsonObject): ModeAnswer | Promise<ModeAnswer>;
}

/** Tools of a mode, by name. If empty, every tool is offered directly. */
export type ModeTools = ReadonlyMap<string, ModeTool>;
