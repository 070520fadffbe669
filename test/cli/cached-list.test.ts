// A cached list is not shown if a new one would differ. Each thing that a list depends on is changed here without
// notice.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { projectRootOf, trustKeyOf } from "../../src/core/catalog/trust.ts";
import { removeRecord } from "../../src/core/catalog/trust-records.ts";
import { toolText } from "../catalog/catalogue-bench.ts";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { toolBench } from "../tool-bench.ts";
import { type ListBench, type ListOptions, withListBench } from "./list-bench.ts";

const test = suite("cached list");

const onWindows = process.platform === "win32";
const needy = toolText("needy").replace("@tags", "@requires helper\n@tags");
const broken = toolText("shaky").replace("echo shaky", "echo {nothing}");
const files = {
  "work/.tools/a.tool": toolText("a"),
  "work/.tools/b.tool": toolText("b"),
  "work/.tools/needy.tool": needy,
  "work/.tools/shaky.tool": broken,
  "work/.tools/o/c.tool": toolText("c"),
  "work/.tools/o/notes.txt": "one",
  "work/.tools/config.yaml": "limits: {}\n",
  "work/below/note": "",
  "config/tools/mine.tool": toolText("mine"),
  "more/extra.tool": toolText("extra"),
  "bin/helper": "#!/bin/sh\n",
};

async function withList(body: (bench: ListBench) => Promise<void>): Promise<void> {
  await withListBench(files, async (bench) => {
    chmodSync(bench.at("bin/helper"), 0o755);
    await body(bench);
  });
}

/**
 * Changes the content, and of the facts only the one that no program can set. That is in the next tick of the clock, as
 * always with files that are old enough.
 */
