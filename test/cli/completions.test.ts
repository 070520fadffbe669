// The completion scripts in the shells themselves, if these are installed.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { quoteWord } from "../../src/core/base/quote.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("completions");

const pick = `Pick.

@title Pick
@name pick
@wrapped run_command
@command echo {kind} {words}
@param kind {"red"|"blue sky"|"re:d"} [required] Which
@param words {array<string>} More
`;

/** Runs with the program on PATH under its own name. */
async function withProgram(body: (bench: TestProject, path: string) => Promise<void> | void): Promise<void> {
  using bench = testProject({ ".tools/pick.tool": pick });
  const { command, words } = bench.program;
  bench.write("bin/dottool", `#!/bin/sh\nexec ${[command, ...words].map(quoteWord).join(" ")} "$@"\n`);
  chmodSync(join(bench.folder, "bin/dottool"), 0o755);
  await body(bench, `${bench.folder}/bin:${bench.program.environment["PATH"]}`);
}

/** Returns what bash offers at the end of `line`, as readline would ask for it. */
function bashOffers(bench: TestProject, path: string, words: readonly string[]): readonly string[] {
  const script = `eval "$(dottool completions bash)"
compopt() { :; }
COMP_WORDS=(${["dottool", ...words].map(quoteWord).join(" ")})
COMP_CWORD=${words.length}
joined=mine
_dottool
[[ $joined == mine ]] || echo "joined is $joined" >&2
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], {
    cwd: bench.folder,
    env: { ...bench.program.environment, PATH: path },
    encoding: "utf8",
  });
  assert.is(stderr, "");
  return stdout.split("\n").filter((line) => line !== "");
}

test("bash completes commands, tools, options and choices", async () => {
  needPrograms("bash");
  await withProgram((bench, path) => {
    assert.equal(bashOffers(bench, path, ["pic"]), ["pick"]);
    assert.equal(bashOffers(bench, path, ["comp"]), ["completions"]);
    assert.equal(bashOffers(bench, path, ["call", "pick", "--k"]), ["--kind"]);
    assert.equal(bashOffers(bench, path, ["pick", "--kind", ""]), ["red", "blue\\ sky", "re:d"]);
    // bash makes three words of `--kind=r`.
    assert.equal(bashOffers(bench, path, ["pick", "--kind", "=", "r"]), ["red", "re:d"]);
    assert.equal(bashOffers(bench, path, ["pick", "--kind", "="]), ["red", "blue\\ sky", "re:d"]);
    assert.equal(bashOffers(bench, path, ["schema", "--for", "m"]), ["mcp", "mistral"]);
    assert.equal(
      [bashOffers(bench, path, ["convert", "--to", "y"]), bashOffers(bench, path, ["convert", "glo"])],
      [["yaml"], ["glob"]],
    );
  });
});

test("what `runs` does is completed, and then the ids of runs", async () => {
  if ("Deno" in globalThis) return;
  using bench = testProject({ ".tools/pick.tool": pick });
  const offers = async (...words: readonly string[]): Promise<readonly string[]> =>
    (await bench.run(["__complete", String(words.length - 1), ...words])).stdout.split("\n").slice(0, -1);
  assert.equal(await offers("runs", "re"), ["resume\t"]);
  assert.equal(await offers("runs", "show", ""), []);
  const id = (await bench.run(["--detach", "glob", ".", "-name", "*.tool"])).stdout.trim();
  await bench.run(["runs", "wait", id]);
  assert.equal(await offers("runs", "show", ""), ["last\tthe latest run", `${id}\tglob, done`]);
  assert.equal(await offers("runs", "show", id, ""), []);
  assert.equal(await offers("runs", "prune", id, "la"), ["last\tthe latest run"]);
});

test("zsh completes commands, tools, options and choices", async () => {
  needPrograms("zsh");
  await withProgram((bench, path) => {
    const offers = (words: readonly string[]): readonly string[] => {
      const script = `compdef() { :; }; compadd() { while [[ $1 != -a ]]; do shift; done; print -rl -- "\${(@P)2}"; }; _files() { print files; }
eval "$(dottool completions zsh)"
words=(${["dottool", ...words].map(quoteWord).join(" ")}); CURRENT=$#words; _dottool`;
      const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", script], {
        cwd: bench.folder,
        env: { ...bench.program.environment, PATH: path },
        encoding: "utf8",
      });
      assert.is(stderr, "");
      return stdout.split("\n").filter((line) => line !== "");
    };
    assert.equal(offers(["pic"]), ["pick"]);
    assert.equal(offers(["pick", "--kind", "''"]), ["red", "blue sky", "re:d"]);
    assert.equal(offers(["check", "''"]), ["files"]);
  });
});

for (const [shell, option] of [
  ["bash", "-n"],
  ["zsh", "-n"],
  ["fish", "--no-execute"],
] as const) {
  test(`${shell} reads its script without a complaint`, async () => {
    needPrograms(shell);
    await withProgram(async (bench) => {
      const { stdout } = await bench.run(["completions", shell]);
      bench.write("script", stdout);
      const { status, stderr } = spawnSync(shell, [option, join(bench.folder, "script")], { encoding: "utf8" });
      assert.equal([status, stderr], [0, ""]);
    });
  });
}

test("completion runs no plugin: nobody has asked for one yet", async () => {
  await withProgram((bench, path) => {
    bench.write(
      ".tools/plugins/canary.ts",
      'import fs from "node:fs";\nfs.writeFileSync("canary", "");\nexport default 1;\n',
    );
    assert.ok(bashOffers(bench, path, ["pi"]).includes("pick"));
    assert.not(existsSync(join(bench.folder, "canary")));
  });
});

test.run();
