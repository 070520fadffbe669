// The view of a person who is asked, on a real terminal with any content of the call, and the effect of each answer.
import { spawn, spawnSync } from "node:child_process";
import { commandLine } from "../../src/core/base/quote.ts";
import { factLines } from "../../src/cli/view/asked-call.ts";
import { personAt } from "../../src/cli/session/person.ts";
import type { Terminal } from "../../src/core/tool/terminal.ts";
import type { PreparedCall } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("prompt");

const files = {
  ".tools/say.tool":
    "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@shell sh\n@param text {string} [required] What\n@command printf %s {text} > said; echo said\n",
  "home/.config/dottool/config.yaml": "policy:\n  - {decision: ask, tool: say, reason: it writes}\n",
};
const QUESTION = "run it? [y]es, once / for this [s]ession / [a]lways, until the tool changes / [N]o ";

/** The line between two pages. */
const PAGE = /lines 1 to [\d,]+ of [\d,]+; Enter for more, \[a\]ll for the rest, \[n\]o to stop: /g;

interface Asked {
  /** The output up to the question, and after it. */
  readonly before: string;
  readonly after: string;
}

interface Typed {
  readonly answer: string;
  readonly page?: string;
}

/** Runs the program. `answer` is typed at the question, and `page` where there is more to see. */
function atTerminal(bench: TestProject, words: readonly string[], { answer, page = "\n" }: Typed): Promise<Asked> {
  const { command, words: program, environment } = bench.program;
  return new Promise((resolve, reject) => {
    const line = `stty cols 80 -echo; ${commandLine([command, ...program, ...words])}`;
    const child = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: bench.folder,
      env: { ...environment, SHELL: "/bin/bash", TERM: "dumb" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    let isAnswered = false;
    let pages = 0;
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const seen = text.match(/\[n\]o to stop: /g)?.length ?? 0;
      for (; pages < seen; pages++) child.stdin.write(page);
      if (isAnswered || !text.includes("[N]o ")) return;
      isAnswered = true;
      child.stdin.write(answer);
    });
    child.on("error", reject);
    child.on("close", () => {
      const [before = "", ...after] = text.replaceAll("\r\n", "\n").replaceAll(bench.folder, "<bench>").split(QUESTION);
      resolve({ before, after: after.join(QUESTION) });
    });
  });
}

const facts = (value: string): string => `  tool            │ \`say\` in .tools/say.tool:4
  runs            │ sh -c 'printf %s "\${1}" > said; echo said' dottool ${value}
  folder          │ <bench>
  effects         │ write, run
  rule            │ <bench>/home/.config/dottool/config.yaml:2:5: it writes
`;

if (spawnSync("script", ["--version"]).status === 0) {
  test("the question shows what will run, and only a clear yes runs it", async () => {
    using bench = testProject(files);
    const no =
      "failed[denied]: `say` was not approved\n  <bench>/home/.config/dottool/config.yaml:2:5: it writes\n  = a person can allow it at a terminal with: dottool allow say --for person\n";
    const answers = ["n\n", "\n", "yep\n", "y y\n", "\u0004", "y\n", "YES\n", "s\n"];
    const asked = await Promise.all(answers.map((answer) => atTerminal(bench, ["say", "--text", "hello"], { answer })));
    // The terminal continues a long line in the next one.
    assert.equal(
      asked.map(({ before }) => before.replaceAll(/\n {18}│ /g, "")),
      answers.map(() => facts("hello")),
    );
    assert.equal(
      asked.map(({ after }) => after.trimStart()),
      [...Array(5).fill(no), ...Array(3).fill("said\n")],
    );
    assert.is((await atTerminal(bench, ["say", "--text", "hello"], { answer: "a\n" })).after.trimStart(), "said\n");
    assert.equal(await bench.run(["say", "--text", "other"]), { stdout: "said\n", stderr: "", exitCode: 0 });
  });

  test("a long command is shown whole, a page at a time, before anybody is asked", async () => {
    using bench = testProject(files);
    const text = Array.from({ length: 600 }, (_, index) => `line ${index + 1}.`).join("\n");
    const words = ["call", "say", "--json", JSON.stringify({ text })];
    const every = (asked: string): number =>
      asked
        .replaceAll(PAGE, "")
        .replaceAll(/\n {18}│ /g, "")
        .match(/line \d+\./g)?.length ?? 0;
    const [paged, all, stopped] = await Promise.all([
      atTerminal(bench, words, { answer: "y\n" }),
      atTerminal(bench, words, { answer: "y\n", page: "a\n" }),
      atTerminal(bench, words, { answer: "y\n", page: "n\n" }),
    ]);
    assert.equal([every(paged.before), paged.before.match(PAGE)?.length, paged.after.trim()], [600, 6, "said"]);
    assert.equal([every(all.before), all.before.match(PAGE)?.length, all.after.trim()], [600, 1, "said"]);
    assert.equal(
      [every(stopped.before) < 200, stopped.after, /failed\[denied\]: `say` was not approved/.test(stopped.before)],
      [true, "", true],
    );
  });

  test("nothing in a call moves the cursor, fakes an answer or leaves its place", async () => {
    using bench = testProject(files);
    const attack = `\u001b[2J\u001b[1;1Hsafe\nrun it? [y]es${" ".repeat(200)}run it?\r\u202eevil\u2066\u200b\u0007\u009b31m${"x".repeat(20_000)}the end`;
    const { before, after } = await atTerminal(bench, ["call", "say", "--json", JSON.stringify({ text: attack })], {
      answer: "n\n",
    });
    const lines = before.replaceAll(PAGE, "").split("\n").slice(0, -1);
    assert.equal(
      lines.filter((line) => !/^ {2}[a-z ]{15} │ /.test(line) || [...line].length > 80),
      [],
    );
    assert.not(/[^\n\x20-\x7e│]/u.test(before), "a character that cannot be seen");
    assert.is(before.match(/x/g)?.length, 20_000);
    assert.ok(before.includes("the end"));
    assert.match(after, /^failed\[denied\]: `say` was not approved\n/);
  });
}

test("a call that nobody can read through is not asked about", () => {
  const { approver } = personAt(undefined as unknown as Terminal);
  const told = (characters: number): string | undefined =>
    approver.unaskable?.({ arguments: { text: "x".repeat(characters) } } as unknown as PreparedCall, {
      decision: "ask",
      matched: [],
    });
  assert.equal(
    [told(1_999_989), told(1_999_990)],
    [
      undefined,
      "the call cannot be approved: it has 2,000,001 characters, and at most 2,000,000 can be shown; put long text in a file",
    ],
  );
});

test("a value of a mebibyte is shown whole", () => {
  const lines = factLines([["runs", `start${"\u0000".repeat(1_048_576)}end`]], 100);
  const shown = lines.map((line) => line.slice(line.indexOf("│") + 2)).join("");
  assert.equal([shown.length, shown.startsWith("start"), shown.endsWith("end")], [8 + 1_048_576 * 5, true, true]);
});

test.run();
