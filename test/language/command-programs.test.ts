// What programs do with their words: the program itself shows that each refusal is needed, and common uses are
// accepted.
import { languages, launchers, tools, wrappers } from "../../src/generated/program-data.ts";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { literalText } from "../../src/core/shell/pieces.ts";
import { programName } from "../../src/core/shell/programs.ts";
import { namesOf } from "../../src/core/shell/rule.ts";
import { scanScript } from "../../src/core/shell/scan.ts";
import { programReadingInput } from "../../src/core/language/checks/surroundings-dangers.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import { HANG_MS_MAX, someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter, problemsOf } from "./command-fixture.ts";
import { directRows, type ProgramRow, safe, safeScripts, scriptRows, shellSafeRows, untried } from "./program-rows.ts";

const test = suite("programs");

const parameters: readonly Parameter[] = [
  parameter("p", { type: "string" }, { required: true }),
  parameter("q", { type: "string" }, { required: true }),
  parameter("o"),
  parameter("n", { type: "integer" }, { required: true }),
  parameter("w", { type: "string", pattern: { source: "[a-z0-9_-]+", flags: "" } }, { required: true }),
  parameter("d", { type: "string", pattern: { source: "[\\w.-]+", flags: "" } }, { required: true }),
  parameter("files", { type: "array", items: { type: "string" } }, { required: true }),
];

function isRefused(template: string, shell: Shell | "none"): boolean {
  const { diagnostics } = commandOf(template, shell, parameters);
  return diagnostics.some(({ code }) => code === "unsafe-placeholder" || code === "parameter-as-program");
}

test("parseCommand refuses values that a program would run, in both modes", () => {
  const direct = [...directRows, ...shellSafeRows.filter(({ template }) => !template.includes("|"))].map(
    ({ template }) => template,
  );
  assert.equal(
    [...direct, ...untried].filter((template) => !isRefused(template, "none")),
    [],
  );
  const scripts = [...directRows, ...shellSafeRows, ...scriptRows].map(({ template }) => template);
  assert.equal(
    [...scripts, ...untried].filter((template) => !isRefused(template, "sh")),
    [],
  );
});

test("parseCommand accepts every such value once its parameter is `{code}`, as the help line says", () => {
  const withCode = parameters.map((one): Parameter => {
    if (one.schema.type === "array")
      return { ...one, schema: { ...one.schema, items: { type: "string", format: "code" } } };
    return one.schema.type === "string" ? { ...one, schema: { type: "string", format: "code" } } : one;
  });
  const refused = (template: string, shell: Shell | "none"): readonly string[] =>
    commandOf(template, shell, withCode)
      .diagnostics.filter(({ code }) => code === "unsafe-placeholder" || code === "parameter-as-program")
      .map(({ at, message }) => `${shell}: ${template}: ${message}, ${at?.text ?? ""}`);
  const helpsOf = (template: string, shell: Shell | "none"): readonly string[] =>
    commandOf(template, shell, parameters)
      .diagnostics.filter(({ code }) => code === "unsafe-placeholder" || code === "parameter-as-program")
      .flatMap(({ help }) => help);
  const direct = [...directRows, ...shellSafeRows.filter(({ template }) => !template.includes("|"))].map(
    ({ template }) => template,
  );
  const scripts = [...directRows, ...shellSafeRows, ...scriptRows].map(({ template }) => template);
  assert.equal(
    [...direct, ...untried].flatMap((template) => refused(template, "none")),
    [],
  );
  assert.equal(
    [...scripts, ...untried].flatMap((template) => refused(template, "sh")),
    [],
  );
  assert.equal(
    [...scripts, ...untried].filter((template) => !helpsOf(template, "sh").some((line) => line.includes("code}`"))),
    [],
  );
});

