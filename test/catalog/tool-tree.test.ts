// The content of a tool folder, on real files: what counts, what is the same, and what a warm look costs.
import {
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  isSameTree,
  readTree,
  type ToolTree,
  TREE_BYTES_MAX,
  TREE_DEPTH_MAX,
  TREE_FILES_MAX,
  TREE_FOLDERS_MAX,
} from "../../src/core/catalog/tool-tree.ts";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import { projectConfigs } from "../../src/core/catalog/project-rules.ts";
import { trustKeyOf, trustStateOf } from "../../src/core/catalog/trust.ts";
import { readKnownTree, recordFolderOf } from "../../src/core/catalog/trust-store.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { withoutRights } from "../without-rights.ts";
import { CatalogueFixture } from "./catalogue-fixture.ts";

const test = suite("tool tree");

async function withFixture(
  files: Readonly<Record<string, string>>,
  use: (bench: CatalogueFixture, folder: string) => void | Promise<void>,
): Promise<void> {
  const bench = new CatalogueFixture(files);
  try {
    mkdirSync(bench.at("work/.tools"), { recursive: true });
    await use(bench, bench.at("work/.tools"));
  } finally {
    bench.remove();
  }
}

function treeOf(folder: string, host: Host): ToolTree {
  const tree = readTree(folder, { host });
  if ("problem" in tree) throw new Error(tree.problem);
  return tree;
}

/** Returns a host whose clock is ahead of the files by more than a tick of any file system. */
function later(host: Host): Host {
  return { ...host, timestamp: () => new Date(Date.now() + 10_000).toISOString() };
}

test("the hash is of paths and contents, wherever the folder lies", () =>
  withFixture(
    {
      "work/.tools/a.tool": "a",
      "work/.tools/lib/b": "b",
      "other/.tools/lib/b": "b",
      "other/.tools/a.tool": "a",
      "third/.tools/a.tool": "a",
      "third/.tools/lib/c": "b",
    },
    (bench, folder) => {
      const [here, there, third] = [folder, bench.at("other/.tools"), bench.at("third/.tools")].map((path) =>
        treeOf(path, bench.host),
      );
      assert.equal(
        [
          here?.sha256 === there?.sha256,
          here?.sha256 === third?.sha256,
          here?.files.map(({ path }) => path),
          here?.folders,
        ],
        [true, false, ["a.tool", "lib/b"], ["", "lib"]],
      );
    },
  ));

test("every change is seen: new, gone, renamed, swapped with the same size and date, and a link that leads elsewhere", () =>
  withFixture(
    { "work/.tools/a": "one", "work/.tools/lib/b": "b", "work/x": "xx1", "work/y": "yy1" },
    (bench, folder) => {
      symlinkSync("../x", `${folder}/link`);
      const steps: readonly (() => void)[] = [
        () => writeFileSync(`${folder}/new`, ""),
        () => rmSync(`${folder}/new`),
        () => renameSync(`${folder}/lib/b`, `${folder}/lib/c`),
        () => mkdirSync(`${folder}/empty`),
        () => writeFileSync(`${folder}/a`, "two"),
        () => {
          writeFileSync(bench.at("spare"), "six");
          utimesSync(bench.at("spare"), 1, 1);
          renameSync(bench.at("spare"), `${folder}/a`);
        },
        () => {
          rmSync(`${folder}/link`);
          symlinkSync("../y", `${folder}/link`);
        },
        () => linkSync(bench.at("work/x"), `${folder}/hard`),
      ];
      let known = treeOf(folder, later(bench.host));
      assert.equal(isSameTree(folder, known, bench.host), true);
      for (const step of steps) {
        step();
        assert.equal(isSameTree(folder, known, bench.host), false);
        known = treeOf(folder, later(bench.host));
        assert.equal(isSameTree(folder, known, bench.host), true);
      }
    },
  ));

test("what was written within a tick of the clock is read again", () =>
  withFixture({ "work/.tools/a": "a" }, (bench, folder) =>
    assert.equal(isSameTree(folder, treeOf(folder, bench.host), bench.host), false),
  ));

