// One side of a comparison: the tools of a folder or file, built and never run, and the files beside them that matter.
import { basename, join, relative, sep } from "node:path";
import type { CommandContext } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { contentOf, type ToolContent } from "../../core/policy/content.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { Host } from "../../core/tool/host.ts";
import { declarationTokens, toMcpTool } from "../dialects/mcp.ts";
import { type Lock, readLock } from "../packages/lock.ts";
import { type Powers, powersOf } from "../packages/powers.ts";

export interface SideTool {
  readonly name: string;
  /** Absent if the definition has errors. */
  readonly built?: {
    /** What a model gets of it, and clients. */
    readonly declaration: JsonObject;
    readonly powers: Powers;
    /** What it asks for beyond these. */
    readonly asks: readonly string[];
    /** What holds it. */
    readonly held: readonly string[];
    /** What an approval of it is bound to. */
    readonly parts: ToolContent["parts"];
    readonly files: readonly string[];
    readonly tokens: number;
  };
}

export interface Side {
  readonly tools: ReadonlyMap<string, SideTool>;
  /** Checksums of plugins and of `config.yaml`, by path within the folder. */
  readonly files: ReadonlyMap<string, string>;
  readonly lock: Lock;
}

export interface Place {
  /** Absolute, without links: the folder of calls. */
  readonly root: string;
  /** Absolute, without links: the tool folder. */
  readonly folder: string;
  /** The only file of the folder that counts. */
  readonly file?: string;
}

const FILE_BYTES_MAX = 8 * 1024 * 1024;

export async function openSide({ root, folder, file }: Place, context: CommandContext): Promise<Side | number> {
  const opened = await openSession(
    { ...context, options: { ...context.options, cwd: root, toolFolders: [] } },
    { lookedAtFolders: [{ path: folder, scope: "given" }], withoutPlugins: true, isForAuthor: true, isQuiet: true },
  );
  if (typeof opened === "number") return opened;
  const { host, session, build } = opened;
  await session.registry.complete();
  const catalogue = opened.catalogue();
  const entries = catalogue.entries.filter((entry) => {
    const path = catalogue.absolutePathOf(entry);
    const isOf =
      path !== undefined && (file === undefined ? path.startsWith(folder + sep) : path === join(folder, file));
    return isOf && (entry.resolution.kind === "used" || entry.resolution.kind === "broken");
  });
  const tools = entries.map((entry): SideTool => {
    const definition = catalogue.definitionOf(entry);
    const tool = definition && build(definition).value;
    if (!definition || !tool) return { name: entry.name };
    const powers = powersOf([entry], { root, plugins: [] }, { catalogue, host });
    const call = { call: { id: "", tool: entry.name, arguments: {} }, tool, arguments: {} };
    const { parts, files } = contentOf(call, { host, cwd: root });
    return {
      name: entry.name,
      built: {
        declaration: toMcpTool(tool),
        powers,
        ...securityOf(definition),
        parts: Object.fromEntries(
          Object.entries(parts).map(([label, sum]) => [label.replace(`${root}${sep}`, ""), sum]),
        ),
        files,
        tokens: declarationTokens(tool),
      },
    };
  });
  const plugins = catalogue.plugins.filter((plugin) => plugin.folder.path === folder).map(({ path }) => path);
  const beside = file === undefined ? [...plugins, join(folder, "config.yaml")] : [];
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    files: new Map(beside.flatMap((path) => sumOf(path, host).map((sum) => [relative(folder, path), sum]))),
    lock: file === undefined && basename(folder) === ".tools" ? readLock(root, host) : new Map(),
  };
}

function sumOf(path: string, host: Host): readonly string[] {
  const stat = host.instant.stat(path);
  if (stat?.kind !== "file") return [];
  return [`${stat.sizeBytes} ${host.sha256(host.instant.readStart(path, FILE_BYTES_MAX))}`];
}

function securityOf({ security, confirm }: ToolDefinition): {
  readonly asks: readonly string[];
  readonly held: readonly string[];
} {
  const { privilege, isolation, permissions = [], sandbox } = security ?? {};
  const isHeld = sandbox !== undefined && sandbox !== "none";
  return {
    asks: [
      ...permissions.map((one) => `permission: ${one}`),
      ...(privilege === "elevated" ? ["privilege: elevated"] : []),
    ],
    held: [
      ...(isHeld ? [`sandbox: ${sandbox}`] : []),
      ...(isolation === undefined || isolation === "none" ? [] : [`isolation: ${isolation}`]),
      ...(privilege === "reduced" ? ["privilege: reduced"] : []),
      ...(confirm === undefined ? [] : ["asks before it runs (`@confirm`)"]),
    ],
  };
}
