// Asks servers for their tools and stores these as pins, from which definitions are built.
import type { RemoteName } from "../../core/tool/remote-name.ts";
import { nearestNames } from "../../core/text/suggest.ts";
import { isSamePin, pinDifference, type PinnedTool, writePins } from "./pin.ts";
import type { RemoteTools } from "./remote-tools.ts";
import { secretsIn, troubleIn } from "./server-trouble.ts";
import type { Host } from "../../core/tool/host.ts";

/** The outcome for one tool, or for a server if no tool is named. */
export type PinResult =
  | { readonly server: string; readonly tool: string; readonly state: "new" | "same"; readonly pin: PinnedTool }
  | {
      readonly server: string;
      readonly tool: string;
      readonly state: "changed";
      readonly pin: PinnedTool;
      readonly difference: readonly string[];
    }
  | {
      readonly server: string;
      readonly tool?: string;
      readonly state: "failed";
      readonly reason: string;
      readonly help: readonly string[];
    };

/** Something to pin. Without `tool`, all tools of the server. */
export interface Wanted {
  readonly server: string;
  readonly tool?: string;
}

interface PinOptions {
  readonly remote: RemoteTools;
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Set to compare the tools of a server with the pins, and change neither. */
  readonly storesNothing?: true;
  /** Takes values that the results may not show. */
  hide(values: readonly string[]): Promise<void>;
}

export async function pinTools(
  wanted: readonly (Wanted | RemoteName)[],
  options: PinOptions,
): Promise<readonly PinResult[]> {
  const results: PinResult[] = [];
  for (const server of new Set(wanted.map((one) => one.server))) {
    const tools = wanted.filter((one) => one.server === server).map(({ tool }) => tool);
    results.push(
      ...(await pinServer(server, tools.includes(undefined) ? undefined : (tools as readonly string[]), options)),
    );
  }
  options.remote.readAgain();
  return results;
}

async function pinServer(
  name: string,
  tools: readonly string[] | undefined,
  { remote, host, signal, hide, storesNothing }: PinOptions,
): Promise<readonly PinResult[]> {
  const configured = remote.settings.servers.get(name);
  if (configured?.kind !== "sound") {
    const obstacle = remote.unknownServer(name);
    return [{ server: name, state: "failed", reason: obstacle.reason, help: [obstacle.help] }];
  }
  try {
    const { tools: live, era } = await (await remote.link(configured.server)).list({ signal, hide });
    const { tools: pinned, isKept } = remote.pins(name);
    const results = [...new Set(tools ?? [...live.keys(), ...pinned.keys()])].map((tool) =>
      resultOf({ server: name, tool }, pinned.get(tool), live),
    );
    if (storesNothing) return results;
    const kept = new Map([
      ...pinned,
      ...results.flatMap((result) => ("pin" in result ? [[result.tool, result.pin] as const] : [])),
    ]);
    // After asking for all tools, those that no longer exist are removed.
    if (!tools) for (const tool of pinned.keys()) if (!live.has(tool)) kept.delete(tool);
    writePins(name, { ...(era === undefined ? {} : { era }), ...(isKept ? { isKept } : {}), tools: kept }, host);
    return results;
  } catch (error) {
    await hide(secretsIn(error));
    const { reason, help } = troubleIn(error, { server: name });
    return [
      {
        server: name,
        state: "failed",
        reason: `the MCP server \`${name}\` cannot be asked for its tools: ${reason}`,
        help,
      },
    ];
  }
}

function resultOf(
  { server, tool }: RemoteName,
  pinned: PinnedTool | undefined,
  live: ReadonlyMap<string, PinnedTool>,
): PinResult {
  const pin = live.get(tool);
  if (!pin) {
    const near = nearestNames(tool, [...live.keys()]);
    return {
      server,
      tool,
      state: "failed",
      reason: `the MCP server \`${server}\` has no tool \`${tool}\`${near[0] === undefined ? "" : `; did you mean ${near.map((name) => `\`${name}\``).join(" or ")}?`}`,
      help: [`\`dottool pin ${server}\` lists its tools`],
    };
  }
  if (!pinned) return { server, tool, state: "new", pin };
  return isSamePin(pinned, pin)
    ? { server, tool, state: "same", pin }
    : { server, tool, state: "changed", pin, difference: pinDifference(pinned, pin) };
}