test("parseCommand accepts common uses of the same programs, in both modes", () => {
  assert.equal(
    safe.flatMap((template) => problemsOf(template, "none", parameters).map((problem) => `${template}: ${problem}`)),
    [],
  );
  assert.equal(
    [...safe, ...safeScripts].flatMap((template) =>
      problemsOf(template, "sh", parameters).map((problem) => `${template}: ${problem}`),
    ),
    [],
  );
});

test("parseCommand names the program and the option", () => {
  const shown = (template: string): readonly string[] => problemsOf(template, "none", parameters);
  assert.equal(
    [
      shown("git --no-pager -c {p} status"),
      shown("git rebase -x {p} main"),
      shown("tar cIf {p} x"),
      shown("tar --to-com={p} -xf x"),
      shown("sh -c 'eval \"$1\"' x {p}"),
      shown("awk '{{system(x)}}' {p}"),
      shown("vim {p}"),
      shown("perl -ne print {p}"),
      shown("nice --adjustment 5 {p}"),
    ],
    [
      ["unsafe-placeholder [{p}] `git -c` reads this as a program"],
      ["unsafe-placeholder [{p}] `git rebase -x` reads this as a program"],
      ["unsafe-placeholder [{p}] `tar -I` reads this as a program"],
      ["unsafe-placeholder [{p}] `tar --to-command` reads this as a program"],
      ["unsafe-placeholder [{p}] `eval` runs its arguments as a script"],
      ["unsafe-placeholder [{p}] the program text of `awk` may run its arguments"],
      ["unsafe-placeholder [{p}] an argument that begins with `+` is a command, and so is what follows `-c`"],
      ["unsafe-placeholder [{p}] `perl -n` and `-p` run `… |` as a command"],
      ["parameter-as-program [{p}] this is the name of a program"],
    ],
  );
});

const readers = [
  "sh",
  "bash -s x",
  "env -i sh",
  "nice python3 -",
  "sqlite3 x.db",
  "psql -d x",
  "mysql",
  "at now",
  "crontab -",
  "sftp host",
  "parallel",
  "ed -s f",
  "vim -es f",
  "gdb -q",
  "xargs -I% sh -c 'echo %'",
  "xargs sh -c",
  "xargs env",
  "awk '{{system($1)}}'",
  "sh -c 'read x; eval \"$x\"'",
  "ssh {n} sh",
  "dottool exec",
  "dottool call run_command --json -",
  "xargs dottool run_command --command",
  "dottool mcp",
  "curl -K - https://h/",
  "deno run -",
  "bun run -",
  "uv run -",
  "pwsh -Command -",
  "pwsh -File -",
  "emacs --script /dev/stdin",
  "irb",
  "iex",
  "swipl",
  "rails console",
  "lftp host",
  "docker build -",
  "docker buildx build -",
  "docker build -t {n} -f - .",
  "docker compose -f - up",
  "nix-build -",
  "ansible-playbook /dev/stdin",
  "just -f -",
  "tmux -C",
  "tmux source -",
];

test("every rule of the tables has a row that is refused", () => {
  const rows = [...directRows, ...shellSafeRows, ...scriptRows].map(({ template }) => template);
  const commands = [...rows, ...untried, ...readers].flatMap((template) =>
    scanScript(template, { knowsTests: false }).commands.map(({ words }) =>
      words.map((word) => programName(literalText(word) ?? "")),
    ),
  );
  const isThere = (name: string): boolean =>
    name
      .split(" ")
      .every((part, index, parts) =>
        commands.some((words) => words.includes(part) && (index === 0 || words.includes(parts[0] ?? ""))),
      );
  assert.equal(
    [...languages.all(), ...wrappers.all(), ...launchers.all(), ...tools.all()]
      .filter((rule) => !namesOf(rule).some(isThere))
      .map(({ names }) => names),
    [],
  );
});

