// `--json` always gives JSON, also for an unknown tool and for a call that is not possible.
import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("cli json-failures");
const runLine = startingOnce();

interface Printed {
  readonly status: string;
  readonly failure: {
    readonly kind: string;
    readonly nearest?: readonly string[];
    readonly suggested?: { readonly tool: string };
    readonly diagnostics?: readonly { readonly code: string }[];
    readonly issues?: readonly { readonly path: string }[];
    readonly message: string;
  };
}

test("an unknown tool, a broken definition and wrong arguments are JSON on standard output, and nothing is on standard error", async () => {
  using bench = testProject({ ".tools/broken.tool": "@name broken\n@timeout soon\n@wrapped run_command\n" });
  const printed = async (...words: readonly string[]): Promise<Printed & { readonly exitCode: number | null }> => {
    const { stdout, stderr, exitCode } = await runLine(bench, words);
    assert.is(stderr, "", words.join(" "));
    return { ...(JSON.parse(stdout) as Printed), exitCode };
  };
  for (const words of [
    ["--result", "json", "read_fil"],
    ["--result", "json", "call", "read_fil"],
    ["show", "--json", "read_fil"],
    ["explain", "--json", "read_fil"],
    ["graph", "--json", "read_fil"],
  ]) {
    const { status, failure, exitCode } = await printed(...words);
    assert.equal(
      [status, failure.kind, failure.nearest, exitCode],
      ["failed", "unknown-tool", ["read_file", "Read"], 66],
      words.join(" "),
    );
  }
  assert.is((await printed("--result", "json", "read_fil", "--file_path", "a")).failure.suggested?.tool, "read_file");
  for (const words of [
    ["--result", "json", "broken"],
    ["show", "--json", "broken"],
  ]) {
    const { failure, exitCode } = await printed(...words);
    assert.equal(
      [failure.kind, failure.diagnostics?.map(({ code }) => code), failure.message.split("\n")[0], exitCode],
      ["definition", ["bad-duration"], "failed[definition]: `broken` cannot run until its definition is fixed", 65],
    );
  }
  const wrong = await printed("explain", "--json", "read_file");
  assert.equal(
    [wrong.failure.kind, wrong.failure.issues?.map(({ path }) => path), wrong.exitCode],
    ["invalid-arguments", ["file_path"], 64],
  );
});

test.run();
