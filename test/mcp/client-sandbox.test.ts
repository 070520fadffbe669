// Servers in the sandbox that the user's settings give them.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { call, type ClientFixture, pin, serverLines, textOf, withClient } from "./client-fixture.ts";
import { allAttacks, cameThrough, isRunning, walledServer } from "./walled-attacks.ts";

const test = suite("mcp/client: servers in the sandbox");

/** `places` are further lines of the settings. */
const walled = (...places: readonly string[]): string =>
  [serverLines(walledServer, "FOLDER"), `reads: [${JSON.stringify(dirname(walledServer))}]`, ...places].join("\n    ");
const home = (bench: ClientFixture): string => join(bench.folder, "home");

/** A bench whose folder is the person's home. */
async function atHome(servers: Readonly<Record<string, string>>, work: (bench: ClientFixture) => Promise<void>) {
  needPrograms("bwrap");
  const before = process.env["HOME"];
  try {
    await withClient({ servers }, async (bench) => {
      mkdirSync(home(bench));
      process.env["HOME"] = home(bench);
      await work(bench);
    });
  } finally {
    process.env["HOME"] = before ?? "";
  }
}

// Deno cannot pass open files to a process.
if (!("Deno" in globalThis)) {
  test("a server reads, writes and reaches nothing but what its settings name", () =>
    atHome({ free: serverLines(walledServer), it: walled(), named: walled("hosts: [example.com]") }, async (bench) => {
      const opened = await bench.open();
      for (const [server, expected] of [
        ["free", allAttacks],
        ["it", []],
        ["named", []],
      ] as const) {
        await pin(opened, { server });
        const through = await cameThrough({
          home: home(bench),
          call: async (tool, args) => textOf(await call(opened, `mcp:${server}/${tool}`, args)),
        });
        assert.equal([server, through], [server, expected]);
      }
      const { sandbox } = await call(opened, "mcp:it/tell");
      assert.equal(sandbox, { level: "strict", sandbox: "full", missing: [] });
    }));

  test("a server writes in the folder that is named, and in a home folder of its own, which stays", () =>
    atHome({ it: walled("writes: [WRITABLE/]") }, async (bench) => {
      const path = "config/dottool/config.yaml";
      const notes = join(bench.folder, "written");
      bench.write(path, readFileSync(join(bench.folder, path), "utf8").replace("WRITABLE", notes));
      const opened = await bench.open();
      await pin(opened, { server: "it" });
      const own = (textOf(await call(opened, "mcp:it/tell")) ?? "").split(" ")[0] ?? "";
      assert.is(own, join(bench.folder, "cache/dottool/server-homes/it"));
      for (const folder of [notes, own]) {
        await call(opened, "mcp:it/write", { path: join(folder, "one"), text: "1" });
        assert.equal([folder, readdirSync(folder)], [folder, ["one"]]);
      }
    }));

  test("what a server leaves behind ends with it", () =>
    atHome({ it: walled() }, async (bench) => {
      const opened = await bench.open();
      await pin(opened, { server: "it" });
      const mark = `left-by-${opened.host.randomId()}`;
      assert.is(textOf(await call(opened, "mcp:it/leave", { mark })), "left");
      assert.is(isRunning(mark), true);
      await opened.host.processes.endAll();
      assert.is(isRunning(mark), false);
    }));

  test("what the sandbox of a server lacks is in each result", () =>
    atHome({ it: walled("cwd: CWD") }, async (bench) => {
      for (let key = 0; key < 201; key++) bench.write(`keys/${key}.key`, "");
      const path = "config/dottool/config.yaml";
      bench.write(path, readFileSync(join(bench.folder, path), "utf8").replace("CWD", join(bench.folder, "keys")));
      const opened = await bench.open();
      await pin(opened, { server: "it" });
      const { sandbox } = await call(opened, "mcp:it/tell");
      assert.equal([sandbox?.sandbox, sandbox?.missing], ["partial", ["files with keys can be read: there are 201"]]);
    }));

  test("a server whose sandbox cannot be made is not started, and the reason is told", () =>
    atHome({ it: walled("cwd: ~/", "sandbox: strict") }, async (bench) => {
      const opened = await bench.open();
      assert.equal(await pin(opened, { server: "it" }), [
        {
          server: "it",
          state: "failed",
          reason: `the MCP server \`it\` cannot be asked for its tools: its sandbox cannot be made: \`${home(bench)}\` is your home folder, which a sandbox hides; run it in a separate folder`,
          help: [],
        },
      ]);
    }));
}

test.run();
