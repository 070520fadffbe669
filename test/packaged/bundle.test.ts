// Executables of a team, made by the built executable and run in empty folders, with homes of their own.
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { readExecutable } from "../../src/features/bundle/executable-form.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";

const test = suite("bundle");
const root = mkdtempSync(join(tmpdir(), "dottool-bundle-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const greet = `Greets somebody.

@title Greet
@name greet
@wrapped run_command
@command echo "hello {name}"
@param name {string} [required] Who
@tags read
`;

/** Returns the path of a new empty folder. */
function folder(name: string): string {
  return mkdtempSync(join(root, `${name}-`));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly home?: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

function run(file: string, words: readonly string[], options: RunOptions): Ran {
  const { cwd, home = folder("home"), input = "", environment = {} } = options;
  const ran: SpawnSyncReturns<string> = spawnSync(file, words, {
    cwd,
    env: { PATH: "/usr/bin:/bin", HOME: home, ...environment },
    encoding: "utf8",
    input,
    timeout: HANG_MS_MAX,
  });
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** The project whose tools are put into `ourtools`. */
const project = folder("project");
write(join(project, ".tools/greet.tool"), greet);
write(
  join(project, ".tools/plugins/shout.ts"),
  `import { definePlugin, defineTool, string } from "dottool";
import { loud } from "../lib/loud.ts";
export default definePlugin({ name: "shout", tools: [defineTool({ name: "shout", description: "Shouts.", effects: ["read"], parameters: { text: string("What") }, run: ({ text }) => loud(text) })] });
`,
);
write(join(project, ".tools/lib/loud.ts"), "export const loud = (text: string): string => text.toUpperCase();\n");
write(join(project, ".tools/package.json"), '{"name": "our-tools", "version": "1.2.0"}\n');
write(
  join(project, ".tools/config.yaml"),
  "web:\n  allow_hosts: [intern.example]\ngoogle_search:\n  key: abc\npolicy:\n  - tool: write_file\n    decision: deny\n",
);
write(join(project, ".tools/.env"), "SECRET=1\n");
const made = run(packagedFile, ["bundle", "-o", "ourtools"], { cwd: project });
const ourtools = join(project, "ourtools");

/** Runs it in an empty folder. */
function own(words: readonly string[], options: Partial<RunOptions> = {}): Ran {
  return run(ourtools, words, { cwd: folder("empty"), ...options });
}

test("bundle says what it wrote, and what it left out", () => {
  assert.equal(
    { ...made, stdout: made.stdout.replace(/[0-9a-f]{64}/, "SUM") },
    {
      exitCode: 0,
      stdout: `wrote ourtools: 5 files inside, for ${packagedTarget}\nSHA-256 of the files: SUM\n`,
      stderr: "left out: `.env`: hidden\nleft out: `config.yaml:4` `google_search.key`: a secret; each user sets it\n",
    },
  );
});

test("a bundle runs its tools and plugins at once, cold and warm, and has its own name and version", () => {
  const home = folder("home");
  for (let time = 0; time < 2; time++)
    assert.equal(own(["greet", "--name", "Ana"], { home }), { exitCode: 0, stdout: "hello Ana\n", stderr: "" });
  assert.equal(own(["shout", "--text", "hey"], { home }), { exitCode: 0, stdout: "HEY\n", stderr: "" });
  assert.is(own(["--version"]).stdout, `ourtools 1.2.0 (dottool ${version})\n`);
  assert.is(own(["--no-color", "--version"]).stdout, `ourtools 1.2.0 (dottool ${version})\n`);
});

test("a bundle says its own name in help, hints, completions and doctor", () => {
  assert.equal(own(["greet"]), {
    exitCode: 64,
    stdout: "",
    stderr:
      "failed[invalid-arguments]: `greet` does not accept these arguments\n  name  expected string, got nothing\n  = call it like this: ourtools greet --name='<name>'\n  = the value of `name` is a placeholder; replace it with yours\n",
  });
  assert.is(own(["nowhere"]).stderr.split("\n")[1], "  = `ourtools list --all` shows all tools");
  const help = own(["--help"]).stdout;
  assert.match(help, /^ourtools: the tools of a team.*\n\nUsage\n {2}ourtools \[OPTION…\] NAME/);
  assert.match(help, /\nTools\n {2}greet +Greets somebody\n {2}shout +Shouts\n/);
  for (const words of [[], ["list"]])
    assert.match(own(words).stdout, /^ *greet .*Greets somebody\n[^]*^ *shout .*Shouts$/m);
  assert.match(own(["greet", "--help"]).stdout, "\n  ourtools greet NAME\n");
  assert.match(own(["completions", "bash"]).stdout, "complete -o default -o bashdefault -F _ourtools ourtools");
  assert.is(own(["completions", "zsh"]).stdout.includes("dottool"), false);
  assert.match(own(["doctor"]).stdout, `ok  ourtools 1.2.0 (dottool ${version})`);
});

test("a skill that a bundle writes names the script in it", () => {
  const cwd = folder("empty");
  write(join(cwd, "team/greet.tool"), greet);
  assert.is(own(["export", "skill", "team", "-o", "skill"], { cwd }).exitCode, 0);
  assert.match(readFileSync(join(cwd, "skill/references/greet.md"), "utf8"), "\n  scripts/team greet NAME\n");
});

test("a bundle serves its tools over MCP under its own name", () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const input = [
    {
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { id: 1, method: "tools/list", params: { _meta } },
    { id: 2, method: "tools/call", params: { _meta, name: "greet", arguments: { name: "Ana" } } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    .join("");
  const answers = own(["mcp"], { input })
    .stdout.trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const result = (id: number) => answers.find((answer) => answer.id === id).result;
  assert.equal(result(0).serverInfo, { name: "ourtools", title: "ourtools", version: "1.2.0" });
  assert.match(result(0).instructions, "ourtools offers 2 tools that");
  const names: readonly string[] = result(1).tools.map((tool: { name: string }) => tool.name);
  assert.equal([names.includes("greet"), names.includes("shout"), names.includes("WebFetch")], [true, true, false]);
  assert.is(result(2).content[0].text, "hello Ana\n");
});

test("a bundle leaves other agents to dottool, and settings that are missing to its user's own file", () => {
  const home = folder("home");
  assert.equal(own(["hook", "claude"]), {
    exitCode: 64,
    stdout: "",
    stderr:
      "failed[usage]: a bundle cannot judge other agents; install dottool, which can\n  = `ourtools hook --help` shows the usage\n",
  });
  assert.match(own(["agent", "task"], { home }).stderr, `add your models to \`${home}/.config/dottool/config.yaml\``);
});

