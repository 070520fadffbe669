// Lines that `dottool hook claude --contained` has rewritten, run by a shell as the client runs them: real work passes,
// and each canary stays where it is.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject } from "../test-project.ts";

const test = suite("contained runs");

const CANARY = "canary-2291";

interface Work {
  readonly home: string;
  /** Outside of the temporary folder, so that `/tmp` is the project's own. */
  readonly project: string;
  /** Runs the line that the client gets for one. */
  shell(line: string): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>;
}

async function withWork(use: (work: Work) => Promise<void>): Promise<void> {
  needPrograms("bwrap", "git");
  using bench = testProject({ "home/key": CANARY });
  const home = join(bench.folder, "home");
  const project = realpathSync(mkdtempSync("/var/tmp/dottool-contained-"));
  const options = { cwd: project, env: bench.program.environment, encoding: "utf8" } as const;
  const git = (...words: readonly string[]): unknown => spawnSync("git", words, options);
  git("init", "-q", ".");
  try {
    await use({
      home,
      project,
      shell: async (command) => {
        const call = { cwd: project, tool_name: "Bash", tool_input: { command } };
        const { stdout } = await bench.run(["hook", "claude", "--contained"], { stdin: JSON.stringify(call) });
        const { updatedInput } = (JSON.parse(stdout) as { hookSpecificOutput: { updatedInput: { command: string } } })
          .hookSpecificOutput;
        return spawnSync("/bin/sh", ["-c", updatedInput.command.replaceAll("<bench>", bench.folder)], options);
      },
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

test("a line works in the project, and keeps a home folder and temporary files of its own", () =>
  withWork(async ({ home, project, shell }) => {
    mkdirSync(join(project, "sub"));
    const first = await shell(
      'cd sub && touch made && echo one > "$HOME/kept" && echo two > /tmp/kept && mkdir -p "$HOME/.cache"',
    );
    assert.equal([first.status, first.stderr, readdirSync(join(project, "sub"))], [0, "", ["made"]]);
    const second = await shell('sh -c "cat $HOME/kept /tmp/kept"');
    assert.equal([second.status, second.stdout], [0, "one\ntwo\n"]);
    assert.equal([existsSync(join(home, "kept")), existsSync("/tmp/kept")], [false, false]);
  }));

test("git commits with the person's name, and changes neither settings nor hooks", () =>
  withWork(async ({ home, project, shell }) => {
    const settings = `[github]\n\ttoken = ${CANARY}\n[user]\n\tname = Ana\n\temail = ana@example.org\n`;
    writeFileSync(join(home, ".gitconfig"), settings);
    writeFileSync(join(project, "a"), "a\n");
    const made = await shell("git add a && git commit -qm one && git log --format=%an");
    assert.equal([made.status, made.stdout, made.stderr], [0, "Ana\n", ""]);
    assert.not((await shell(`git config --list --global; cat ${home}/.gitconfig`)).stdout.includes(CANARY));
    const mixed = await shell("echo b >> a && git add a && ./build");
    assert.match(
      mixed.stderr,
      "from writing `.git` (other programs obey it); git's commands in a line of their own may write it",
    );
    assert.is((await shell("touch b && git add a b && git commit -qm more && git status --short")).stdout, "");
    const own = readFileSync(join(project, ".git/config"), "utf8");
    await shell("git add a && git commit -qm two --allow-empty; sh -c 'git config core.fsmonitor ./evil'");
    // A hook is a program of the project: what it leaves behind is set aside.
    writeFileSync(join(project, ".git/hooks/pre-commit"), "#!/bin/sh\necho /tmp > .git/commondir\nmv .git .g\n", {
      mode: 0o755,
    });
    const hooked = await shell("git commit -qm three --allow-empty");
    assert.match(hooked.stderr, /`\.git\/commondir` appeared while it ran/);
    const names = readdirSync(join(project, ".git"));
    assert.equal([names.includes("commondir"), names.includes("commondir.from-sandbox")], [false, true]);
    assert.is(readFileSync(join(project, ".git/config"), "utf8"), own);
    assert.equal(existsSync(join(project, ".g")), false);
    // Nor does it leave what git outside would obey beside its settings.
    mkdirSync(join(project, "xgit/hooks"), { recursive: true });
    writeFileSync(join(project, "xgit/hooks/post-checkout"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(
      join(project, ".git/hooks/post-commit"),
      "#!/bin/sh\nmkdir .git/sequencer .git/remotes .git/own\nln -s /etc/passwd .git/OWN_HEAD\nperl -pi -e 's/xgit/.git/' .git/index\n",
      { mode: 0o755 },
    );
    rmSync(join(project, ".git/hooks/pre-commit"));
    assert.is((await shell("git add xgit && git commit -qm four")).status, 0);
    const left = readdirSync(join(project, ".git"));
    const planted = ["OWN_HEAD", "index", "own", "remotes", "sequencer"];
    assert.equal(
      planted.filter((name) => left.includes(name) || !left.includes(`${name}.from-sandbox`)),
      [],
    );
  }));

const attacks: readonly string[] = [
  'cat "HOME_OF_PERSON/key"; true; awk 1 HOME_OF_PERSON/key',
  "echo x > HOME_OF_PERSON/made",
  "sort -o HOME_OF_PERSON/made a",
  "ln -s HOME_OF_PERSON l; cat l/key; echo x > l/made",
  "python3 -c 'print(open(\"HOME_OF_PERSON/key\").read())'",
  "echo 'touch HOME_OF_PERSON/made' > .git/hooks/post-commit; git commit -qm x --allow-empty",
  'cat .env; node -e \'console.log(require("fs").readFileSync(".env", "utf8"))\'',
  "echo $SECRET_TOKEN; env",
];

test("no canary of the home folder, of keys and of the environment is seen, and nothing is written outside", () =>
  withWork(async ({ home, project, shell }) => {
    writeFileSync(join(project, ".env"), `KEY=${CANARY}\n`);
    writeFileSync(join(project, "a"), "a\n");
    const line = attacks.map((one) => `( ${one} )`).join("\n");
    const { stdout, stderr } = await shell(line.replaceAll("HOME_OF_PERSON", home));
    assert.not(`${stdout}${stderr}`.includes(CANARY), `${stdout}${stderr}`);
    const names = readdirSync(home).filter((name) => !name.startsWith("."));
    assert.equal(names, ["key"]);
  }));

test("a person allows a host for a project, and what a tool starts cannot", () =>
  withWork(({ project }) => {
    using bench = testProject();
    const options = { cwd: project, env: bench.program.environment, encoding: "utf8" } as const;
    const sandbox = (words: readonly string[], environment = {}): ReturnType<typeof spawnSync> =>
      spawnSync(bench.program.command, [...bench.program.words, "sandbox", ...words], {
        ...options,
        env: { ...options.env, ...environment },
      });
    const proxied = ["--work", "--", "sh", "-c", 'echo "$HTTPS_PROXY"'];
    assert.is(String(sandbox(proxied).stdout), "\n");
    assert.is(
      sandbox(["--allow", "api.example.org"]).stdout,
      `commands with \`--work\` in \`${project}\` reach api.example.org for a day\n`,
    );
    assert.match(String(sandbox(proxied).stdout), /^http:\/\/127/);
    assert.is(sandbox(["--allow", "api.example.org", "--days", "0"]).status, 0);
    assert.is(String(sandbox(proxied).stdout), "\n");
    assert.match(
      String(sandbox(["--allow", "x.org"], { DOTTOOL_RUN_ID: "x" }).stderr),
      /only a person may allow a host/,
    );
    assert.match(String(sandbox(["--allow", "*"]).stderr), /takes a host such as/);
    assert.match(String(sandbox(["--days", "2", "--", "true"]).stderr), /`--days` needs `--allow`/);
    return Promise.resolve();
  }));

test.run();
