// A list says what is there now, whatever is cached. Each thing that it depends on is changed here without notice.
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import process from "node:process";
import { projectRootOf, trustKeyOf } from "../../src/core/catalog/trust.ts";
import { removeRecord } from "../../src/cli/session/trust-records.ts";
import { toolText } from "../catalog/catalogue-fixture.ts";
import { assert, suite } from "../harness.ts";
import { type ListFixture, type ListOptions, withListFixture } from "./list-fixture.ts";

const test = suite("list after changes");

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

async function withList(body: (bench: ListFixture) => Promise<void>): Promise<void> {
  await withListFixture(files, async (bench) => {
    chmodSync(bench.at("bin/helper"), 0o755);
    await body(bench);
  });
}

/**
 * Changes the content, and of the facts only the one that no program can set. That is in the next tick of the clock, as
 * always with files that are old enough.
 */
function writeUnseen(bench: ListFixture, path: string, [from, to]: readonly [string, string]): void {
  const { atime, mtime, ctimeMs } = statSync(bench.at(path));
  const text = readFileSync(bench.at(path), "utf8").replaceAll(from, to);
  do {
    writeFileSync(bench.at(path), text);
    utimesSync(bench.at(path), atime, mtime);
    // Deno reports whole seconds.
  } while (statSync(bench.at(path)).ctimeMs === ctimeMs);
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` is of type void
const changes: Readonly<Record<string, (bench: ListFixture) => ListOptions | void>> = {
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
  ...(onWindows
    ? {}
    : {
        "others may write to the user's folder": (bench: ListFixture) => chmodSync(bench.at("config/tools"), 0o777),
        "a program may not be run any more": (bench: ListFixture) => chmodSync(bench.at("bin/helper"), 0o644),
      }),
  ...(process.getuid?.() === 0
    ? {
        "the user's folder belongs to somebody else": (bench: ListFixture) =>
          chownSync(bench.at("config/tools"), 65_534, 65_534),
      }
    : {}),
};

for (const [what, change] of Object.entries(changes)) {
  test(`a list says so when ${what}`, async () => {
    await withList(async (bench) => {
      const cwd = what.includes("nearer") ? { cwd: "work/below" } : {};
      const before = await bench.list(cwd);
      assert.is(before, await bench.truth(cwd));
      const options = change(bench) ?? {};
      const truth = await bench.truth(options);
      assert.not.equal(truth, before);
      assert.is(await bench.list(options), truth);
      assert.is(await bench.list(options), truth);
    });
  });
}

test.run();
