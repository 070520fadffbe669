import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startByHandles, TESTED_VERSION } from "../../src/core/host/processes/process-handles.ts";
import { assert, suite } from "../harness.ts";
import { processBench } from "./process-bench.ts";

const test = suite("process-handles");

const folder = new URL("../../", import.meta.url);
const environment = { PATH: process.env["PATH"] ?? "" };

test("the executables that use handles have the version of Node that is tested here", () => {
  const bases = JSON.parse(readFileSync(new URL("scripts/bases.json", folder), "utf8")) as Readonly<
    Record<string, { readonly version: string }>
  >;
  assert.equal(
    [bases["linux-x64"], bases["linux-arm64"]].map((base) => `v${base?.version}`),
    [TESTED_VERSION, TESTED_VERSION],
  );
});

// Other systems and versions have no such handles, or they are untested.
if (process.version === TESTED_VERSION && !("Deno" in globalThis)) {
  const bench = pathToFileURL(fileURLToPath(new URL("test/host/process-bench.ts", folder))).href;
  const loadedBy = (
    changes: string,
    {
      flags = [],
      variables = {},
    }: { readonly flags?: readonly string[]; readonly variables?: Readonly<Record<string, string>> } = {},
  ): string => {
    const script = `import { processBench } from ${JSON.stringify(bench)}; const { stdout } = await processBench().run(["cat"], ${changes}); console.log(JSON.stringify(stdout), process.moduleLoadList.includes("NativeModule child_process"));`;
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", script], {
      env: { ...environment, ...variables },
      encoding: "utf8",
    });
    return `${stdout}${stderr}`;
  };

  test("a process that reads nothing is started without `node:child_process`", () => {
    assert.is(loadedBy("{}"), '"" false\n');
    assert.is(loadedBy("{ memoryBytesMax: 1e9, processesMax: 100 }"), '"" false\n');
  });

  test("one that reads is started by `node:child_process`", () => {
    assert.is(loadedBy('{ stdin: "in" }'), '"in" true\n');
  });

  test("where Node warns of its handles or keeps them to itself, `node:child_process` starts all", () => {
    const flags = ["--disable-warning=DEP0169", "--disable-warning=SecurityWarning"];
    for (const spelling of ["--pending-deprecation", "--pending_deprecation"]) {
      assert.is(loadedBy("{}", { flags: [...flags, spelling] }), '"" true\n');
      assert.is(loadedBy("{}", { flags, variables: { NODE_OPTIONS: spelling } }), '"" true\n');
    }
    assert.is(loadedBy("{}", { flags, variables: { NODE_PENDING_DEPRECATION: "1" } }), '"" true\n');
    assert.is(
      loadedBy("{}", { flags: [...flags, "--permission", "--allow-child-process", "--allow-fs-read=*"] }),
      '"" true\n',
    );
  });

  test("all that holds for a run holds for one that `node:child_process` starts", () => {
    const printed = execFileSync(
      process.execPath,
      [fileURLToPath(new URL("test/run.ts", folder)), "host/processes.test"],
      { env: { ...process.env, NODE_PENDING_DEPRECATION: "1" }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
    );
    assert.match(printed, /\n[1-9]\d* passed, 0 failed\n$/);
  });

  test("no handle is left of many processes, whether they start or not", async () => {
    const { run } = processBench();
    const before = process.getActiveResourcesInfo();
    await Promise.all(
      Array.from({ length: 40 }, (_item, index) =>
        run([index % 4 === 0 ? "/dev/null" : "true"], index % 5 === 0 ? { cwd: "/nowhere" } : {}),
      ),
    );
    await new Promise((resolve) => setImmediate(resolve));
    // What other tests left behind may end meanwhile.
    const after = process.getActiveResourcesInfo();
    assert.equal(
      after.filter((name, index) => countIn(after.slice(0, index + 1), name) > countIn(before, name)),
      [],
    );
  });

  test("what cannot start is undefined", () => {
    const request = { file: "/bin/true", argv: ["true"], cwd: "/", environment };
    for (const wrong of [
      { file: "/bin/no-such" },
      { file: "/etc/passwd" },
      { cwd: "/nowhere" },
      { file: "/bin/tr\0ue" },
      { argv: ["true", "a\0b"] },
      { cwd: "/\0" },
      { environment: { A: "a\0b" } },
      { environment: { "A\0": "" } },
    ]) {
      assert.is(startByHandles({ ...request, ...wrong }), undefined, JSON.stringify(wrong));
    }
  });

  test("what is no text is for `node:child_process` to take or refuse", async () => {
    const given = { file: "/bin/true", argv: ["true"], cwd: "/", environment };
    for (const wrong of [
      { file: ["/bin/true"] },
      { argv: ["true", 1] },
      { cwd: new URL("file:///") },
      { cwd: undefined },
      { environment: { A: undefined } },
      { environment: { A: 1 } },
    ]) {
      assert.is(startByHandles({ ...given, ...wrong } as never), undefined);
    }
    assert.is(
      (
        await processBench().run(["sh", "-c", "echo ${A-none}"], {
          environment: { ...environment, A: undefined } as never,
        })
      ).stdout,
      "none\n",
    );
  });

  test("words and an environment that are too long are told as such", async () => {
    assert.equal((await processBench().run(["true", "x".repeat(200_000)])).result, {
      kind: "not-started",
      reason: "too-large",
      detail: "the arguments and the environment together are longer than the system allows",
    });
  });

  test("a NUL in a word is told as what it is", async () => {
    const { result } = await processBench().run(["printf", "a\0b"]);
    assert.match(result.kind === "not-started" ? result.detail : result.kind, /without null bytes/);
  });
}

function countIn(names: readonly string[], wanted: string): number {
  return names.filter((name) => name === wanted).length;
}

test.run();
