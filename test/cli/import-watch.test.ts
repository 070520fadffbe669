// `dottool import --watch`: each change of the source is followed until Ctrl-C.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("import --watch");

test("a change of the source is written, a broken source is said, and Ctrl-C ends it", async () => {
  using bench = testProject({ justfile: "build:\n  echo one\n" });
  const { command, words, environment } = bench.program;
  const child = spawn(command, [...words, "import", "justfile", "--watch"], { cwd: bench.folder, env: environment });
  let text = "";
  const waits: { readonly until: string; readonly go: () => void }[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      for (const wait of waits) if (text.includes(wait.until)) wait.go();
    });
  const said = (until: string): Promise<void> =>
    new Promise((go) => {
      waits.push({ until, go });
      if (text.includes(until)) go();
    });
  await said("wrote .tools/build.tool");
  bench.write("justfile", "build:\n  echo two\n");
  await said("updated .tools/build.tool");
  assert.match(readFileSync(join(bench.folder, ".tools/build.tool"), "utf8"), "echo two");
  bench.write("justfile", "build:\n  echo two\nclean:\n  echo clean\n");
  await said("wrote .tools/clean.tool");
  assert.ok(existsSync(join(bench.folder, ".tools/clean.tool")));
  child.kill("SIGINT");
  assert.is(await new Promise((resolve) => child.on("close", resolve)), 0);
});

test.run();