test("a project's tools do not take the names of a bundle's", () => {
  const cwd = folder("other");
  write(join(cwd, ".tools/greet.tool"), greet.replace("hello", "stolen"));
  assert.is(own(["greet", "--name", "Ana"], { cwd }).stdout, "hello Ana\n");
});

test("a bundle's rules hold for its user, and its settings where the user has none", () => {
  const home = folder("home");
  const denied = own(["write_file", "--file_path", "x", "--content", "y"], { home });
  assert.equal([denied.exitCode, /denied/.test(denied.stderr)], [77, true]);
  write(join(home, ".config/dottool/config.yaml"), "web:\n  allow_hosts: []\n");
  assert.is(own(["write_file", "--file_path", "x", "--content", "y"], { home }).exitCode, 77);
  assert.is(own(["greet", "--name", "Ana"], { home }).stdout, "hello Ana\n");
});

test("the same folder gives the same bytes, also from a bundle of other tools", () => {
  const cwd = folder("again");
  cpSync(join(project, ".tools"), join(cwd, ".tools"), { recursive: true });
  run(packagedFile, ["bundle", "-o", "ourtools"], { cwd });
  const others = folder("others");
  write(join(others, "t/other.tool"), greet.replaceAll("greet", "other"));
  assert.is(run(packagedFile, ["bundle", "t", "-o", "others"], { cwd: others }).exitCode, 0);
  const again = run(join(others, "others"), ["bundle", ".tools", "-o", "deep/ourtools"], { cwd });
  assert.match(again.stderr, "failed[output-file]");
  mkdirSync(join(cwd, "deep"));
  const inBundle = run(join(others, "others"), ["bundle", ".tools", "-o", "deep/ourtools"], { cwd });
  assert.match(inBundle.stderr, "left out: the tools of `others`, which the executable had inside");
  const bytes = readFileSync(ourtools);
  assert.equal(
    [join(cwd, "ourtools"), join(cwd, "deep/ourtools")].map((path) => readFileSync(path).equals(bytes)),
    [true, true],
  );
});

