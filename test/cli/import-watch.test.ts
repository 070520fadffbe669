// `dottool import --watch`: each change of the source is followed until Ctrl-C.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("import --watch");

for (const source of ["justfile", "."])
  test(`a change of \`${source}\` is written once, and Ctrl-C ends it`, async () => {
    using bench = testProject({});
    rmSync(join(bench.folder, ".tools"), { recursive: true, force: true });
    const write = (text: string): void => {
      writeFileSync(`${bench.folder}.new`, text);
      renameSync(`${bench.folder}.new`, join(bench.folder, "justfile"));
    };
    write("build:\n  echo one\nmod rest\n");
    const { command, words, environment } = bench.program;
    const child = spawn(command, [...words, "import", source, "--watch"], { cwd: bench.folder, env: environment });
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
    // Its own files are no change: nothing more is said by the time that it has looked again.
    await new Promise((go) => setTimeout(go, 1_000));
    write("build:\n  echo two\nmod rest\n");
    await said("updated .tools/build.tool");
    assert.match(readFileSync(join(bench.folder, ".tools/build.tool"), "utf8"), "echo two");
    write("build:\n  echo two\nclean:\n  echo clean\nmod rest\n");
    await said("wrote .tools/clean.tool");
    assert.ok(existsSync(join(bench.folder, ".tools/clean.tool")));
    child.kill("SIGINT");
    assert.is(await new Promise((resolve) => child.on("close", resolve)), 0);
    assert.equal(text.trim().split("\n").sort(), [
      ...Array<string>(3).fill("justfile: `mod rest` is not followed: import that file by itself"),
      "updated .tools/build.tool",
      "wrote .tools/build.tool",
      "wrote .tools/clean.tool",
    ]);
  });

test.run();
