// A value that chooses the folder must not choose what runs there.
import "../windows-shells.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";

const test = suite("relative-program");

const head =
  "Does it.\n\n@title Title\n@name tool\n@wrapped run_command\n@param d {path} [required] Folder\n@param n {integer} [default=1] Number\n";

/** Returns the program that the message names, if the definition is refused. */
function refused(lines: string): string | undefined {
  const { diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text: `${head}${lines}\n` }));
  const problem = diagnostics.find(({ severity }) => severity === "error");
  return problem && /^`(.*?)` is looked up in this folder/.exec(problem.message)?.[1];
}

test("checkFolder refuses a program of a folder that a value chooses", () => {
  const refusedTexts = [
    ["@command ./build {n}", "./build"],
    ["@command bin/build", "bin/build"],
    ["@command ../x", "../x"],
    ["@command env A=1 ./x", "./x"],
    ["@command sh ./x.sh", "./x.sh"],
    ["@command timeout 5 sub/x", "sub/x"],
    ["@shell sh\n@command true && ./x {n}", "./x"],
    ["@shell bash\n@command if . ./env; then ls; fi", "./env"],
    ['@shell sh\n@command echo "$(./x)"', "./x"],
    ["@shell cmd\n@command .\\x.bat", ".\\x.bat"],
    ["@shell pwsh\n@command & ./x.ps1", "./x.ps1"],
    ["@command ls\n@fallback ./x", "./x"],
  ] as const;
  for (const [lines, program] of refusedTexts) assert.equal([lines, refused(`@cwd {d}\n${lines}`)], [lines, program]);
  assert.equal(
    [refused("@cwd sub/{d}\n@command ./x"), refused("@with working_dir = {d}\n@command ./x")],
    ["./x", "./x"],
  );
});

test("checkFolder lets a program be that no value can change", () => {
  for (const lines of [
    "@cwd {d}\n@command make -C ./x",
    "@cwd {d}\n@command /bin/ls ./x",
    "@cwd {d}\n@shell sh\n@command ls ./x; cat <./y",
    "@cwd sub\n@command ./x {d}",
    "@command ./x {d}",
    "@cwd build-{n}\n@command ./x",
    "@cwd {{d}}\n@command ./x {d}",
  ]) {
    const { diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text: `${head}${lines}\n` }));
    assert.equal(
      [lines, diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)],
      [lines, []],
    );
  }
});

test.run();
