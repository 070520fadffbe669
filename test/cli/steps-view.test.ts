// The steps of a run on a terminal: on a screen of its own with a clock that the test moves, and once through a
// pseudo-terminal.
import { spawn, spawnSync } from "node:child_process";
import { commandLine } from "../../src/core/base/quote.ts";
import { plainPaint } from "../../src/cli/view/paint.ts";
import { StepsView } from "../../src/cli/view/steps-view.ts";
import type { TerminalPort } from "../../src/core/tool/terminal.ts";
import type { StepEvent, StepState } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type MemoryHost, memoryHost } from "../memory-host.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { Screen } from "./screen.ts";

const test = suite("steps-view");

interface Stage {
  readonly view: StepsView;
  readonly screen: Screen;
  readonly host: MemoryHost;
  /** `a.b` is the step `b` within `a`. */
  tell(path: string, state: StepState, items?: StepEvent["items"]): void;
  /** Lets time pass while the view draws. */
  wait(elapsedMs: number): Promise<string>;
  /** Writes text with the line ends of a terminal. */
  write(text: string): void;
}

function stage(rows = 10, columns = 40): Stage {
  const screen = new Screen(rows, columns);
  const write = (text: string): void => screen.write(text.replaceAll("\n", "\r\n"));
  const port: TerminalPort = {
    isTerminal: true,
    hasColor: false,
    movesCursor: true,
    columns,
    rows,
    write: (content) => write(String(content)),
  };
  const host = memoryHost();
  const view = new StepsView({ name: "release", port, paint: plainPaint, host });
  const tell: Stage["tell"] = (path, state, items) => {
    const names = path.split(".");
    view.take({
      kind: "step",
      step: names.at(-1) ?? "",
      within: names.slice(0, -1),
      state,
      atMs: host.nowMs(),
      ...(items ? { items } : {}),
    });
  };
  const wait: Stage["wait"] = async (elapsedMs) => {
    host.advance(elapsedMs);
    await Promise.resolve();
    await Promise.resolve();
    return screen.text;
  };
  return { view, screen, host, tell, wait, write };
}

test("StepsView draws each step with its state and time, in place", async () => {
  const { view, tell, wait } = stage();
  for (const name of ["clone", "count", "漢字", "last"]) tell(name, "waiting");
  tell("clone", "running");
  assert.is(await wait(299), "");
  assert.is(await wait(1), "▸ clone  0.3 s\n· count  waiting\n· 漢字   waiting\n· last   waiting\n");
  tell("clone", "done");
  tell("count", "running", { done: 1, all: 3 });
  tell("漢字", "skipped");
  assert.is(await wait(65_200), "✓ clone  0.3 s\n▸ count  1/3  1 min 5 s\n- 漢字   skipped\n· last   waiting\n");
  tell("count", "done");
  tell("last", "running");
  tell("last", "done");
  assert.is(view.end(true), "✓ release: 4 steps, 1 skipped, 1 min 5 s\n");
  assert.is(await wait(0), "");
});

test("StepsView leaves nothing of what was quick", async () => {
  const { view, tell, wait } = stage();
  tell("one", "running");
  await wait(200);
  assert.equal([view.end(false), await wait(5_000)], ["", ""]);
});

test("StepsView leaves the rows of what went wrong, and nothing of what ran within a step", async () => {
  const { view, tell, wait } = stage();
  for (const name of ["one", "two", "three"]) tell(name, "waiting");
  tell("one", "running");
  tell("two", "running");
  tell("one.inner", "waiting");
  tell("one.other", "waiting");
  tell("one.inner", "running");
  view.note("one: \u001b[31mattempt 1\n of 3 failed");
  assert.is(
    await wait(400),
    "▸ one          0.4 s\n▸ one > inner  0.4 s\n· one > other  waiting\n▸ two          0.4 s\n· three        waiting\none: \\u{1b}[31mattempt 1 of 3 failed\n",
  );
  tell("one.inner", "failed");
  tell("one", "failed");
  tell("two", "stopped");
  assert.is(await wait(200), "✗ one    failed  0.4 s\n- two    stopped  0.4 s\n· three  waiting\n");
  assert.is(view.end(false), "✗ one    failed  0.4 s\n- two    stopped  0.4 s\n· three  waiting\n");
});

test("StepsView keeps of items what still runs", async () => {
  const { tell, wait } = stage();
  tell("each", "running", { done: 0, all: 2 });
  for (const item of ["each[0]", "each[1]"]) for (const name of ["a", "b"]) tell(`${item}.${name}`, "waiting");
  tell("each[0].a", "running");
  tell("each[1].a", "running");
  assert.is(
    await wait(300),
    "▸ each         0/2  0.3 s\n▸ each[0] > a  0.3 s\n· each[0] > b  waiting\n▸ each[1] > a  0.3 s\n· each[1] > b  waiting\n",
  );
  for (const name of ["a", "b"]) tell(`each[0].${name}`, "done");
  tell("each", "running", { done: 1, all: 2 });
  assert.is(await wait(200), "▸ each         1/2  0.5 s\n▸ each[1] > a  0.5 s\n· each[1] > b  waiting\n");
});

