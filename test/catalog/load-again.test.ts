// Folders that a running program loads again: which files it looks at, and what it still notices.
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import type { Catalogue } from "../../src/core/catalog/catalogue.ts";
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { loadFolder } from "../../src/core/catalog/load-folder.ts";
import type { ToolFolder } from "../../src/core/catalog/tool-folders.ts";
import { watchFolders } from "../../src/core/host/files/watch-folders.ts";
import { assert, suite } from "../harness.ts";
import { CatalogueFixture } from "./catalogue-fixture.ts";
import type { FolderChange } from "../../src/core/tool/host.ts";

const test = suite("core/catalog/load-folder.ts");

const say = (name: string, word = "word"): string =>
  `Say.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@command echo ${word}\n`;
const COUNT = 300;
const TICK_MS = 10_000;

/** Counts the files that are read, and those whose facts are looked at. */
function counting(bench: CatalogueFixture): {
  readonly host: CatalogueFixture["host"];
  take(): { readonly read: readonly string[]; readonly asked: readonly string[] };
} {
  const { instant } = bench.host;
  let read: string[] = [];
  let asked: string[] = [];
  const short = (path: string): string => path.slice(bench.root.length + 1);
  const noted =
    <Rest extends readonly unknown[], Result>(list: () => string[], work: (path: string, ...rest: Rest) => Result) =>
    (path: string, ...rest: Rest): Result => {
      if (/\.(tool|cache)$/.test(path)) list().push(short(path));
      return work(path, ...rest);
    };
  const host = {
    ...bench.host,
    instant: {
      ...instant,
      readBytes: noted(() => read, instant.readBytes),
      replace: noted(() => read, instant.replace),
      isFileWith: noted(() => asked, instant.isFileWith),
    },
  };
  const take = () => {
    const taken = { read: read.sort(), asked: asked.sort() };
    [read, asked] = [[], []];
    return taken;
  };
  return { host, take };
}

async function withCatalogue(
  files: Readonly<Record<string, string>>,
  work: (bench: CatalogueFixture) => Promise<void>,
): Promise<void> {
  const bench = new CatalogueFixture(files);
  try {
    await work(bench);
  } finally {
    bench.remove();
  }
}

const many = Object.fromEntries(
  Array.from({ length: COUNT }, (_none, index) => [
    `config/tools/team_${index % 10}/tool_${index}.tool`,
    say(`tool_${index}`),
  ]),
);

test("loading again reads the changed file alone, and neither reads nor writes the cache", () =>
  withCatalogue(many, async (bench) => {
    const { host, take } = counting(bench);
    const first = await bench.open({ laterMs: TICK_MS });
    bench.write("config/tools/team_3/tool_13.tool", say("tool_13", "changed"));
    const changed = bench.at("config/tools/team_3/tool_13.tool");
    const next = await bench.open({
      host,
      laterMs: TICK_MS,
      earlier: { folders: first.loaded, mayDiffer: (path) => path === changed },
    });
    assert.equal(take(), { read: ["config/tools/team_3/tool_13.tool"], asked: ["config/tools/team_3/tool_13.tool"] });
    assert.equal(
      [next.names().length, commandOf(next, "team_3/tool_13"), commandOf(next, "team_4/tool_14")],
      [COUNT, "changed", "word"],
    );
    // A file that was touched and is the same counts as the same in later loads, too.
    bench.write("config/tools/team_3/tool_13.tool", say("tool_13", "changed"));
    const third = await bench.open({
      host,
      laterMs: TICK_MS,
      earlier: { folders: next.loaded, mayDiffer: (path) => path === changed },
    });
    const fourth = await bench.open({
      host,
      laterMs: TICK_MS,
      earlier: { folders: third.loaded, mayDiffer: () => false },
    });
    assert.equal([commandOf(fourth, "team_3/tool_13"), bench.parsed], ["changed", []]);
    assert.equal((await bench.open({ laterMs: TICK_MS })).names(), fourth.names());
  }));

test("a package that a person has approved since then is loaded from the start, because its tools leave the sandbox", () =>
  withCatalogue({ "store/shout.tool": say("shout") }, async (bench) => {
    const root = bench.at("store");
    const place = { scope: "package", path: root, shownPath: "package:words@1.0.0", isNamed: false } as const;
    const facts = { name: "words", version: "1.0.0", owner: "words", content: "0", tools: "", plugins: [] };
    const folderOf = (isApproved: boolean): ToolFolder => ({
      ...place,
      package: { ...facts, root, isApproved, loadedPlugins: [], trustState: () => ({ isTrusted: true }) },
    });
    const options = { host: bench.host, loadDefinitionReader, cacheKey: "key" };
    const before = await loadFolder(folderOf(false), options);
    const earlier = { folders: [before], mayDiffer: () => false };
    assert.is((await loadFolder(folderOf(true), { ...options, earlier })).folder.package?.isApproved, true);
  }));

