// Builds tools of steps and of code. It is loaded only when there is one to build, so that calls of other tools stay
// fast.
import { codeTool } from "../../features/javascript/code.ts";
import { composedTool } from "./composed.ts";

export const composer = { composedTool, codeTool } as const;

export type Composer = typeof composer;
