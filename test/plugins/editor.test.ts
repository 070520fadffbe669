// Plugins in an editor: what `dottool init --plugin` writes, and the real compiler on it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("plugins in an editor");
const root = fileURLToPath(new URL("../..", import.meta.url));
const wrote =
  "wrote .tools/plugins/hello.ts\nwrote .tools/plugins/hello.test.ts\nwrote .tools/dottool.d.ts\nwrote .tools/tsconfig.json\n";

function compile(folder: string): string {
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", ".tools"], {
    cwd: folder,
    encoding: "utf8",
  });
  return stdout;
}

test("init --plugin writes an example that compiles, runs and is tested, and is trusted", async () => {
  using bench = testProject({}, { isTrusted: false });
  const made = await bench.run(["init", "--plugin"]);
  assert.equal([made.exitCode, made.stdout.split("next:")[0], made.stderr], [0, wrote, ""]);
  assert.is(compile(bench.folder), "");
  assert.equal(await bench.run(["greet", "World"]), { exitCode: 0, stdout: "Hello, World!\n", stderr: "" });
  assert.equal(await bench.run(["check"]), { exitCode: 0, stdout: "1 plugin checked: no problems\n", stderr: "" });
  assert.equal(await bench.run(["test"]), {
    exitCode: 0,
    stdout:
      "passed   .tools/plugins/hello.test.ts: greets by name\npassed   .tools/plugins/hello.test.ts: fails without a name\n\n2 passed, 0 failed\n",
    stderr: "",
  });
  // Nothing in it leans on types of Node.
  const config = readFileSync(join(bench.folder, ".tools/tsconfig.json"), "utf8");
  bench.write(".tools/tsconfig.json", config.replace('"skipLibCheck": true', '"skipLibCheck": false'));
  assert.is(compile(bench.folder), "");
});

test("the compiler tells a wrong type in `run` with its line, and a name that dottool does not have", async () => {
  using bench = testProject();
  await bench.run(["init", "--plugin"]);
  const path = join(bench.folder, ".tools/plugins/hello.ts");
  bench.write(
    ".tools/plugins/hello.ts",
    readFileSync(path, "utf8").replace("who.trim()", "times.trim()").replace("failed, ", "failed, fails, "),
  );
  assert.is(
    compile(bench.folder),
    ".tools/plugins/hello.ts(2,44): error TS2305: Module '\"dottool\"' has no exported member 'fails'.\n" +
      ".tools/plugins/hello.ts(14,15): error TS2339: Property 'trim' does not exist on type 'number'.\n",
  );
});

test("init --plugin leaves what exists as it is, and says so", async () => {
  using bench = testProject({ ".tools/tsconfig.json": "{}\n" });
  const made = await bench.run(["init", "--plugin"]);
  assert.equal(
    made.stdout.split("next:")[0],
    wrote.replace("wrote .tools/tsconfig.json", "left .tools/tsconfig.json as it is: it exists"),
  );
  assert.is(readFileSync(join(bench.folder, ".tools/tsconfig.json"), "utf8"), "{}\n");
});

test("init --plugin adds nothing to what is trusted without a person, and writes nothing behind a link", async () => {
  using bench = testProject(
    { ".tools/a.tool": "A.\n\n@name a\n@wrapped run_command\n@command echo a\n" },
    { isTrusted: false },
  );
  bench.trust();
  await bench.run(["init", "--plugin"]);
  assert.is((await bench.run(["greet", "World"])).exitCode, 66);
  using other = testProject({ "elsewhere/x": "" }, { isTrusted: false });
  for (const [link, made] of [
    [".tools", ""],
    [".tools/plugins", ".tools/a"],
  ] as const) {
    if (made !== "") {
      rmSync(join(other.folder, ".tools"));
      other.write(made, "");
    }
    symlinkSync(join(other.folder, "elsewhere"), join(other.folder, link));
    assert.equal(await other.run(["init", "--plugin"]), {
      exitCode: 1,
      stdout: "",
      stderr: `failed[exists]: \`${link}\` is a link, and nothing is written behind one\n  = remove the link, or work in the project that it leads to\n`,
    });
  }
  assert.is(existsSync(join(other.folder, "elsewhere/dottool.d.ts")), false);
});

test("what `export typescript` writes compiles beside it", async () => {
  using bench = testProject();
  await bench.run(["init", "--plugin"]);
  assert.is((await bench.run(["export", "typescript", "-o", "tools.ts"])).exitCode, 0);
  bench.write(
    ".tools/plugins/use/use.ts",
    'import type { Tools } from "../../../tools.ts";\nexport const use = (tools: Tools) => tools.call("greet", { who: 1 });\n',
  );
  assert.is(
    compile(bench.folder),
    ".tools/plugins/use/use.ts(2,60): error TS2322: Type 'number' is not assignable to type 'string'.\n",
  );
});

test("grammar/dottool.d.ts.txt is current: `node scripts/declarations.mjs` writes it", () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-declarations-"));
  try {
    const file = join(folder, "dottool.d.ts");
    spawnSync(process.execPath, [join(root, "scripts/declarations.mjs"), file], { stdio: "inherit" });
    assert.is(readFileSync(join(root, "grammar/dottool.d.ts.txt"), "utf8"), readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