test("--bundle-info lists what is inside, with checksums; dottool itself has nothing inside", () => {
  const { stdout } = own(["--bundle-info"]);
  const [head, sum, , ...files] = stdout.trimEnd().split("\n");
  assert.is(head, `ourtools 1.2.0 (dottool ${version})`);
  assert.is(sum, made.stdout.trimEnd().split("\n")[1]);
  assert.equal(
    files.map((line) => line.replace(/^[0-9a-f]{64} {2}/, "")),
    ["config.yaml", "greet.tool", "lib/loud.ts", "package.json", "plugins/shout.ts"],
  );
  assert.equal(run(packagedFile, ["--bundle-info"], { cwd: project }), {
    exitCode: 66,
    stdout: "",
    stderr: "failed[bundle]: this executable contains no bundle\n  = `dottool bundle -o NAME` makes one\n",
  });
});

/** Returns what a changed copy says at its first start. */
function changed(
  change: (path: string, offsetBytes: number) => void,
  words: readonly string[] = ["greet", "--name", "Ana"],
): Ran {
  const copy = join(folder("changed"), "ourtools");
  copyFileSync(ourtools, copy);
  const read = readExecutable(readFileSync(copy));
  change(copy, "bundle" in read ? (read.bundle?.offsetBytes ?? 0) : 0);
  return run(copy, words, { cwd: root });
}