test("links: content behind them counts, and round ones are told", () =>
  withFixture({ "work/.tools/a": "a", "shared/lib/b": "b", "shared/c": "c" }, (bench, folder) => {
    symlinkSync("../../shared", `${folder}/shared`);
    symlinkSync("a", `${folder}/inside`);
    symlinkSync(".", `${folder}/round`);
    symlinkSync("nowhere", `${folder}/lost`);
    const before = treeOf(folder, bench.host);
    assert.equal(
      [before.files.map(({ path }) => path), before.others],
      [
        ["a", "inside", "shared/c", "shared/lib/b"],
        [
          { path: "lost", is: "link" },
          { path: "round", is: "link " },
        ],
      ],
    );
    bench.write("shared/lib/b", "changed");
    assert.equal(treeOf(folder, bench.host).sha256 === before.sha256, false);
    mkdirSync(`${folder}/one`);
    mkdirSync(`${folder}/two`);
    symlinkSync("one", `${folder}/which`);
    const one = treeOf(folder, bench.host);
    rmSync(`${folder}/which`);
    symlinkSync("two", `${folder}/which`);
    assert.equal(treeOf(folder, bench.host).sha256 === one.sha256, false);
    symlinkSync("..", `${folder}/up`);
    assert.equal(readTree(folder, { host: bench.host }), {
      problem: "has a link to a folder that contains it: `up`",
      help: "remove the link",
    });
  }));

test("the limits are told, each by its number", () =>
  withFixture({}, (bench, folder) => {
    const problem = (change: Partial<Host["instant"]>): unknown =>
      readTree(folder, { host: { ...bench.host, instant: { ...bench.host.instant, ...change } } });
    const many = (count: number, kind: "file" | "folder") =>
      Array.from({ length: count }, (_item, index) => ({ name: `n${index}`, kind }) as const);
    const help = "move out the files that its tools neither run nor import; npm packages can be bundled into one file";
    const empty = { readBytes: () => new Uint8Array(), stat: () => undefined };
    assert.equal(problem({ ...empty, list: () => many(TREE_FILES_MAX + 1, "file") }), {
      problem: "has more than 20,000 files",
      help,
    });
    assert.equal(
      problem({
        list: (path) => (path.endsWith(".tools") || path.endsWith(".tools/") ? many(TREE_FOLDERS_MAX, "folder") : []),
      }),
      { problem: "has more than 5,000 folders", help },
    );
    assert.equal(problem({ list: () => many(1, "folder") }), {
      problem: `has folders nested more than ${TREE_DEPTH_MAX} deep`,
      help,
    });
    bench.write("work/.tools/large", "");
    truncateSync(`${folder}/large`, TREE_BYTES_MAX + 1);
    assert.equal(readTree(folder, { host: bench.host }), { problem: "has more than 256 MiB", help });
    assert.equal(readTree(bench.at("nowhere"), { host: bench.host }), {
      problem: "cannot be read: it does not exist, or is a dangling link",
      help: "create it, or remove the reference to it",
    });
  }));

test("what cannot be read is named, a name that is no UTF-8 too: its content would not count", () => {
  const bench = new CatalogueFixture({ "work/.tools/a.tool": "a", "work/.tools/lib/secret/b": "b", x: "x" });
  const folder = bench.at("work/.tools");
  const lost = { problem: "has `lib/in\uFFFD`, which cannot be read: its name is not UTF-8", help: "rename it" };
  return withoutRights(bench.root, [`${folder}/lib/secret`], async () => {
    assert.equal(readTree(folder, { host: bench.host }), {
      problem: "has `lib/secret`, which cannot be read: permission denied",
      help: "change its permissions, or move it out of the tool folder",
    });
  })
    .then(() => {
      // Deno returns such names with U+FFFD, and cannot open a name given as bytes.
      if ("deno" in process.versions) return;
      const odd = Buffer.concat([Buffer.from(`${folder}/lib/in`), Buffer.from([0xff])]);
      const makers: readonly (() => void)[] = [
        () => writeFileSync(odd, ""),
        () => mkdirSync(odd),
        () => symlinkSync(bench.at("x"), odd),
      ];
      for (const make of makers) {
        make();
        assert.equal(readTree(folder, { host: bench.host }), lost);
        rmSync(odd, { recursive: true });
      }
      bench.write("work/.tools/lib/in\uFFFD", "a name like any other");
      assert.equal(treeOf(folder, bench.host).files.length, 3);
    })
    .finally(() => bench.remove());
});

