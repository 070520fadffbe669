// The accepted tools of another server as a source of tools for clients, under the names that the server gives them.
import { printable } from "../../core/text/display.ts";
import { apiName } from "../../core/tool/api-name.ts";
import type { PolicyRule } from "../../core/tool/policy-rule.ts";
import { remoteEffects, remoteNameText } from "../../core/tool/remote-name.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { CommandContext } from "../../cli/command.ts";
import { toMcpTool } from "../dialects/mcp.ts";
import { pinned } from "../mcp-client/commands/pin.ts";
import type { PinResult } from "../mcp-client/pin-tools.ts";
import { asRemoteTools } from "../mcp-client/remote-tools.ts";
import { type ProcessServer, pinLineOf } from "../mcp-client/server-settings.ts";
import type { ModeTool } from "../mcp-server/modes.ts";
import type { McpSource } from "../mcp-server/offered.ts";

/** The names that the protocol allows. */
const TOOL_NAME = /^[\w./-]{1,128}$/;
/** What is listed while tools are not offered: many clients show models nothing else of a server. */
const WAITING = "tools_waiting";

export function proxiedSource(opened: OpenedSession, server: ProcessServer, context: CommandContext): McpSource {
  const { session } = opened;
  const ofServer = (tool: string): string => remoteNameText({ server: server.name, tool });
  const accepted: PolicyRule = {
    name: "accepted",
    decision: "allow",
    reason: "a person has accepted the tools of this server",
    matches: ({ call }) => call.tool.startsWith(ofServer("")),
  };
  const policy: PolicyRule[] = [];
  return {
    session: { ...session, policy },
    offered: async () => {
      asRemoteTools(await opened.remoteTools()).add(server);
      // Plugins, which are loaded by now, add rules. Settings that cannot be read may say that everything is asked about.
      const approval = await session.setting("mcp.approval").catch(() => "ask");
      policy.splice(0, policy.length, ...session.policy, ...(approval === "ask" ? [] : [accepted]));
      const rules = (await session.guard?.current())?.policy;
      const results = await pinned([{ server: server.name }], opened, { context, storesNothing: true });
      const waiting = waitingText(results, server);
      const failed = failedIn(results);
      if (failed) context.terminal.errors.write(`warning[mcp]: ${[failed.reason, ...failed.help].join("; ")}\n`);
      else if (waiting !== undefined) context.terminal.errors.write(`warning[mcp]: ${waiting}\n`);
      const instead = new Map<string, ModeTool>(waiting === undefined ? [] : [[WAITING, waitingTool(waiting)]]);
      for (const { state, tool: name } of results) {
        if (state !== "same" || !TOOL_NAME.test(name)) continue;
        const own = ofServer(name);
        const tool = rules?.denies(new Set([own]), remoteEffects, "mcp") ? undefined : session.registry.find(own);
        if (!tool) continue;
        const answer: ModeTool["answer"] = (args) => ({ call: { tool: apiName(own), arguments: args, named: name } });
        instead.set(name, { shown: { ...toMcpTool(tool), name }, answer });
      }
      const names = results.flatMap(({ tool }) => (tool !== undefined && instead.has(tool) ? [ofServer(tool)] : []));
      return {
        names,
        isAll: true,
        instructions: `dottool offers ${names.length} tools of the MCP server \`${printable(server.argv.join(" "))}\`, as a person has accepted them.${waiting === undefined ? "" : `\n${waiting}`}`,
        instead,
      };
    },
    pluginOffers: () => ({ prompts: [], resources: [], exporters: [], importers: [] }),
    promptsIn: () => [],
    contentKeyOf: () => undefined,
    mayBePrompt: () => false,
    search: async () => [],
  };
}

function waitingTool(text: string): ModeTool {
  return {
    shown: { name: WAITING, description: text, inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
    answer: () => ({ text }),
  };
}

function failedIn(results: readonly PinResult[]): Extract<PinResult, { readonly state: "failed" }> | undefined {
  return results.filter((result) => result.state === "failed").find(({ tool }) => tool === undefined);
}

/**
 * Returns what is not offered, and why. The names of new tools, what has changed and what a server writes when it fails
 * are words that no person has read: models do not get them.
 */
function waitingText(results: readonly PinResult[], server: ProcessServer): string | undefined {
  if (failedIn(results))
    return `this MCP server cannot be asked for its tools. A person sees why at a terminal: ${pinLineOf(server)}`;
  const fresh = results.filter(({ state }) => state === "new").length;
  const changed = results.flatMap(({ state, tool }) => (state === "changed" ? [`\`${printable(tool)}\``] : []));
  const facts = [
    ...(fresh === 0 ? [] : [`tools of this MCP server that no person has accepted: ${fresh}`]),
    ...(changed.length === 0 ? [] : [`tools that have changed since they were accepted: ${changed.join(", ")}`]),
  ];
  return facts.length === 0
    ? undefined
    : `${facts.join("; ")}. They are not offered. A person reviews and accepts them at a terminal: ${pinLineOf(server)}`;
}