test("a changed or missing byte of the tools is an error, and nothing runs", () => {
  const flipped = changed((path, offset) => {
    const bytes = readFileSync(path);
    bytes[offset + 5] = (bytes[offset + 5] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  });
  const help = "\n  = copy it again from where you got it\n";
  assert.equal(flipped, {
    exitCode: 65,
    stdout: "",
    stderr: `failed[bundle]: \`ourtools\` is damaged: its tools are not those that were put in${help}`,
  });
  const cutOff = {
    exitCode: 65,
    stdout: "",
    stderr: `failed[bundle]: \`ourtools\` is cut off: its tools are missing${help}`,
  };
  // Also where the files are unpacked and the list is cached.
  const ourNames = [["greet", "--name", "Ana"], ["list"], ["list", "--json"]];
  for (const words of ourNames) run(ourtools, words, { cwd: root });
  for (const words of ourNames)
    assert.equal(
      changed((path, offset) => truncateSync(path, offset + 5), words),
      cutOff,
    );
  assert.equal(
    changed((path, offset) => truncateSync(path, offset + 5)),
    cutOff,
  );
  assert.equal(
    changed((path, offset) => truncateSync(path, offset)),
    cutOff,
  );
  assert.is(changed((path) => appendFileSync(path, "more")).stdout, "hello Ana\n");
});

test("what a changed marker says of the tools is not believed", () => {
  const mark = "dottool-bundle-marker-1:";
  const said = (field: number, text: string): readonly unknown[] => {
    const { exitCode, stderr } = changed((path) => {
      const bytes = readFileSync(path);
      const at = bytes.indexOf(mark) + mark.length;
      const fields = bytes
        .toString("latin1", at, at + 488)
        .trim()
        .split(" ");
      bytes.write(fields.with(field, text).join(" ").padEnd(488), at, "latin1");
      writeFileSync(path, bytes);
    });
    return [exitCode, stderr.split("\n", 1)[0]];
  };
  const damaged = [65, "failed[bundle]: `ourtools` is damaged: what it says of its tools cannot be"];
  const cutOff = [65, "failed[bundle]: `ourtools` is cut off: its tools are missing"];
  const cases: readonly (readonly [number, string])[] = [
    [2, "x"],
    [2, "-1"],
    [3, "999999999999999"],
    [3, "-1"],
    [4, "00"],
    [5, "../../../../../../canary"],
  ];
  assert.equal(
    cases.map(([field, text]) => said(field, text)),
    [cutOff, damaged, cutOff, damaged, damaged, damaged],
  );
  assert.equal(said(2, "999999999999"), cutOff);
});

test("a payload that is there twice is read once", () => {
  const twice = changed((path, offset) => appendFileSync(path, readFileSync(path).subarray(offset)));
  assert.is(twice.stdout, "hello Ana\n");
});

test("first starts at the same time all find their tools", async () => {
  const home = folder("home");
  const starts = Array.from({ length: 6 }, () => {
    const child = spawn(ourtools, ["greet", "--name", "Ana"], {
      cwd: root,
      env: { PATH: "/usr/bin:/bin", HOME: home },
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said += bytes.toString()));
    return once(child, "close").then(() => said);
  });
  assert.equal(
    await Promise.all(starts),
    Array.from({ length: 6 }, () => "hello Ana\n"),
  );
});

test("unpacked files that were changed are unpacked again", () => {
  const home = folder("home");
  own(["greet", "--name", "Ana"], { home });
  const unpacked = run("/bin/sh", ["-c", `echo ${home}/.cache/dottool/bundles/*`], { cwd: root }).stdout.trim();
  write(join(unpacked, "greet.tool"), greet.replace("hello", "stolen"));
  write(join(unpacked, "added.tool"), greet.replaceAll("greet", "added"));
  assert.is(own(["greet", "--name", "Ana"], { home }).stdout, "hello Ana\n");
  assert.is(own(["added", "--name", "Ana"], { home }).exitCode, 66);
});

test("what no bundle has used for 30 days is removed when another one is unpacked", () => {
  const home = folder("home");
  const bundles = join(home, ".cache/dottool/bundles");
  const [former, lately, killed] = ["a", "b", "c.former"].map((name) => join(bundles, name));
  for (const path of [former, lately, killed]) write(join(path ?? "", "x.tool"), "");
  write(`${former}.used`, "");
  write(`${lately}.used`, "");
  const longAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
  for (const path of [former, lately, killed, `${former}.used`]) utimesSync(path ?? "", longAgo, longAgo);
  own(["greet", "--name", "Ana"], { home });
  const left = readdirSync(bundles).map((name) => name.replace(/^[0-9a-f]{64}/, "own"));
  assert.equal(left.sort(), ["b", "b.used", "own", "own.used"]);
});

test("a bundle works where nothing can be written but the temporary folder, and leaves nothing there", () => {
  const temporary = folder("temporary");
  const environment = { HOME: "/dev/null", TMPDIR: temporary };
  assert.is(own(["greet", "--name", "Ana"], { environment }).stdout, "hello Ana\n");
  assert.is(run("/bin/ls", ["-A", temporary], { cwd: root }).stdout, "");
});

test("the tools of approved packages are inside, under their names", () => {
  const cwd = folder("with-packages");
  const home = folder("home");
  write(join(cwd, ".tools/greet.tool"), greet);
  write(join(cwd, "text/shout.tool"), greet.replaceAll("greet", "shout").replace("hello", "HELLO"));
  write(join(cwd, "text/package.json"), '{"name": "@team/text", "version": "1.0.0", "dottool": {}}\n');
  const at = { cwd, home };
  const added = run(packagedFile, ["add", "./text"], at);
  assert.is(added.exitCode, 0, added.stderr);
  assert.is(
    run(packagedFile, ["bundle", "-o", "ourtools"], at).stderr.split("\n")[0],
    "failed[bundle]: `@team/text` is not approved, and those who get the output trust everything in it",
  );
  const [hash = ""] =
    /[0-9a-f]{64}/.exec(run(packagedFile, ["trust", "--package", "@team/text", "--show"], at).stdout) ?? [];
  const packed = run(packagedFile, ["bundle", "-o", "ourtools"], { ...at, environment: { DOTTOOL_TRUST: hash } });
  assert.match(packed.stdout, "wrote ourtools: 2 files inside");
  assert.is(
    run(join(cwd, "ourtools"), ["team/shout", "--name", "Ana"], { cwd: folder("empty") }).stdout,
    "HELLO Ana\n",
  );
});

test("the plugins of approved packages are inside, with the modules beside them", () => {
  const cwd = folder("with-plugins");
  const home = folder("home");
  write(join(cwd, ".tools/greet.tool"), greet);
  write(
    join(cwd, "text/package.json"),
    '{"name": "@team/text", "version": "1.0.0", "dottool": {"tools": "definitions", "plugins": ["plugins/shout.ts"]}}\n',
  );
  write(join(cwd, "text/definitions/hey.tool"), greet.replaceAll("greet", "hey"));
  cpSync(join(project, ".tools/plugins"), join(cwd, "text/plugins"), { recursive: true });
  cpSync(join(project, ".tools/lib"), join(cwd, "text/lib"), { recursive: true });
  const at = { cwd, home };
  run(packagedFile, ["add", "./text"], at);
  const [hash = ""] =
    /[0-9a-f]{64}/.exec(run(packagedFile, ["trust", "--package", "@team/text", "--show"], at).stdout) ?? [];
  const packed = run(packagedFile, ["bundle", "-o", "ourtools"], { ...at, environment: { DOTTOOL_TRUST: hash } });
  assert.is(packed.exitCode, 0, packed.stderr);
  rmSync(join(cwd, "text"), { recursive: true });
  const elsewhere = { cwd: folder("empty") };
  assert.equal(run(join(cwd, "ourtools"), ["shout", "--text", "hey"], elsewhere), {
    exitCode: 0,
    stdout: "HEY\n",
    stderr: "",
  });
  assert.is(run(join(cwd, "ourtools"), ["team/hey", "--name", "Ana"], elsewhere).stdout, "hello Ana\n");
  const listed = run(join(cwd, "ourtools"), ["list", "--mine"], elsewhere).stdout.matchAll(/^[\w/]+(?= +\S+ +read)/gm);
  assert.equal([...listed].map(([name]) => name).sort(), ["greet", "shout", "team/hey"]);
});

test("bundle refuses what would not work, and overwrites nothing but executables of dottool", () => {
  const cwd = folder("wrong");
  write(join(cwd, "notes"), "mine");
  write(join(cwd, "broken/x.tool"), "Broken.\n\n@name x\n@command ls {y}\n");
  mkdirSync(join(cwd, "empty"));
  cpSync(join(project, ".tools"), join(cwd, "t"), { recursive: true });
  const says = (...words: readonly string[]): string =>
    run(packagedFile, ["bundle", ...words], { cwd }).stderr.split("\n")[0] ?? "";
  assert.equal(
    [
      says("t"),
      says("t", "-o", "Our Tools"),
      says("t", "-o", "dottool"),
      says("t", "-o", "notes"),
      says("-o", "x"),
      says("nowhere", "-o", "x"),
      says("empty", "-o", "x"),
      says("broken", "-o", "x"),
      says("t", "-o", "t/x"),
      says("t", "-o", "x", "--base", "notes"),
      says("t", "-o", "x", "--base", "/bin/sh"),
      says("t", "-o", "x", "--base", "/dev/zero"),
    ],
    [
      "failed[usage]: `bundle` needs `-o NAME`, the file to write",
      "failed[usage]: `Our Tools` cannot be the name of a program here: it is 1 to 32 lowercase letters, digits, `-` and `_`, and begins with a letter",
      "failed[usage]: choose another name for the bundle, such as `ourtools`",
      "failed[exists]: `notes` exists and is not an executable of dottool",
      "failed[missing]: there is no `.tools` here or above",
      "failed[missing]: `nowhere` is not a directory",
      "failed[missing]: `empty` has no tools and no plugins",
      "failed[definitions]: `broken` has errors: broken/x.tool:4: cannot find `y` in this tool",
      "failed[usage]: `t/x` is in the folder that goes into it; write it elsewhere",
      "failed[base]: `notes` is not an executable for Linux, macOS or Windows",
      "failed[base]: `/bin/sh` is not an executable of dottool, or is of a version that cannot be bundled",
      "failed[base]: `/dev/zero` is not a file",
    ],
  );
  assert.is(readFileSync(join(cwd, "notes"), "utf8"), "mine");
});

test("from an empty folder to a teammate's machine", () => {
  const mine = folder("mine");
  const home = folder("home");
  const theirs = folder("theirs");
  chmodSync(theirs, 0o755);
  const transcript = [
    [mine, "dottool new todo --from 'grep -rn TODO notes'"],
    [mine, "dottool check"],
    [mine, "dottool bundle -o ourtools"],
    [mine, `cp ourtools ${theirs}`],
    [theirs, "echo 'TODO: tea' > notes"],
    [theirs, "./ourtools todo --folder notes"],
    [theirs, "./ourtools list --mine"],
    [theirs, "./ourtools --bundle-info"],
    [theirs, "./ourtools explain todo --folder notes"],
  ].map(([cwd = "", line = ""]) => {
    const file = join(root, "bin/dottool");
    write(file, `#!/bin/sh\nexec ${packagedFile} "$@"\n`);
    chmodSync(file, 0o755);
    const { exitCode, stdout, stderr } = run("/bin/sh", ["-c", `PATH=${dirname(file)}:$PATH; ${line} 2>&1`], {
      cwd,
      home: cwd === mine ? home : theirs,
    });
    assert.is(exitCode, 0, `${line}: ${stdout}${stderr}`);
    const shown = `${cwd === mine ? "mine" : "theirs"}$ ${line}\n${stdout}`;
    return shown.replaceAll(theirs, "/theirs").replaceAll(/\b[0-9a-f]{64}\b/g, "SUM");
  });
  assertGolden("packaged/golden/bundle.txt", transcript.join("\n").replaceAll(packagedTarget, "linux-x64"));
});

test.run();
