// The API for writing a plugin. ../dottool.ts adds the functions that open a session. Both together are what `import {
// … } from "dottool"` provides.

export {
  anyObject,
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  path,
  string,
  url,
} from "../../core/schema/declare.ts";
export { test } from "./plugin-test.ts";
export { content, definePlugin, defineTool, failed } from "./define.ts";

export type { ArgumentsOf, Declared } from "../../core/schema/declare.ts";
export type { Json, JsonObject } from "../../core/schema/json.ts";
export type { Content, Outcome, ToolCall, ToolResult } from "../../core/tool/call.ts";
export type { Effect } from "../../core/tool/definition.ts";
export type { Failure } from "../../core/tool/failure.ts";
export type { PolicyRule } from "../../core/tool/policy-rule.ts";
export type { AskableClient, BaseTool, ClientRequest, Tool, ToolContext, ToolEvent } from "../../core/tool/tool.ts";
export type { Assert, PluginTestContext } from "./plugin-test.ts";
export type { PluginSpec, Returned, ToolSpec } from "./define.ts";
export type { ForgeJudgement, ForgeJudgeRequest, ForgeJudgeSpec } from "../../core/tool/forge-judge.ts";
export type { Contribution, Plugin } from "./plugin.ts";
export type {
  PromptArgument,
  PromptContext,
  PromptMessage,
  PromptSpec,
  ResourceSpec,
} from "../../core/tool/plugin-offers.ts";
