// Every file that dottool stores for itself, made and read by the real code, in folders of their own.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listDir } from "../../src/features/files/list-dir.ts";
import { readFile } from "../../src/features/files/read-file.ts";
import { projectConfigs } from "../../src/core/catalog/project-rules.ts";
import { cachePathOf, readCache, writeCache } from "../../src/core/catalog/cache.ts";
import { trustStateOf } from "../../src/core/catalog/trust.ts";
import { readTrustedTexts, recordTrouble, writeRecord, type TrustedTexts } from "../../src/core/catalog/trust-store.ts";
import { type FolderContent, readContent } from "../../src/core/catalog/trusted-content.ts";
import { readTree, type ToolTree } from "../../src/core/catalog/tool-tree.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { keepMade, readIfWhole } from "../../src/features/javascript/host/made-files.ts";
import { hasLogin } from "../../src/features/mcp-client/login.ts";
import { pinTrouble, readPins, writePins } from "../../src/features/mcp-client/pin.ts";
import { keepApproval, keptApproval, keptApprovals, type Subject } from "../../src/core/policy/approvals.ts";
import { PolicyConfig } from "../../src/core/policy/policy-config.ts";
import { countCall } from "../../src/core/policy/rate-limit.ts";
import { matchesOf } from "../../src/core/run/permit.ts";
import type { Session } from "../../src/core/run/session.ts";
import { keepOutcome, keptOutcome } from "../../src/core/steps/step-cache.ts";
import { withChecksum } from "../../src/core/store/checked-file.ts";
import type { Host } from "../../src/core/tool/host.ts";
import type { Tool } from "../../src/core/tool/tool.ts";

/**
 * `whole`: it says what was written. `told`: it does not count, and the user learns why. `made again`: as if it had not
 * existed. Any other text says what is wrong.
 */
export type Use = "whole" | "told" | "made again";

export interface KeptFile {
  readonly name: string;
  /** The version of its format. */
  readonly format: string;
  readonly damaged: Use;
  make(): Promise<string> | string;
  use(): Promise<Use | string> | Use | string;
}

export interface KeptFilesFixture {
  readonly host: Host;
  /** The tool folder of the project, whose `config.yaml` denies `read_file`. The user's denies `list_dir`. */
  readonly folder: string;
  /** Returns which of the two may be called now. */
  allowed(): Promise<readonly string[]>;
  readonly files: readonly KeptFile[];
  remove(): void;
}

