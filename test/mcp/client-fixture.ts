// A user with MCP servers: a configuration, tool folders and a state folder of their own, and a session with them in
// this process.
import { asRemoteTools } from "../../src/features/mcp-client/remote-tools.ts";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assemble, type Assembled, type AssembleOptions } from "../../src/core/session/assemble.ts";
import { pinTools, type PinResult, type Wanted } from "../../src/features/mcp-client/pin-tools.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import type { ToolResult } from "../../src/core/tool/call.ts";
import { compileCache } from "../program.ts";

export const hostileServer = fileURLToPath(new URL("./client-servers/hostile.ts", import.meta.url));
const runtimeWords = "Deno" in globalThis ? ["run", "-A"] : [];

/** Returns lines below the name of a server in `mcp_servers:`. */
export function serverLines(file: string, ...words: readonly string[]): string {
  return `command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([...runtimeWords, file, ...words])}\n    env: {NOTES: NOTES_FOLDER, ${Object.entries(
    compileCache,
  )
    .map(([name, folder]) => `${name}: ${JSON.stringify(folder)}`)
    .join(", ")}}`;
}

export interface ClientFixtureOptions extends Pick<AssembleOptions, "person" | "onEvent" | "frontEnd" | "approver"> {
  /** Servers by name, each from `serverLines`. The default is the hostile one as `it`. */
  readonly servers?: Readonly<Record<string, string>>;
  /** Texts of tool files by name. */
  readonly tools?: Readonly<Record<string, string>>;
  /** Further lines of `config.yaml`. */
  readonly config?: string;
}

export class ClientFixture {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-mcp-client-")));
  readonly #options: ClientFixtureOptions;
  readonly sessions: Assembled[] = [];

  constructor(options: ClientFixtureOptions) {
    this.#options = options;
    this.write("notes/.keep", "");
    const servers = Object.entries(options.servers ?? { it: serverLines(hostileServer, "plain") });
    this.write(
      "config/dottool/config.yaml",
      `mcp_servers:\n${servers.map(([name, lines]) => `  ${name}:\n    ${lines.replaceAll("NOTES_FOLDER", JSON.stringify(join(this.folder, "notes")))}\n`).join("")}${options.config ?? ""}`,
    );
    for (const [name, text] of Object.entries(options.tools ?? {})) this.write(`tools/${name}.tool`, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Returns what the hostile server was sent. */
  diary(): readonly string[] {
    const path = join(this.folder, "notes/diary");
    return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
  }

  /** Returns how often a server was started. */
  starts(): number {
    return this.diary().filter((line) => line.startsWith("start ")).length;
  }

  /** Runs with the environment of the bench's user. */
  async within<T>(body: () => Promise<T>): Promise<T> {
    const names = ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] as const;
    const before = names.map((name) => process.env[name]);
    names.forEach((name) => void (process.env[name] = join(this.folder, name.slice(4, -5).toLowerCase())));
    const begun = body();
    for (const [index, name] of names.entries())
      before[index] === undefined ? delete process.env[name] : (process.env[name] = before[index]);
    return begun;
  }

  async open(): Promise<Assembled> {
    const { servers: _servers, tools: _tools, config: _config, ...others } = this.#options;
    const opened = await this.within(() =>
      assemble({
        cwd: this.folder,
        toolFolders: [join(this.folder, "tools")],
        globalFolder: join(this.folder, "etc"),
        ...others,
      }),
    );
    this.sessions.push(opened);
    return opened;
  }

  /** Returns the processes of this bench. */
  left(): readonly string[] {
    return readdirSync("/proc")
      .filter(
        (pid) =>
          /^\d+$/.test(pid) &&
          Number(pid) !== process.pid &&
          readProc(pid, "environ").includes(this.folder) &&
          readProc(pid, "stat").split(") ")[1]?.[0] !== "Z",
      )
      .map((pid) => `${pid} ${readProc(pid, "cmdline").replaceAll("\0", " ")}`);
  }
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Removes everything afterwards. */
export async function withClient(
  options: ClientFixtureOptions,
  work: (bench: ClientFixture) => Promise<void>,
): Promise<void> {
  const bench = new ClientFixture(options);
  let left: readonly string[] = [];
  try {
    await work(bench);
  } finally {
    for (const { remoteTools, host } of bench.sessions) {
      await asRemoteTools(await remoteTools()).end();
      await host.processes.endAll();
    }
    left = bench.left();
    rmSync(bench.folder, { recursive: true, force: true });
  }
  if (left.length > 0) throw new Error(`left behind: ${left.join("; ")}`);
}

export async function pin(opened: Assembled, ...wanted: readonly Wanted[]): Promise<readonly PinResult[]> {
  return pinTools(wanted, {
    remote: asRemoteTools(await opened.remoteTools()),
    host: opened.host,
    signal: new AbortController().signal,
    hide: async () => undefined,
  });
}

let calls = 0;

export function call(opened: Assembled, tool: string, args: object = {}): Promise<ToolResult> {
  return callUntil(new AbortController().signal, opened, tool, args);
}

export function callUntil(
  signal: AbortSignal,
  opened: Assembled,
  ...[tool, args = {}]: readonly [tool: string, args?: object]
): Promise<ToolResult> {
  return callTool({ id: String(++calls), tool, arguments: args }, opened.session, signal);
}

/** Returns the content as one text, or the words of a failure. */
export function textOf(result: ToolResult): string {
  const content = result.content.map((item) => (item.type === "text" ? item.text : JSON.stringify(item))).join("\n");
  return result.status === "ok"
    ? content
    : [content, failureText(result.failure, { audience: "person", tool: result.call.tool })]
        .filter((part) => part !== "")
        .join("\n");
}
