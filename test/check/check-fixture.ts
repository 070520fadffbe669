// A session over real tools and real processes in a temporary folder, for tests of definitions' own tests.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadBaseTools } from "../../src/core/base/all.ts";
import { openComposer } from "../../src/core/builder/composer.ts";
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { bundledOn } from "../../src/core/catalog/bundled-on.ts";
import { openCatalogue } from "../../src/core/catalog/catalogue.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { consentOfPerson } from "../../src/core/run/judge.ts";
import type { Session } from "../../src/core/run/session.ts";
import type { PolicyRule } from "../../src/core/tool/policy-rule.ts";
import type { Platform } from "../../src/core/tool/command.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";

const baseTools = await loadBaseTools();

const composer = await openComposer();

export interface CheckFixture {
  readonly session: Session;
  /** The absolute path of the working folder. */
  readonly folder: string;
  readonly names: readonly string[];
  /** Returns temporary folders that tests have left behind. */
  temporaryFolders(): readonly string[];
  remove(): void;
}

export interface CheckFixtureOptions {
  /** Texts by path below the working folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly policy?: readonly PolicyRule[];
  /** The platform that the tools take this machine for. */
  readonly platform?: Platform;
  /** Folders of programs that come before those of PATH. */
  readonly programs?: string;
}

export async function withCheckFixture(
  options: CheckFixtureOptions,
  body: (bench: CheckFixture) => Promise<void>,
): Promise<void> {
  const bench = await openCheckFixture(options);
  try {
    await body(bench);
  } finally {
    bench.remove();
  }
}

export async function openCheckFixture(options: CheckFixtureOptions): Promise<CheckFixture> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-check-")));
  const at = (path: string): string => join(root, path);
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    for (const folder of ["work", "tmp"]) mkdirSync(at(folder));
    for (const [path, text] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(at(`work/${path}`)), { recursive: true });
      writeFileSync(at(`work/${path}`), text);
    }
    const node = createNodeHost();
    const files = {
      ...node.files,
      makeTemporaryFolder: async (prefix: string) => mkdtempSync(join(at("tmp"), prefix)),
    };
    const { platform = node.platform, programs } = options;
    const host = {
      ...node,
      platform,
      ...(programs === undefined
        ? {}
        : {
            environment: (name: string) =>
              name === "PATH" ? `${programs}:${node.environment("PATH")}` : node.environment(name),
          }),
      files,
      folders: { home: at("home"), config: at("config"), state: at("state"), cache: at("cache"), temporary: at("tmp") },
    };
    const byName = new Map(baseTools.map((tool) => [tool.definition.name.value, tool]));
    const catalogue = await openCatalogue({
      host,
      cwd: at("work"),
      givenFolders: [],
      taken: { base: new Set(byName.keys()), reserved: new Set() },
      bundled: await bundledOn(host.platform),
      cacheKey: "test",
      globalFolder: at("etc"),
    });
    const builder = createToolBuilder({
      platform: host.platform,
      definition: (name) => catalogue.definition(name),
      baseTool: (name) => byName.get(name),
      names: () => catalogue.names(),
      composer: () => composer,
    });
    const registry = createRegistry({
      names: () => [...byName.keys(), ...catalogue.names()],
      build: (name) => {
        const definition = catalogue.definition(name);
        return definition ? builder.build(definition).value : byName.get(name);
      },
    });
    const session: Session = {
      registry,
      host,
      cwd: at("work"),
      audience: "person",
      memory: new Map(),
      setting: async () => undefined,
      policy: options.policy ?? [consentOfPerson],
      approver: { ask: async () => "once" },
    };
    return {
      session,
      folder: at("work"),
      names: catalogue.names(),
      temporaryFolders: () => readdirSync(at("tmp")),
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