export function keptFilesFixture(): KeptFilesFixture {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-kept-")));
  const at = (name: string): string => join(root, name);
  const real = createNodeHost();
  // Not synced, because it is written thousands of times.
  const files: Host["files"] = { ...real.files, write: async (path, content) => real.instant.replace(path, content) };
  const host: Host = {
    ...real,
    files,
    folders: { home: at("home"), config: at("config"), state: at("state"), cache: at("cache"), temporary: at("tmp") },
  };
  for (const folder of ["home", "config", "state", "cache", "project/.tools"])
    mkdirSync(at(folder), { recursive: true, mode: 0o700 });
  writeFileSync(
    at("project/.tools/a.tool"),
    "A.\n\n@title A\n@name a\n@tags read\n@wrapped run_command\n@command true\n",
  );
  writeFileSync(at("project/.tools/config.yaml"), "policy:\n  - {decision: deny, tool: read_file}\n");
  writeFileSync(at("config/config.yaml"), "policy:\n  - {decision: deny, tool: list_dir}\n");
  const kept = [
    rules(host),
    approvals(host),
    rates(host),
    ...trust(host, at("project/.tools")),
    definitions(host),
    made(host),
    steps(host),
    pins(host),
    login(host),
  ];
  const folder = at("project/.tools");
  return {
    host,
    folder,
    allowed: () => allowed(host, folder),
    files: kept,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function allowed(host: Host, folder: string): Promise<readonly string[]> {
  const cwd = dirname(folder);
  const config = await new PolicyConfig({
    host,
    projectConfigs: () => projectConfigs({ scope: "project", path: folder }, { host, cwd }),
  }).current();
  const session = { host, cwd } as Session;
  const args = { path: "." };
  const isDenied = (tool: Tool): boolean => {
    const call = { id: "1", tool: tool.definition.name.value, arguments: args };
    return matchesOf({ call, tool, arguments: args }, { config, session, frontEnd: "exec" }).some(
      ({ decision }) => decision === "deny",
    );
  };
  return [listDir, readFile].filter((tool) => !isDenied(tool)).map(({ definition }) => definition.name.value);
}

function rules(host: Host): KeptFile {
  const load = () => new PolicyConfig({ host }).current();
  return {
    name: "rules.json",
    format: "rules",
    damaged: "made again",
    make: async () => (await load(), join(host.folders.state, "rules.json")),
    use: async () => {
      const { policy, problems } = await load();
      return problems.length === 0 && policy?.ruleCount === 1 ? "made again" : "the rule that denies is off";
    },
  };
}

function approvals(host: Host): KeptFile {
  const subject: Subject = { tool: "a", frontEnd: "mcp", project: "/p" };
  const content = { hash: "a".repeat(64), parts: {}, files: [], rest: [] } as unknown as Parameters<
    typeof keepApproval
  >[1]["content"];
  return {
    name: "approvals",
    format: "approval",
    damaged: "told",
    make: async () => {
      await keepApproval(subject, { content, rules: ["r"] }, host);
      const folder = join(host.folders.state, "approvals");
      return join(folder, readdirSync(folder).find((name) => name.endsWith(".json")) ?? "");
    },
    use: () => {
      const listed = keptApprovals(host);
      const kept = listed.unusable[0] ?? keptApproval(subject, host);
      if (kept.kind === "none") return "nothing is told of it";
      if (kept.kind === "unusable") return "told";
      return kept.approval.hash === content.hash && kept.approval.rules.join() === "r" && listed.approvals.length === 1
        ? "whole"
        : "another approval";
    },
  };
}

function rates(host: Host): KeptFile {
  const count = () => countCall({ key: "a", rate: { calls: 2, perMs: 86_400_000 } }, host);
  return {
    name: "rates",
    format: "rates",
    damaged: "told",
    make: async () => {
      const path = join(host.folders.state, "rates", `${host.sha256("a").slice(0, 32)}.json`);
      rmSync(path, { recursive: true, force: true });
      await count();
      await count();
      return path;
    },
    use: async () => {
      const { kind } = await count();
      return kind === "too-often" ? "whole" : kind === "unknown" ? "told" : "a call is let through";
    },
  };
}

function trust(host: Host, folder: string): readonly KeptFile[] {
  const read = (): ToolTree => readTree(folder, { host }) as ToolTree;
  const texts = (): TrustedTexts => {
    const { tree, texts: found } = readContent(folder, host) as FolderContent;
    return {
      sha256: tree.sha256,
      sums: Object.fromEntries(tree.files.map(({ path, sha256 }) => [path, sha256])),
      texts: Object.fromEntries(found),
    };
  };
  const only = (below: string, ending: string): string =>
    join(below, readdirSync(below).find((name) => name.endsWith(ending)) ?? "");
  const state = () => trustStateOf({ scope: "project", path: folder }, host);
  const make = (): void => {
    writeRecord(folder, texts(), host);
    state();
  };
  const records = join(host.folders.state, "trust");
  return [
    {
      name: "trust",
      format: "trust",
      damaged: "told",
      make: () => (make(), only(records, ".trust.json")),
      use: () =>
        state().isTrusted ? "whole" : recordTrouble(folder, host) === undefined ? "nothing is told of it" : "told",
    },
    {
      name: "trusted texts",
      format: "trusted-texts",
      damaged: "made again",
      make: () => (make(), only(records, ".texts.json")),
      use: () => {
        const found = readTrustedTexts({ folder, sha256: texts().sha256, trustedAt: "", hasConfig: false }, host);
        return found === undefined
          ? "made again"
          : JSON.stringify(found) === JSON.stringify(texts())
            ? "whole"
            : "other texts";
      },
    },
    {
      name: "trees of trusted folders",
      format: "tree",
      damaged: "made again",
      make: () => (make(), only(join(host.folders.cache, "trust"), ".json")),
      use: () => {
        const found = state();
        const path = only(join(host.folders.cache, "trust"), ".json");
        if (!found.isTrusted || !found.tree || found.tree.sha256 !== read().sha256) return "the folder is not trusted";
        return existsSync(path) &&
          JSON.stringify(found.tree.files.map(({ path: name, sha256 }) => [name, sha256])) ===
            JSON.stringify(read().files.map(({ path: name, sha256 }) => [name, sha256]))
          ? "made again"
          : "another tree";
      },
    },
  ];
}

function definitions(host: Host): KeptFile {
  const options = { host, folder: "/tools", key: "key" };
  const file = {
    relativePath: "a.tool",
    sizeBytes: 1,
    mtimeMs: 2,
    ctimeMs: 3,
    inode: 4,
    checkedMs: 5,
    errorCount: 0,
    warningCount: 0,
    sha256: "f".repeat(64),
  };
  const summary = { name: "a", title: "A", summary: "S", nameStart: 0, nameEnd: 1, line: 1 };
  return {
    name: "definitions",
    format: "definitions",
    damaged: "made again",
    make: () => {
      writeCache([{ ...file, summary: summary as never, definition: '{"definition":1}' }], options);
      return cachePathOf(options);
    },
    use: () => {
      const found = readCache(options).get("a.tool");
      if (!found) return "made again";
      const read = [found.definition, found.sha256, found.inode, found.summary.title];
      return JSON.stringify(read) === JSON.stringify(['{"definition":1}', "f".repeat(64), 4, "A"])
        ? "whole"
        : "another definition";
    },
  };
}

function made(host: Host): KeptFile {
  const file = { folder: join(host.folders.cache, "erased-types"), name: "key.js", key: "key" };
  return {
    name: "erased types and transformed plugins",
    format: "made",
    damaged: "made again",
    make: () => (keepMade(file, "return 1"), join(file.folder, file.name)),
    use: () => {
      const text = readIfWhole(file);
      return text === undefined ? "made again" : text === "return 1" ? "whole" : `this would run: ${text}`;
    },
  };
}

function steps(host: Host): KeptFile {
  const outcome = { status: "ok" as const, content: [{ type: "text" as const, text: "kept" }] };
  return {
    name: "steps",
    format: "step",
    damaged: "made again",
    make: () => (keepOutcome("key", outcome, host), join(host.folders.cache, "steps/key.json")),
    use: () => {
      const found = keptOutcome("key", 86_400_000, host);
      return found === undefined
        ? "made again"
        : JSON.stringify(found) === JSON.stringify(outcome)
          ? "whole"
          : "another outcome";
    },
  };
}

function pins(host: Host): KeptFile {
  const tool = { name: "t", description: "d", inputSchema: { type: "object" } };
  return {
    name: "pins",
    format: "pins",
    damaged: "told",
    make: () => (
      writePins("s", { era: "modern", tools: new Map([["t", tool]]) }, host), join(host.folders.state, "mcp/s.json")
    ),
    use: () => {
      const found = readPins("s", host);
      if (found.tools.size === 0) return pinTrouble("s", host) === undefined ? "nothing is told of it" : "told";
      return JSON.stringify([...found.tools.values()]) === JSON.stringify([tool]) && found.era === "modern"
        ? "whole"
        : "another tool";
    },
  };
}

/** A missing login is asked for again. */
function login(host: Host): KeptFile {
  const path = join(host.folders.state, "mcp/s.login.json");
  return {
    name: "logins",
    format: "login",
    damaged: "made again",
    make: () => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        withChecksum(
          { name: "login", version: 1 },
          JSON.stringify({ version: 1, clients: {}, tokens: { "": { access_token: "t" } } }),
        ),
      );
      chmodSync(path, 0o600);
      return path;
    },
    use: () => (hasLogin({ server: "s", host }) ? "whole" : "made again"),
  };
}
