import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("why a tool counts as one that runs programs");
const runLine = startingOnce();
const reason = "`{args}` decides what `git` does";
const head = (name: string): string => `Does it.\n\n@title ${name}\n@name ${name}\n`;

test("show, explain and the review of a project say which value it is", async () => {
  using bench = testProject({
    ".tools/g.tool": `${head("g")}@wrapped run_command\n@command git {args}\n@param args {string} [required] Words\n@tags read\n`,
    ".tools/s.tool": `${head("s")}@step a runs\n    git {args}\n@param args {string} [required] Words\n@tags read\n`,
  });
  const rows: string[] = [];
  for (const words of [
    ["show", "g"],
    ["show", "s"],
    ["explain", "g", "log"],
    ["explain", "s", "log"],
  ]) {
    const { stdout } = await runLine(bench, words);
    rows.push(
      ...stdout
        .split("\n")
        .filter((line) => /^(?:effects|may run) /.test(line))
        .map((line) => line.replace(/ {2,}/, "  ")),
    );
  }
  const shown = ["effects  read, run (declared: read)", `may run  ${reason}`];
  const explained = ["effects  read, run", `may run  ${reason}`];
  assert.equal(rows, [...shown, ...shown, ...explained, ...explained]);
  const review = (await runLine(bench, ["trust", "--show"])).stdout.split("\n").slice(0, 7);
  assert.equal(review, [
    "  g (g.tool)",
    "    runs: git {args}",
    `    ${reason}`,
    "",
    "  s (s.tool)",
    "    step a:",
    "      runs: git {args}",
  ]);
  const json = JSON.parse((await runLine(bench, ["show", "g", "--json"])).stdout) as { readonly mayRun: unknown };
  assert.equal(json.mayRun, [reason]);
});

test.run();