function writeUnseen(bench: ListBench, path: string, [from, to]: readonly [string, string]): void {
  const { atime, mtime, ctimeMs } = statSync(bench.at(path));
  const text = readFileSync(bench.at(path), "utf8").replaceAll(from, to);
  do {
    writeFileSync(bench.at(path), text);
    utimesSync(bench.at(path), atime, mtime);
    // Deno reports whole seconds.
  } while (statSync(bench.at(path)).ctimeMs === ctimeMs);
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` is of type void
const changes: Readonly<Record<string, (bench: ListBench) => ListOptions | void>> = {
  "a definition is edited, with its old size and date": (bench) =>
    writeUnseen(bench, "config/tools/mine.tool", ["Print", "Paint"]),
  "a definition of a trusted project is edited, with its old size and date": (bench) =>
    writeUnseen(bench, "work/.tools/a.tool", ["Print", "Paint"]),
  "a definition is added": (bench) => bench.write("config/tools/new.tool", toolText("new")),
  "a definition is removed": (bench) => rmSync(bench.at("config/tools/mine.tool")),
  "a definition is renamed": (bench) =>
    renameSync(bench.at("config/tools/mine.tool"), bench.at("config/tools/our.yaml")),
  "a definition is replaced by another file with its name": (bench) => {
    bench.write("config/tools/mine.new", toolText("mine", "Brand new"));
    renameSync(bench.at("config/tools/mine.new"), bench.at("config/tools/mine.tool"));
  },
  "a definition becomes a folder": (bench) => {
    rmSync(bench.at("config/tools/mine.tool"));
    mkdirSync(bench.at("config/tools/mine.tool"));
  },
  "a folder of an owner comes": (bench) => bench.write("config/tools/ana/own.tool", toolText("own")),
  "a definition in a folder of an owner is edited": (bench) =>
    bench.write("work/.tools/o/c.tool", toolText("c", "Something else.")),
  "a file beside the definitions is edited": (bench) => bench.write("work/.tools/o/notes.txt", "two"),
  "the settings of a project are edited": (bench) => bench.write("work/.tools/config.yaml", "limits: { }\n"),
  "a sound definition breaks": (bench) => bench.write("config/tools/mine.tool", broken.replaceAll("shaky", "mine")),
  "a broken definition is repaired": (bench) => {
    bench.write("work/.tools/shaky.tool", toolText("shaky"));
    bench.trust();
  },
  "a definition takes the name of another": (bench) => bench.write("config/tools/mine.tool", toolText("a")),
  "a plugin comes": (bench) => bench.write("work/.tools/plugins/one.ts", "export default {};\n"),
  "trust is withdrawn": (bench) =>
    void removeRecord(trustKeyOf(projectRootOf(bench.at("work/.tools")), bench.host), bench.host),
  "a nearer folder of tools comes": (bench) => {
    bench.write("work/below/.tools/near.tool", toolText("near"));
    return { cwd: "work/below" };
  },
  "the project's folder goes": (bench) => renameSync(bench.at("work/.tools"), bench.at("work/tools")),
  "the project's folder leads elsewhere": (bench) => {
    renameSync(bench.at("work/.tools"), bench.at("elsewhere"));
    symlinkSync(bench.at("more"), bench.at("work/.tools"));
  },
  "a program goes": (bench) => rmSync(bench.at("bin/helper")),
  "DOTTOOL_PATH is set": (bench) => ({ environment: { DOTTOOL_PATH: bench.at("more") } }),
  "PATH is another": (bench) => ({ environment: { PATH: bench.at("more") } }),
  "a folder is named": (bench) => ({ options: { toolFolders: [bench.at("more")] } }),
  "a folder is named that is not there": (bench) => ({ options: { toolFolders: [bench.at("nowhere")] } }),
  "the terminal is narrow": () => ({ port: { isTerminal: true, columns: 60 } }),
  "there are colors": () => ({ port: { hasColor: true } }),
  ...(onWindows
    ? {}
    : {
        "others may write to the user's folder": (bench: ListBench) => chmodSync(bench.at("config/tools"), 0o777),
        "a program may not be run any more": (bench: ListBench) => chmodSync(bench.at("bin/helper"), 0o644),
      }),
  ...(process.getuid?.() === 0
    ? {
        "the user's folder belongs to somebody else": (bench: ListBench) =>
          chownSync(bench.at("config/tools"), 65_534, 65_534),
      }
    : {}),
};

for (const [what, change] of Object.entries(changes)) {
  test(`a cached list is not said when ${what}`, async () => {
    await withList(async (bench) => {
      const cwd = what.includes("nearer") ? { cwd: "work/below" } : {};
      const before = await bench.warm(cwd);
      assert.is(before.text, await bench.truth(cwd));
      const options = change(bench) ?? {};
      const truth = await bench.truth(options);
      assert.not.equal(truth, before.text);
      assert.equal(await bench.list(options), { text: truth, isKept: false });
      assert.is((await bench.list(options)).text, truth);
    });
  });
}

test("a list is cached for each place and form of it", async () => {
  await withList(async (bench) => {
    const forms: readonly ListOptions[] = [
      {},
      { port: { isTerminal: true, columns: 60 } },
      { port: { hasColor: true } },
      { cwd: "work/below" },
      { options: { toolFolders: ["../more"] } },
    ];
    for (const form of forms) assert.equal(await bench.warm(form), { text: await bench.truth(form), isKept: true });
    assert.ok(bench.cached().length > 1);
    // Two lists may share a place, so not all need to be cached.
    for (const form of forms) assert.is((await bench.list(form)).text, await bench.truth(form));
  });
});

test("a list is not cached while a file is so young that it can change unseen", async () => {
  await withList(async (bench) => {
    for (let count = 0; count < 3; count++) assert.is((await bench.list({ laterMs: 0 })).isKept, false);
    assert.equal(bench.cached(), []);
    await bench.warm();
  });
});

test("a list with something that cannot be asked again is never cached", async () => {
  await withList(async (bench) => {
    const asked = { environment: { DOTTOOL_TRUST: "0".repeat(64) } };
    for (let count = 0; count < 4; count++) assert.is((await bench.list(asked)).isKept, false);
    bench.write("config/tools/plugins/one.ts", "export default (dottool) => dottool.addTool({});\n");
    for (let count = 0; count < 4; count++)
      assert.equal(await bench.list(), { text: await bench.truth(), isKept: false });
    assert.equal(bench.cached(), []);
  });
});

test("a cached list that is damaged anywhere is not said", async () => {
  await withList(async (bench) => {
    const { text } = await bench.warm();
    const [path = ""] = bench.cached();
    const whole = readFileSync(path);
    const damaged = function* (): Generator<Uint8Array> {
      for (let at = 0; at < whole.length; at += amount(97, 41))
        yield whole.map((byte, index) => (index === at ? byte ^ 1 : byte));
      for (let length = 0; length < whole.length; length += 997) yield whole.subarray(0, length);
      yield Buffer.concat([whole, whole]);
      yield Buffer.from(whole.toString().replaceAll("Print", "Paint").replaceAll('{"key":"[', '{"key":"[1,'));
      yield Buffer.from("{}{}");
      yield Buffer.from("nullnull");
      yield Buffer.alloc(whole.length);
    };
    for (const bytes of damaged()) {
      writeFileSync(path, bytes, { mode: 0o600 });
      assert.equal(await bench.list(), { text, isKept: false });
    }
    assert.equal(await bench.list(), { text, isKept: true });
    if (onWindows) return;
    chmodSync(path, 0o644);
    assert.equal(await bench.list(), { text, isKept: false });
  });
});

test("a list is said where nothing can be cached", async () => {
  await withList(async (bench) => {
    bench.write("cache/lists", "");
    for (let count = 0; count < 4; count++)
      assert.equal(await bench.list(), { text: await bench.truth(), isKept: false });
  });
});

test("a project that nobody trusts has a cached list, until somebody trusts it", async () => {
  await withListBench(files, async (bench) => {
    removeRecord(trustKeyOf(bench.at("work/.tools"), bench.host), bench.host);
    const { text } = await bench.warm();
    assert.ok(text.includes("is not trusted yet"));
    bench.trust();
    const truth = await bench.truth();
    assert.is(truth.includes("is not trusted yet"), false);
    assert.equal(await bench.list(), { text: truth, isKept: false });
  });
});

test("the program keeps a plain list, and says others as they are", async () => {
  const bench = toolBench({ "home/.config/dottool/tools/mine.tool": toolText("mine") }, { isTrusted: false });
  try {
    // Waits past the tick in which a file can change unseen, because a process has the real clock.
    const list = async (): Promise<string> => (await bench.run(["list"])).stdout;
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2_100));
    await pause();
    const first = await list();
    await pause();
    assert.is(await list(), first);
    const lists = join(bench.folder, "home/.cache/dottool/lists");
    const [name = ""] = readdirSync(lists);
    const kept = readFileSync(join(lists, name), "utf8");
    writeFileSync(join(lists, name), kept.replaceAll("Print mine", "Kept mine"), { mode: 0o600 });
    assert.is(await list(), first.replace("Print mine", "Kept mine"));
    const { stdout } = await bench.run(["list", "mine", "--json"]);
    assert.equal(
      (JSON.parse(stdout) as { tools: readonly { name: string }[] }).tools.map(({ name }) => name)[0],
      "mine",
    );
    bench.write("home/.config/dottool/tools/mine.tool", toolText("mine", "Paint mine."));
    assert.is(await list(), first.replace("Print mine", "Paint mine"));
  } finally {
    bench.remove();
  }
});

test.run();
