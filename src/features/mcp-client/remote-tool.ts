// A tool of an MCP server as a base tool, built from its pin. A call starts the server.
import { safeTextLength } from "../../core/schema/backtracking.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { printable } from "../../core/text/display.ts";
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { type BaseDefinition, nothingDeclared } from "../../core/tool/definition.ts";
import { remoteEffects, type RemoteName, remoteNameText } from "../../core/tool/remote-name.ts";
import type { BaseTool, ToolContext } from "../../core/tool/tool.ts";
import type { PinnedTool } from "./pin.ts";
import { serverParameters, serverReturns } from "./server-schema.ts";

/** A call as it is sent to the server. */
export interface RemoteCall {
  readonly pin: PinnedTool;
  readonly arguments: JsonObject;
  /** Whether the server says that a second call does no more than the first. */
  readonly isRepeatable: boolean;
}

interface RemoteToolOptions {
  readonly name: RemoteName;
  readonly pin: PinnedTool;
  call(call: RemoteCall, context: ToolContext): Promise<Outcome>;
}

const source = { path: "(MCP server)", text: "" };

export function remoteTool({ name, pin, call }: RemoteToolOptions): BaseTool {
  const { parameters, sent } = serverParameters(pin.inputSchema);
  const returns = pin.outputSchema && serverReturns(pin.outputSchema);
  const annotations = pin.annotations ?? {};
  const isRepeatable = annotations["readOnlyHint"] === true || annotations["idempotentHint"] === true;
  const definition: BaseDefinition = {
    ...head(name),
    title: printable(titleOf(pin)),
    description: paragraphs(pin.description),
    parameters,
    ...(returns ? { returns: { schema: returns, description: "" } } : {}),
  };
  return Object.freeze<BaseTool>({
    definition,
    effects: remoteEffects,
    parameters,
    safeTextLength: safeTextLength(parameters),
    execute: (args, context) => call({ pin, arguments: sent(args), isRepeatable }, context),
  });
}

/** Returns a tool that cannot be called; with its pin, it is still known what a person allows. */
export function waitingRemoteTool(
  name: RemoteName,
  obstacle: NonNullable<BaseTool["obstacle"]>,
  pin?: PinnedTool,
): BaseTool {
  const refused = async (context: ToolContext): Promise<Outcome> =>
    failed({
      kind: "unavailable",
      tool: context.path.at(-1) ?? remoteNameText(name),
      reasons: [obstacle.reason],
      help: [obstacle.help],
    });
  if (pin)
    return Object.freeze<BaseTool>({ ...remoteTool({ name, pin, call: (_, context) => refused(context) }), obstacle });
  return Object.freeze<BaseTool>({
    definition: { ...head(name), title: name.tool, description: "", parameters: [] },
    effects: remoteEffects,
    parameters: [],
    safeTextLength: Infinity,
    obstacle,
    execute: (_args, context) => refused(context),
  });
}

function head(name: RemoteName): Omit<BaseDefinition, "title" | "description" | "parameters"> {
  return {
    kind: "base",
    name: { value: remoteNameText(name), span: { source, start: 0, end: 0 } },
    ...nothingDeclared,
    declaredEffects: remoteEffects,
    origin: { kind: "base" },
  };
}

function titleOf({ name, title, annotations }: PinnedTool): string {
  const other = annotations?.["title"];
  return title ?? (typeof other === "string" && other !== "" ? other : name);
}

/** Keeps line ends, because descriptions have paragraphs, and spells out all other characters that move a cursor. */
function paragraphs(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => printable(line.replaceAll("\t", " ").trimEnd()))
    .join("\n")
    .trim();
}
