// The API for writing a plugin. ../dottool.ts adds the functions that open a session. Both together are what `import {
// … } from "dottool"` provides.

export { anyObject, array, boolean, choice, integer, number, object, path, string, url } from "../schema/declare.ts";
export { content, definePlugin, defineTool, failed } from "./define.ts";

export type { ArgumentsOf, Declared } from "../schema/declare.ts";
export type { Json, JsonObject } from "../schema/json.ts";
export type { Content, Outcome, ToolCall, ToolResult } from "../tool/call.ts";
export type { Effect } from "../tool/definition.ts";
export type { Failure } from "../tool/failure.ts";
export type { PolicyRule } from "../tool/policy-rule.ts";
export type { AskableClient, BaseTool, ClientRequest, Tool, ToolContext, ToolEvent } from "../tool/tool.ts";
export type { PluginSpec, Returned, ToolSpec } from "./define.ts";
export type { ForgeJudgement, ForgeJudgeRequest, ForgeJudgeSpec } from "./forge-judge.ts";
export type { Contribution, Plugin } from "./plugin.ts";
export type { PromptArgument, PromptContext, PromptMessage, PromptSpec, ResourceSpec } from "./prompt.ts";
