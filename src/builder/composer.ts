// What builds tools of steps and of code. Loaded when there is one to build: a call of any other tool does not pay for
// it.
import { codeTool } from "./code.ts";
import { composedTool } from "./composed.ts";

export const composer = { composedTool, codeTool } as const;

export type Composer = typeof composer;