test("so many changes are parsed once, as the cache is written", () =>
  withCatalogue(many, async (bench) => {
    const first = await bench.open({ laterMs: TICK_MS });
    for (const path of Object.keys(many)) bench.write(path, say(path.slice(path.lastIndexOf("/") + 1, -5), "other"));
    const next = await bench.open({ laterMs: TICK_MS, earlier: { folders: first.loaded, mayDiffer: () => true } });
    assert.equal([next.names().length, commandOf(next, "team_3/tool_13")], [COUNT, "other"]);
    await bench.open({ laterMs: TICK_MS });
    assert.equal(bench.parsed, []);
  }));

/**
 * Each is a change of the files, with the text of the tools afterwards. `two` is in another folder, to which a link
 * leads.
 */
const changes: Readonly<
  Record<string, readonly [change: (bench: CatalogueFixture) => void, said: Readonly<Record<string, string>>]>
> = {
  "a file that changes": [(bench) => bench.write("config/tools/one.tool", say("one", "new")), { one: "new" }],
  "a file two folders down": [
    (bench) => bench.write("config/tools/team/deep/tool.yaml", yaml("new")),
    { "team/deep": "new" },
  ],
  "a file that comes": [(bench) => bench.write("config/tools/team/new.tool", say("new", "new")), { "team/new": "new" }],
  "a file that goes": [(bench) => rmSync(bench.at("config/tools/one.tool")), { one: "nothing" }],
  "a file that takes the place of another": [
    (bench) => (
      bench.write("config/tools/one.txt", say("one", "new")),
      renameSync(bench.at("config/tools/one.txt"), bench.at("config/tools/one.tool"))
    ),
    { one: "new" },
  ],
  "a folder that takes the place of another": [
    (bench) => {
      bench.write("spare/own.tool", say("own", "new"));
      renameSync(bench.at("config/tools/team"), bench.at("gone"));
      renameSync(bench.at("spare"), bench.at("config/tools/team"));
    },
    { "team/own": "new", "team/deep": "nothing" },
  ],
  "the whole folder that another takes the place of": [
    (bench) => {
      bench.write("spare/one.tool", say("one", "new"));
      renameSync(bench.at("config/tools"), bench.at("gone"));
      renameSync(bench.at("spare"), bench.at("config/tools"));
    },
    { one: "new", two: "nothing" },
  ],
  "what a link leads to, with any other change": [
    (bench) => (
      bench.write("elsewhere/two.tool", say("two", "new")), bench.write("config/tools/one.tool", say("one", "new"))
    ),
    { one: "new", two: "new" },
  ],
  "what a linked folder holds, with any other change": [
    (bench) => (
      bench.write("elsewhere/linked/far.tool", say("far", "new")),
      bench.write("config/tools/one.tool", say("one", "new"))
    ),
    { one: "new", "linked/far": "new" },
  ],
};

const yaml = (word: string): string => `name: deep\ndescription: Say it.\nbash: echo ${word}\n`;

if (process.platform === "linux") {
  for (const [what, [change, said]] of Object.entries(changes)) {
    test(`what the watcher says is enough to see ${what}`, () =>
      withCatalogue(
        {
          "config/tools/one.tool": say("one"),
          "config/tools/team/own.tool": say("own"),
          "config/tools/team/deep/tool.yaml": yaml("word"),
          "elsewhere/two.tool": say("two"),
          "elsewhere/linked/far.tool": say("far"),
        },
        async (bench) => {
          symlinkSync(bench.at("elsewhere/two.tool"), bench.at("config/tools/two.tool"));
          symlinkSync(bench.at("elsewhere/linked"), bench.at("config/tools/linked"));
          const ended = new AbortController();
          const heard: FolderChange[] = [];
          let wake = (): void => undefined;
          watchFolders([bench.at("config/tools")], {
            signal: ended.signal,
            onChange: (news) => (heard.push(news), wake()),
            onTrouble: (path, code) => assert.unreachable(`${path}: ${code}`),
          });
          try {
            let catalogue = await bench.open({ laterMs: TICK_MS });
            const until = async (isThere: () => boolean): Promise<void> => {
              while (!isThere()) {
                await new Promise<void>((resolve) => (wake = resolve));
                const news = heard.splice(0);
                catalogue = await bench.open({
                  laterMs: TICK_MS,
                  earlier: { folders: catalogue.loaded, mayDiffer: (path) => news.some((one) => one.mayDiffer(path)) },
                });
              }
            };
            // After the first event everything is looked at; later ones say what has changed.
            bench.write("config/tools/begun.tool", say("begun"));
            await until(() => commandOf(catalogue, "begun") === "word");
            mkdirSync(bench.at("spare"));
            change(bench);
            await until(() => Object.entries(said).every(([name, word]) => commandOf(catalogue, name) === word));
          } finally {
            ended.abort();
          }
        },
      ));
  }
}

function commandOf(catalogue: Catalogue, name: string): string {
  const text = JSON.stringify(catalogue.definition(name)) ?? "";
  return /"(word|changed|other|new)"/.exec(text)?.[1] ?? /\b(?:echo )(word|new)\b/.exec(text)?.[1] ?? "nothing";
}

test.run();
