// The tools of the user's MCP servers, as a session sees them. They are built from pins, so no server is asked until a
// tool is called. Nothing of MCP's SDK is loaded here.
import { nearestNames } from "../../core/text/suggest.ts";
import type { Checked, Diagnostic } from "../../core/text/diagnostic.ts";
import type { Spanned } from "../../core/text/source.ts";
import { endWithProgram } from "../../core/tool/endings.ts";
import type { Host } from "../../core/tool/host.ts";
import { type RemoteName, remoteNameOf } from "../../core/tool/remote-name.ts";
import type { BaseTool } from "../../core/tool/tool.ts";
import { type PinnedTool, pinTrouble, readPins, type ServerPins } from "./pin.ts";
import { remoteTool, waitingRemoteTool } from "./remote-tool.ts";
import type { RemoteSurroundings, RemoteTools as SessionRemoteTools } from "../../core/session/tool-source.ts";
import type { ServerLink } from "./server-link.ts";
import { type McpServer, type ProcessServer, readServerSettings, type ServerSettings } from "./server-settings.ts";

const opened = new Map<string, RemoteTools>();

/**
 * Opens the tools of the user's servers. A program does so once: the servers outlive a session that is opened again, as
 * `dottool mcp` does after changes of files, and end with the program.
 */
export function openRemoteTools(host: Host, surroundings: RemoteSurroundings): RemoteTools {
  const key = JSON.stringify([
    host.folders.config,
    host.folders.state,
    surroundings.canAsk,
    surroundings.openLoginPrompt !== undefined,
  ]);
  const known = opened.get(key);
  if (known) {
    known.readAgain();
    return known;
  }
  const tools = new RemoteTools(host, surroundings);
  opened.set(key, tools);
  endWithProgram(() => tools.end());
  return tools;
}

/** Returns the same tools, with what this feature knows of them. */
export function asRemoteTools(tools: SessionRemoteTools): RemoteTools {
  if (tools instanceof RemoteTools) return tools;
  throw new Error("these tools of servers are not those of openRemoteTools");
}

export class RemoteTools implements SessionRemoteTools {
  readonly #host: Host;
  readonly #surroundings: RemoteSurroundings;
  readonly #links = new Map<string, Promise<ServerLink>>();
  readonly #pins = new Map<string, ServerPins>();
  #settings: ServerSettings | undefined;
  #added: ProcessServer | undefined;

  constructor(host: Host, surroundings: RemoteSurroundings) {
    this.#host = host;
    this.#surroundings = surroundings;
  }

  get settings(): ServerSettings {
    return (this.#settings ??= this.#readSettings());
  }

  #readSettings(): ServerSettings {
    const read = readServerSettings(this.#host);
    const added = this.#added;
    return added
      ? { ...read, servers: new Map([...read.servers, [added.name, { kind: "sound", server: added }]]) }
      : read;
  }

  /** Adds a server that no settings have, for as long as the program runs. */
  add(server: ProcessServer): void {
    this.#added = server;
    this.readAgain();
  }

  /** Always has a value: a tool that cannot be called says why when it is called. */
  tool(named: Spanned<string>): Checked<BaseTool> & { readonly value: BaseTool } {
    const name = remoteNameOf(named.value);
    const configured = this.settings.servers.get(name.server);
    const pin = this.pins(name.server).tools.get(name.tool);
    if (configured?.kind !== "sound") return waiting(named, this.unknownServer(name.server), pin);
    if (!pin) return waiting(named, this.#unasked(name));
    const { server } = configured;
    return {
      value: remoteTool({ name, pin, call: async (call, context) => (await this.link(server)).call(call, context) }),
      diagnostics: [],
    };
  }

  pins(server: string): ServerPins {
    const pins = this.#pins.get(server) ?? readPins(server, this.#host);
    this.#pins.set(server, pins);
    return pins;
  }

  /** Reads pins and the configuration again, after either may have been written. */
  readAgain(): void {
    this.#pins.clear();
    this.#settings = undefined;
  }

  /** Returns the names whose server is configured and has not been asked yet. */
  unasked(names: Iterable<string>): readonly RemoteName[] {
    return [...names]
      .map(remoteNameOf)
      .filter(
        ({ server, tool }) => this.settings.servers.get(server)?.kind === "sound" && !this.pins(server).tools.has(tool),
      );
  }

  link(server: McpServer): Promise<ServerLink> {
    const key = JSON.stringify(server, (_name, value: unknown) => (value instanceof Map ? [...value] : value));
    const known = this.#links.get(key);
    const link =
      known ??
      import("./server-link.ts").then(
        ({ ServerLink }) =>
          new ServerLink({
            server,
            host: this.#host,
            surroundings: this.#surroundings,
            era: this.pins(server.name).era,
          }),
      );
    this.#links.set(key, link);
    return link;
  }

  /** Ends all servers that were started. */
  async end(): Promise<void> {
    for (const [key, tools] of opened) if (tools === this) opened.delete(key);
    await Promise.all([...this.#links.values()].map(async (link) => (await link).end()));
  }

  /** Returns why a server is missing or misconfigured. */
  unknownServer(server: string): Obstacle {
    const { path, servers, problems } = this.settings;
    const configured = servers.get(server);
    if (configured?.kind === "broken")
      return {
        code: "unknown-server",
        reason: `the MCP server \`${server}\` is misconfigured: ${configured.problems[0] ?? ""}`,
        help: "fix it there",
      };
    const [near] = nearestNames(server, [...servers.keys()]);
    const reason =
      problems.length > 0 && servers.size === 0
        ? (problems[0] ?? "")
        : `there is no MCP server \`${server}\` in \`${path}\`${near === undefined ? "" : `; did you mean \`${near}\`?`}`;
    return {
      code: "unknown-server",
      reason,
      help:
        problems.length > 0 && servers.size === 0
          ? "fix it there"
          : `add \`${server}:\` below \`mcp_servers:\` there, with \`command:\` and \`args:\`, or with \`url:\``,
    };
  }

  #unasked(name: RemoteName): Obstacle {
    const others = [...this.pins(name.server).tools.keys()];
    const [near] = nearestNames(name.tool, others);
    const trouble = pinTrouble(name.server, this.#host);
    const unasked = `the tool \`${name.tool}\` of the MCP server \`${name.server}\` is not pinned yet`;
    const reason = trouble ?? `${unasked}${near === undefined ? "" : `; it has \`${near}\``}`;
    return { code: "unasked-server", reason, help: `run: dottool pin ${name.server}/${name.tool}` };
  }
}

interface Obstacle {
  readonly code: Diagnostic["code"];
  readonly reason: string;
  readonly help: string;
}

/**
 * Reports a tool that cannot be called as a warning: the definition may be right, and only this machine not set up for
 * it.
 */
function waiting(
  named: Spanned<string>,
  { code, reason, help }: Obstacle,
  pin?: PinnedTool,
): Checked<BaseTool> & { readonly value: BaseTool } {
  const name = remoteNameOf(named.value);
  const diagnostic: Diagnostic = {
    code,
    severity: "warning",
    message: reason,
    at: { span: named.span, text: "" },
    related: [],
    help: [help],
  };
  return { value: waitingRemoteTool(name, { reason, help }, pin), diagnostics: [diagnostic] };
}
