import { execFile, execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { countCall } from "../../src/core/policy/rate-limit.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { withChecksum } from "../../src/core/store/checked-file.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { testProject, startingOnce } from "../test-project.ts";
import { statePath, withPolicy } from "./policy-fixture.ts";

const test = suite("rate-limit");
const runLine = startingOnce();
const rate = { calls: 2, perMs: 60_000 };
const fileOf = (key: string, host: Host): string => `${host.folders.state}/rates/${host.sha256(key).slice(0, 32)}.json`;

/** Returns how long to wait until the next call, or why that is not known. */
async function waitFor(key: string, host: Host): Promise<number | string | undefined> {
  const answer = await countCall({ key, rate }, host);
  return answer.kind === "counted"
    ? undefined
    : answer.kind === "too-often"
      ? answer.waitMs
      : `${answer.reason}; ${answer.help}`;
}

test("so many calls are let through in any stretch of time, and then it is told how long to wait", async () => {
  const host = memoryHost();
  const waits = [await waitFor("a", host)];
  host.advance(10_000);
  for (const key of ["a", "a", "b"]) waits.push(await waitFor(key, host));
  host.advance(50_000);
  for (const key of ["a", "a"]) waits.push(await waitFor(key, host));
  assert.equal(waits, [undefined, undefined, 50_000, undefined, undefined, 10_000]);
});

test("a clock that is set back holds nothing up for longer than once", async () => {
  const host = memoryHost();
  host.advance(86_400_000);
  await waitFor("a", host);
  await waitFor("a", host);
  host.advance(-86_400_000);
  const waits = [await waitFor("a", host)];
  host.advance(60_000);
  waits.push(await waitFor("a", host));
  assert.equal(waits, [60_000, undefined]);
});

test("a lock of a killed process is broken", async () => {
  const host = memoryHost();
  const name = fileOf("a", host);
  host.instant.replace(`${name}.lock`, JSON.stringify({ processId: 99, since: "", id: "" }));
  const times = [Date.parse(host.timestamp()), Date.parse(host.timestamp())];
  host.instant.replace(name, withChecksum({ name: "rates", version: 2 }, JSON.stringify({ times })));
  host.advance(20_000);
  assert.equal([await waitFor("a", host), Object.keys(host.texts())], [40_000, [name]]);
});

test("a damaged list refuses until somebody removes it as it says", async () => {
  const host = memoryHost();
  const name = fileOf("a", host);
  host.instant.replace(name, "{{{");
  const told = `\`${name}\` is damaged: its content does not match its checksum; remove it to count from now on`;
  assert.equal([await waitFor("a", host), await waitFor("a", host), host.texts()[name]], [told, told, "{{{"]);
  host.instant.remove(name);
  assert.is(await waitFor("a", host), undefined);
});

test("what cannot be counted is refused: a full disk, a folder that takes no file, a file of a later dottool", async () => {
  const host = memoryHost();
  const failing = (code: string): Host => ({
    ...host,
    shared: {
      ...host.shared,
      create: () => {
        throw Object.assign(new Error(code), { code });
      },
    },
  });
  const folder = dirname(dirname(fileOf("b", host)));
  const help = `free space or fix the permissions in \`${folder}\`, or set XDG_STATE_HOME to a writable folder`;
  assert.equal(
    [await waitFor("b", failing("ENOSPC")), await waitFor("b", failing("EROFS"))],
    ["ENOSPC", "EROFS"].map((code) => `\`${fileOf("b", host)}\` cannot be written to (${code}); ${help}`),
  );
  const later = withChecksum({ name: "rates", version: 99 }, "[]");
  host.instant.replace(fileOf("b", host), later);
  assert.equal(
    [await waitFor("b", host), host.instant.readBytes(fileOf("b", host), 1_000)],
    [
      `\`${fileOf("b", host)}\` was written by a newer dottool; use that version, or remove \`${fileOf("b", host)}\``,
      later,
    ],
  );
});

test("of 300 calls at once in a process, and more in others, as many run as the rate says", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-rates-"));
  try {
    const real = createNodeHost();
    const host: Host = { ...real, folders: { ...real.folders, state: folder } };
    const program = fileURLToPath(new URL("rate-caller.ts", import.meta.url));
    const others = [1, 2, 3].map(async () =>
      Number((await promisify(execFile)(process.execPath, [program, folder, "100"])).stdout),
    );
    const own = await Promise.all(
      Array.from(
        { length: 300 },
        async () => (await countCall({ key: "many", rate: { calls: 187, perMs: 86_400_000 } }, host)).kind,
      ),
    );
    const counts = [own.filter((kind) => kind === "counted").length, ...(await Promise.all(others))];
    assert.equal(
      [counts.reduce((sum, count) => sum + count, 0), own.filter((kind) => kind === "unknown").length],
      [187, 0],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a list that others can write to counts nothing until it is one's own again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-rates-"));
  try {
    const real = createNodeHost();
    const host: Host = { ...real, folders: { ...real.folders, state: folder } };
    assert.is(await waitFor("a", host), undefined);
    const help = `make \`${folder}\` and everything in it writable only by you, for example with \`chmod -R go-w\`, or set XDG_STATE_HOME to another folder`;
    const places = [
      [fileOf("a", host), "can be written by others"],
      [folder, `is in \`${folder}\`, which can be written by others`],
    ] as const;
    for (const [path, trouble] of places) {
      const told = `\`${fileOf("a", host)}\` ${trouble}; ${help}`;
      chmodSync(path, 0o777);
      for (let time = 0; time < 2; time++) assert.is(await waitFor("a", host), told);
      execFileSync("chmod", ["-R", "go-w", folder]);
    }
    assert.is(await waitFor("a", host), undefined);
    assert.is(typeof (await waitFor("a", host)), "number");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("while another process holds the list, nothing runs", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-rates-"));
  try {
    const real = createNodeHost();
    // Time passes faster, so that waiting ends.
    const host: Host = { ...real, folders: { ...real.folders, state: folder }, nowMs: () => real.nowMs() * 1_000 };
    const path = fileOf("a", host);
    real.shared.create(`${path}.lock`, JSON.stringify(real.shared.identity()));
    const answers = await Promise.all(Array.from({ length: 300 }, () => waitFor("a", host)));
    assert.equal(
      [...new Set(answers)],
      [`other processes of dottool have held \`${path}.lock\` for too long; call again later`],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("where the state folder takes no file, a tool without a rate runs, and one with a rate says which folder and how to name another", async () => {
  using bench = testProject({
    ".tools/rare.tool": "Rare.\n\n@title Rare\n@name rare\n@wrapped run_command\n@limit rate=3/day\n@command true\n",
    ".tools/free.tool": "Free.\n\n@title Free\n@name free\n@wrapped run_command\n@command true\n",
  });
  const file = join(bench.folder, "a-file");
  writeFileSync(file, "");
  const run = (name: string): ReturnType<typeof bench.run> =>
    runLine(bench, ["--tools", ".tools", name], { environment: { XDG_STATE_HOME: file } });
  const free = await run("free");
  const rare = await run("rare");
  assert.equal([free.exitCode, rare.exitCode, /cannot be counted: .*XDG_STATE_HOME/.test(rare.stderr)], [0, 77, true]);
  assert.is(
    (
      await runLine(bench, ["--tools", ".tools", "rare"], {
        environment: { XDG_STATE_HOME: join(bench.folder, "elsewhere") },
      })
    ).exitCode,
    0,
  );
});

test("another name for a tool, and another process, are no way round how often it may be called", async () => {
  await withPolicy(
    { rare: "@wrapped run_command\n@limit rate=2/day\n@tags read\n@command true", again: "@wrapped rare" },
    async (bench) => {
      const said = async (tool: string, args: JsonObject = {}): Promise<string> =>
        (await bench.open("person")).said(tool, args);
      assert.equal(
        [
          await said("rare"),
          await said("again"),
          (await said("again")).replace(/\d+ s$/, "N s"),
          bench.list(statePath("rates")).length,
        ],
        [
          "ok",
          "ok",
          "failed[too-often]: `again` may be called 2 times a day; this limit is reached\n  = call again in N s",
          1,
        ],
      );
      bench.rules("policy:\n  - {tool: run_command, rate: 2/day}\n");
      bench.write(
        "tools/one.tool",
        "One.\n\n@title One\n@name one\n@tags run\n@step first runs\n    true\n@step second runs\n    true\n",
      );
      const kinds = await Promise.all(
        ["one", "one", "run_command"].map(
          async (tool) => (await said(tool, tool === "one" ? {} : { command: "true" })).split("]")[0],
        ),
      );
      assert.equal(kinds.sort(), ["failed[too-often", "ok", "ok"]);
      bench.rules('policy:\n  - {tool: "find_*", rate: 1/h}\n');
      const find = { patterns: ["*"] };
      const opened = await bench.open("person");
      assert.equal(
        [
          await opened.headline("find_files", find),
          (await opened.headline("find_files", find)).replace(/`.*/, ""),
          await opened.headline("list_dir", {}),
        ],
        ["ok", "failed[too-often]: ", "ok"],
      );
    },
  );
});

test("processes that call at once are counted one by one", async () => {
  using bench = testProject({
    ".tools/rare.tool": "Rare.\n\n@title Rare\n@name rare\n@wrapped run_command\n@limit rate=3/day\n@command true\n",
  });
  const codes = await Promise.all(Array.from({ length: 6 }, async () => (await runLine(bench, ["rare"])).exitCode));
  assert.equal(codes.sort(), [0, 0, 0, 1, 1, 1]);
});

test.run();
