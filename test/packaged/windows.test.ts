// The executable for Windows, run by Wine in an empty folder: what it is without a test suite, as a person and a client
// of MCP see it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert, suite } from "../harness.ts";
import { needDebian, repository, wine, type WineRun, wineFolder } from "./debian.ts";

const test = suite("windows");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };

const files = {
  "src/a.ts": "one two\r\nthree\r\n",
  "src/sub/b.md": "TODO\n",
  "node_modules/x/c.ts": "",
  ".tools/say.tool":
    "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@shell cmd\n@script echo {who}\n@param who {string} [required] Who\n@tags run\n",
  ".tools/plugins/hello.ts": readFileSync(join(repository, "plugins/hello.ts"), "utf8"),
};

interface Fixture {
  readonly path: string;
  /** Runs words in the folder, whose tools are trusted. */
  run(words: readonly string[], options?: Parameters<typeof wine>[2]): WineRun;
}

function withFixture(body: (bench: Fixture) => void): void {
  needDebian();
  const folder = wineFolder();
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      writeFileSync(join(folder.path, path), text);
    }
    body({
      path: folder.path,
      run: (words, options) =>
        wine("dist/dottool-win-x64.exe", ["--tools", ".tools", ...words], { cwd: folder.inside, ...options }),
    });
  } finally {
    folder.remove();
  }
}

test("it says its version", () =>
  withFixture(({ run }) => {
    assert.equal(run(["--version"]), { exitCode: 0, stdout: `dottool ${version}\n`, stderr: "" });
  }));

test("every bundled tool is for Windows", () =>
  withFixture(({ run }) => {
    const { stdout, exitCode } = run(["list", "--json"]);
    const { tools } = JSON.parse(stdout) as { tools: { name: string; unavailable: string[] }[] };
    assert.equal(
      tools.filter(({ unavailable }) => unavailable.some((reason) => reason.includes("only runs on"))),
      [],
    );
    assert.is(exitCode, 0);
  }));

/** Returns what each command line prints. */
function printed({ run }: Fixture, lines: readonly (readonly string[])[]): readonly string[] {
  return lines.map((words) => {
    const { stdout, stderr } = run(words);
    return stdout + stderr;
  });
}

test("bundled tools work in process as they do elsewhere by programs", () =>
  withFixture((bench) => {
    assert.equal(
      printed(bench, [
        ["glob", ".", "-name", "*.ts"],
        ["glob", "--pattern", "**/*.ts"],
        ["ls", "src"],
        ["tree", "--path", "src"],
        ["disk_usage", "--path", "src"],
        ["head", "src/a.ts", "--lines", "1"],
        ["tail", "src/a.ts", "--lines", "1"],
        ["sort_lines", "src/a.ts"],
        ["word_count", "src/a.ts"],
        ["file_type", "src/a.ts", "--mime"],
        ["grep", "--pattern", "TODO"],
      ]),
      [
        "./.tools/plugins/hello.ts\n./node_modules/x/c.ts\n./src/a.ts\n",
        "./.tools/plugins/hello.ts\n./src/a.ts\n",
        "a.ts\nsub\n",
        "src\n├── a.ts\n└── sub\n    └── b.md\n\n1 directory, 2 files\n",
        "5\tsrc/sub\n21\tsrc\n",
        "one two\n",
        "three\n",
        "one two\nthree\n",
        "      2       3      16 src/a.ts\n",
        "src/a.ts: text/plain\n",
        "src/sub/b.md:1:TODO\n",
      ],
    );
  }));

test("process_list reads what tasklist prints", () =>
  withFixture(({ run }) => {
    const { stdout, stderr } = run(["process_list", "--order", "rss"]);
    assert.match(stdout, /^ {4}PID SESSION .*\n(?: +\d+ .* K .*\.exe\n)+$/, stderr);
  }));

test("a definition that it checks runs by cmd.exe, and a value stays one", () =>
  withFixture((bench) => {
    assert.equal(printed(bench, [["check"], ["say", "--who", "Ana Bo"]]), [
      "1 definition and 1 plugin checked: no problems\n",
      '"Ana Bo"\r\n',
    ]);
    const { exitCode, stderr } = bench.run(["say", "--who", "a&calc"]);
    assert.is(exitCode, 64);
    assert.match(stderr, "has a character that cmd.exe could read as a command");
  }));

test("a plugin in TypeScript runs", () =>
  withFixture(({ run }) => {
    assert.equal(run(["hello", "--who", "Ana"]), { exitCode: 0, stdout: "hello Ana\n", stderr: "" });
  }));

test("mcp over stdio answers", () =>
  withFixture(({ run }) => {
    const requests = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "hello", arguments: { who: "Ana" } } },
    ];
    const stdin = requests.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("");
    const { stdout, exitCode } = run(["mcp"], { stdin });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: number; result: object });
    assert.equal(answers.find(({ id }) => id === 2)?.result, { content: [{ type: "text", text: "hello Ana" }] });
    assert.is(exitCode, 0);
  }));

test("it writes to a terminal", () =>
  withFixture(({ run }) => {
    assert.match(run(["hello", "--who", "Ana"], { hasTerminal: true }).stdout, "hello Ana");
  }));

test("doctor says which programs are there, and which tools need none", () =>
  withFixture(({ run }) => {
    const { findings } = JSON.parse(run(["doctor", "--json"]).stdout) as {
      findings: { group: string; name: string; works: boolean; fact: string }[];
    };
    const of = (name: string): string | undefined =>
      findings.find((one) => one.group === "Programs" && one.name === name)?.fact;
    assert.match(of("none") ?? "", /`disk_usage`.*`glob`.*`head`.*`ls`.*`tree`/);
    assert.match(of("tasklist") ?? "", /tasklist\.exe, for `process_list`$/);
    assert.is(of("nslookup"), "for `dns_lookup`");
  }));

test.run();