const plainReaders = [
  "cat",
  "python3 script.py",
  "python3 -c 'import sys; print(sys.stdin.read())'",
  "sqlite3 x.db 'select 1'",
  "xargs -0 rm --",
  "xargs -I% cp % x",
  "awk '{{print $1}}'",
  "sh -c 'sort | uniq'",
  "ssh {n} cat",
  "grep -f -",
  "docker build .",
  "curl -d @- https://h/",
  "nix-build x.nix",
  "just build",
  "tmux list-sessions",
  "deno run x.ts",
  "jq -f x.jq",
  "psql -f x.sql",
  "sh script.sh",
];

test("programReadingInput finds the program behind others and in scripts", () => {
  const reads = (template: string): boolean => {
    const { value } = commandOf(template, "none", parameters);
    return value !== undefined && programReadingInput(value) !== undefined;
  };
  assert.equal([readers.filter((template) => !reads(template)), plainReaders.filter(reads)], [[], []]);
});

/** Returns the script of a program that only looks at quotes. */
function naiveScript(template: string): string {
  const quoted = { bare: '"${1}"', double: "${1}", single: `'"\${1}"'` };
  return scanScript(template, { knowsTests: false })
    .parts.map((part) => (typeof part === "string" ? part : quoted[part.quoting]))
    .join("");
}

interface Ended {
  readonly isMarked: boolean;
  readonly status: string;
}

async function tried({ template, value, before }: ProgramRow): Promise<Ended> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-programs-")));
  try {
    mkdirSync(join(folder, "bin"));
    for (const name of ["script", join("bin", "tame")])
      writeFileSync(join(folder, name), "#!/bin/sh\n: > mark\n", { mode: 0o755 });
    const git = {
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b",
      GIT_ALLOW_PROTOCOL: "file",
      FILTER_BRANCH_SQUELCH_WARNING: "1",
    };
    const env = {
      PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
      HOME: folder,
      PLACE: folder,
      TERM: "dumb",
      ...git,
    };
    const script = `${before === undefined ? "" : `{ ${before}; } > before 2>&1 || exit 99\n`}${naiveScript(template)}`;
    const child = spawn("dash", ["-c", script, "naive", value], {
      cwd: folder,
      env,
      stdio: "ignore",
      timeout: HANG_MS_MAX,
      killSignal: "SIGKILL",
    });
    const status = await new Promise<string>((resolve, reject) =>
      child.once("error", reject).once("close", (code, signal) => resolve(String(signal ?? code))),
    );
    return { isMarked: existsSync(join(folder, "mark")), status };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function isTriable({ template, needsRoot }: ProgramRow): boolean {
  if (needsRoot && process.getuid?.() !== 0) return false;
  const { commands } = scanScript(template, { knowsTests: false });
  const names = commands.flatMap(({ words: [first] }) =>
    first?.pieces[0]?.kind === "text" ? [first.pieces[0].text] : [],
  );
  // Deno, which replaces `dottool` there, needs more of the environment.
  if (template.includes("dottool") && "deno" in process.versions) return false;
  return names.every(
    (name) =>
      name.includes("=") ||
      builtins.has(name) ||
      (process.env["PATH"] ?? "").split(delimiter).some((folder) => folder !== "" && existsSync(join(folder, name))),
  );
}

/** The rows themselves make `dottool`. */
const builtins = new Set(["export", "command", "exec", "dottool"]);

test("the values that parseCommand refuses would have run", async () => {
  const rows = [...directRows, ...shellSafeRows, ...scriptRows]
    .map((row) => ({ ...row, template: row.template.replaceAll("{w}", "{p}") }))
    .filter(isTriable);
  const silent: string[] = [];
  // The behaviour of programs hardly changes, so a part of the rows is tried. All refusals are tested above.
  const next = someOf(rows, 6).values();
  const worker = async (): Promise<void> => {
    for (const row of next) {
      const { isMarked, status } = await tried(row);
      if (!isMarked) silent.push(`${row.template}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() * 2 }, worker));
  assert.equal(silent, []);
});

test.run();