test("a warm look hashes nothing and reads no file of the folder; a folder that is named is not looked at", () =>
  withFixture({ "work/.tools/a.tool": "a", "work/.tools/config.yaml": "x: 1\n" }, (bench, folder) => {
    const content = readContent(folder, bench.host);
    if ("problem" in content) throw new Error(content.problem);
    trustContent(content, bench.host);
    const project = { scope: "project", path: folder } as const;
    assert.equal(trustStateOf(project, later(bench.host)).isTrusted, true);
    const read: string[] = [];
    const refuse = (): never => {
      throw new Error("hashed");
    };
    const watching: Host = {
      ...bench.host,
      sha256: refuse,
      instant: {
        ...bench.host.instant,
        readBytes: (path, max) => (read.push(path), bench.host.instant.readBytes(path, max)),
      },
    };
    assert.equal(trustStateOf(project, watching).isTrusted, true);
    assert.equal(
      read.filter((path) => path.startsWith(folder)),
      [],
    );
    assert.equal(
      trustStateOf(
        { scope: "given", path: folder },
        { ...bench.host, instant: { ...bench.host.instant, stat: refuse, names: refuse } },
      ),
      { isTrusted: true },
    );
    // Damaged facts only cost a look at the content.
    bench.write("work/.tools/a.tool", "a");
    assert.equal(
      [
        trustStateOf(project, bench.host).isTrusted,
        readKnownTree(trustKeyOf(folder, bench.host), bench.host)?.files.length,
      ],
      [true, 2],
    );
  }));

test("a project's settings count with the text that was trusted, until another one is", () =>
  withFixture({ "work/.tools/config.yaml": "x: 1\n" }, async (bench, folder) => {
    const project = { scope: "project", path: folder } as const;
    const configs = async (
      host = bench.host,
      cwd = folder,
    ): Promise<readonly (readonly [owner: string, text: string])[]> =>
      (await projectConfigs(project, { host, cwd })).map(({ owner, text }) => [owner, text]);
    assert.equal(await configs(), [["untrusted", "x: 1\n"]]);
    const content = readContent(folder, bench.host);
    if ("problem" in content) throw new Error(content.problem);
    trustContent(content, bench.host);
    assert.equal(await projectConfigs(project, { host: bench.host, cwd: folder }), [
      { path: join(folder, "config.yaml"), text: "x: 1\n", owner: "project" },
    ]);
    // A host on which a file is swapped between the look and the reading.
    const swapping: Host = {
      ...bench.host,
      instant: {
        ...bench.host.instant,
        readBytes: (path, max) =>
          path === join(folder, "config.yaml")
            ? new TextEncoder().encode("x: 2\n")
            : bench.host.instant.readBytes(path, max),
      },
    };
    assert.equal(await configs(swapping), [
      ["trusted before", "x: 1\n"],
      ["untrusted", "x: 2\n"],
    ]);
    bench.write("work/.tools/config.yaml", "x: 3\n");
    const unlisted: Host = {
      ...bench.host,
      instant: {
        ...bench.host.instant,
        names: (path) => {
          if (path === recordFolderOf(bench.host)) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
          return bench.host.instant.names(path);
        },
      },
    };
    // From another folder, the project is only looked at.
    for (const [host, cwd] of [[bench.host], [unlisted], [bench.host, "/"]] as const)
      assert.equal(await configs(host, cwd), [
        ["trusted before", "x: 1\n"],
        ["untrusted", "x: 3\n"],
      ]);
    // Without settings, a record that cannot be read may be of a project that had some.
    rmSync(`${folder}/config.yaml`);
    const records = recordFolderOf(bench.host);
    for (const name of readdirSync(records).filter((name) => name.endsWith(".trust.json")))
      writeFileSync(`${records}/${name}`, "damaged");
    assert.equal(await configs(), [["trusted before", ""]]);
  }));

test("the settings of every project around count, nearest first", () =>
  withFixture(
    {
      "work/.tools/config.yaml": "x: 1\n",
      "work/a/.tools/config.yaml": "x: 2\n",
      "work/a/b/.tools/config.yaml": "x: 3\n",
    },
    async (bench) => {
      const cwd = bench.at("work/a/b");
      const found = await projectConfigs(undefined, { host: bench.host, cwd });
      assert.equal(
        found.map(({ owner, text }) => [owner, text]),
        [3, 2, 1].map((value) => ["untrusted", `x: ${value}\n`]),
      );
    },
  ));

test.run();
