// All mistakes of a definition are reported in one run: errors of its text, and what its base tool says about the rest.
import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("all mistakes at once");
const runLine = startingOnce();

const head = "Does it.\n\n@title Title\n";

/** Returns codes and lines of the diagnostics for one file, and for another that it may wrap. */
async function said(text: string, other = ""): Promise<readonly string[]> {
  using bench = testProject({ ".tools/one.tool": text, ...(other === "" ? {} : { ".tools/other.tool": other }) });
  const { diagnostics } = JSON.parse((await runLine(bench, ["check", ".tools/one.tool", "--json"])).stdout) as {
    diagnostics: { code: string; line: number }[];
  };
  return diagnostics.map(({ code, line }) => `${code}:${line}`);
}

test("a broken line about something else hides nothing that the base tool says", async () => {
  assert.equal(
    await said(
      `${head}@name one\n@wrapped web_fetch\n@timeout soon\n@with urll = https://a.example/\n@param url {url} Where\n`,
    ),
    ["bad-duration:6", "unknown-base-parameter:7"],
  );
  assert.equal(
    await said(
      `${head}@name one\n@wrapped web_fetch\n@timeout soon\n@param url {url} [required] Where\n@param more {string} More\n`,
    ),
    ["bad-duration:6", "unknown-base-parameter:8"],
  );
  assert.equal(await said(`${head}@name one\n@wrapped web_fech\n@timeout soon\n`), [
    "bad-duration:6",
    "unknown-base-tool:5",
  ]);
  assert.equal(await said(`${head}@name one\n@wrapped web_fetch\n@timeout soon\n@command ls\n`), [
    "bad-duration:6",
    "not-wrappable:5",
  ]);
});

test("what a broken line may be the reason of is not told", async () => {
  assert.equal(
    await said(`${head}@name one\n@wrapped web_fetch\n@param url {ulr} [required] Where\n@with fromat = text\n`),
    ["unknown-type:6", "unknown-base-parameter:7"],
  );
  assert.equal(
    await said(
      `${head}@name one\n@wrapped web_fetch\n@param url {url} [required] Where\n@param n {string} N\n@with format = {m}\n@with = {n}\n`,
    ),
    ["malformed-annotation:9"],
  );
  assert.equal(await said(`${head}@name one\n@wrapped run_command\n@command ls {dirr}\n@param dir {path} Folder\n`), [
    "unknown-placeholder:6",
  ]);
});

test("a tool with errors is not taken for a slip of the one that wraps it", async () => {
  using bench = testProject({
    ".tools/one.tool": `${head}@name one\n@wrapped other\n@timeout 5s\n`,
    ".tools/other.tool": `${head}@name other\n@wrapped run_command\n@timeout soon\n@command ls\n`,
  });
  const { stdout } = await runLine(bench, ["check", ".tools/one.tool"]);
  assert.is(
    stdout,
    "error[unknown-base-tool]: `other` has errors, so no other tool can use it\n  ╭─ .tools/one.tool:5:10\n  │\n5 │ @wrapped other\n  │          ^^^^^\n  ╵\n  = help: fix that tool first: .tools/other.tool:4\n\n1 definition checked: 1 error\n",
  );
});

test("what a base tool says of very many lines ends with their number", async () => {
  const found = await said(
    `${head}@name one\n@wrapped web_fetch\n@with url = https://a.example/\n${Array.from({ length: 53 }, (_, index) => `@with nothing${index} = x\n`).join("")}`,
  );
  assert.equal(
    [found.length, found[0], found[49], found[50]],
    [51, "unknown-base-parameter:7", "unknown-base-parameter:56", "too-many:57"],
  );
});

test.run();