test("StepsView takes fewer rows than the terminal has, and says what is left out", async () => {
  const { screen, tell, wait } = stage(6, 30);
  for (let index = 0; index < 30; index++) tell(`step${index}`, "waiting");
  for (let index = 0; index < 12; index++) tell(`step${index}`, "done");
  tell("step12", "running");
  tell(`a-name-that-is-longer-than-the-terminal`, "failed");
  const drawn = await wait(300);
  assert.is(
    drawn,
    "▸ step12        0.3 s\n· step13        waiting\n· step14        waiting\n✗ a-name-that…  failed  0.0 s\n… 12 done, 15 waiting\n",
  );
  assert.ok(drawn.split("\n").length <= screen.rows);
});

test("StepsView draws on at every size, also where there is hardly any", async () => {
  for (const [rows, columns] of [
    [1, 1],
    [1, 80],
    [2, 80],
    [24, 23],
    [3, 24],
    [4, 30],
  ] as const) {
    const { tell, wait } = stage(rows, columns);
    for (const name of ["clone", "count", "last"]) tell(name, "running");
    await wait(300);
    const drawn = await wait(200);
    assert.ok(drawn.split("\n").length <= rows, `${rows}x${columns}: ${JSON.stringify(drawn)}`);
    assert.ok(
      drawn.split("\n").every((line) => line.length < columns),
      `${rows}x${columns}: ${JSON.stringify(drawn)}`,
    );
  }
});

test("StepsView makes way for output, and comes back when its line has ended", async () => {
  const { view, screen, tell, wait, write } = stage();
  tell("one", "running");
  await wait(300);
  view.hide();
  write("first\nsecond with");
  assert.is(await wait(1_000), "first\nsecond with");
  write("out an end\n");
  view.show();
  assert.is(screen.text, "first\nsecond without an end\n");
  assert.is(await wait(200), "first\nsecond without an end\n▸ one  1.5 s\n");
  view.hide();
  assert.is(screen.text, "first\nsecond without an end\n");
});

test("StepsView wipes away what the terminal shows of a key that was pressed", async () => {
  const { view, screen, tell, wait, write } = stage();
  tell("one", "running");
  await wait(300);
  write("^C");
  tell("one", "stopped");
  write(view.end(false));
  assert.is(screen.text, "- one  stopped  0.3 s\n");
});

const stepsTool = (name: string, text: string): string => `Do steps.\n\n@title ${name}\n@name ${name}\n${text}\n`;
const files = {
  ".tools/good.tool": stepsTool(
    "good",
    "@step one sh [output=stream]\n    echo first; sleep 0.5; printf 'half'; sleep 0.5; echo ' and whole'\n@step two runs [when={one} == \"x\"]\n    echo two\n@step three sh\n    sleep 0.5; echo result",
  ),
  ".tools/bad.tool": stepsTool(
    "bad",
    "@step one sh\n    sleep 0.6\n@step two sh\n    sleep 0.6; exit 3\n@step three runs\n    echo three",
  ),
};

/** Returns the final screen of a terminal with 12 rows, with times that do not change. */
function atTerminal(
  bench: TestProject,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly left: string; readonly sent: string }> {
  const { command, words: program, environment: usual } = bench.program;
  const line = `stty rows 12 cols 80; ${commandLine([command, ...program, ...words])}`;
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", line, "/dev/null"], {
      cwd: bench.folder,
      env: { ...usual, SHELL: "/bin/sh", TERM: "xterm", ...environment },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let sent = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (sent += part));
    child.on("error", reject);
    child.on("close", () => {
      const screen = new Screen(12, 80);
      // Deno clears its own progress before the program starts.
      sent = sent.replaceAll("\u001b[0G\u001b[2K\u001b[J", "");
      try {
        screen.write(sent);
      } catch (error) {
        return reject(error);
      }
      resolve({ left: screen.text.replaceAll(/\d+\.\d s/g, "1.0 s").replace(/\d{8}-\d{6}-[0-9a-f]{6}/, "<id>"), sent });
    });
  });
}

if (spawnSync("script", ["--version"]).status === 0)
  test("a run shows its steps at a terminal, and leaves its output whole", async () => {
    using bench = testProject(files);
    const [good, bad, plain, dumb, piped] = await Promise.all([
      atTerminal(bench, ["good"]),
      atTerminal(bench, ["bad"]),
      atTerminal(bench, ["bad"], { NO_COLOR: "1" }),
      atTerminal(bench, ["good"], { TERM: "dumb" }),
      bench.run(["bad"]),
    ]);
    assert.is(good.left, "── one\nfirst\nhalf and whole\n── three\nresult\n✓ good: 3 steps, 1 skipped, 1.0 s\n");
    assert.is(
      bad.left,
      "✓ one    1.0 s\n✗ two    failed  1.0 s\n· three  waiting\nfailed[step-failed]: step `two` (`sh`): `sh` ended with exit code 3\n  = `dottool runs resume <id>` goes on where it ended\n",
    );
    assert.equal(
      [bad.sent.includes("\u001b[31m"), plain.sent.includes("\u001b[31m"), plain.left],
      [true, false, bad.left],
    );
    assert.equal(
      [dumb.left, /▸|\u001b\[\d+A/.test(dumb.sent)],
      ["── one\nfirst\nhalf and whole\n── three\nresult\n", false],
    );
    assert.equal(piped, {
      stdout: "",
      stderr: "failed[step-failed]: step `two` (`sh`): `sh` ended with exit code 3\n",
      exitCode: 3,
    });
  });

test.run();
