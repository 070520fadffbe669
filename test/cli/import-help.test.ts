// `dottool import --help-of`: programs that print their help in the usual forms.
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("import of help");

/** A program with commands, as cobra prints them; it prints its words where it is not asked for help. */
const cluster = `#!/bin/sh
case "$*" in
--help) cat <<'EOF'
Controls the cluster.

Usage:
  cluster [flags] [command]

Available Commands:
  get         Show resources
  help        Help about any command
  scale, sc   Change the number of copies

Flags:
  -h, --help   help for cluster
EOF
;;
"get --help") cat <<'EOF'
Show one or many resources.

Usage:
  cluster get RESOURCE [NAME...] [flags]

Flags:
  -A, --all-namespaces      If present, of all namespaces
  -n, --namespace string    [required] The namespace
  -o, --output=json|yaml    The form
      --color[=WHEN]        Colours
  -h, --help                help for get
EOF
;;
"scale --help") echo 'no help here' >&2 ;;
*) printf '<%s>' "$@" ;;
esac
`;

/** A program without commands, as clap prints it, with colours. */
const shrink = `#!/bin/sh
[ "$1" = --help ] || { printf '<%s>' "$@"; exit; }
printf 'Makes files smaller\\n\\n\\033[1mUsage:\\033[0m shrink [OPTIONS] <INPUT> [OUTPUT]\\n\\nArguments:\\n  <INPUT>  What\\n\\nOptions:\\n'
printf '  -l, --level <LEVEL>\\n          How small, from 1 to 9\\n  -q, --quiet Print nothing\\n  -V, --version  Print version\\n'
`;

/** Lists of commands as kubectl, gh, git, apt and systemctl print them, and lists of other things. */
const lists = `#!/bin/sh
[ "$*" = --help ] && cat <<'EOF'
usage: lists [-h] <command> [<args>]

Basic Commands (Beginner):
  create          Create a resource from a file

CORE COMMANDS
  auth:           Log in and out

These are common commands used in various situations:

start a working area (see also: lists help tutorial)
   clone     Clone a repository

Most used commands:
  list - list packages

Unit Commands:
  list-units [PATTERN...]             List units
  set UNIT NAME=VALUE...              Set a property

Environment variables:
  home       No command
HELP TOPICS
  formatting:  No command either
EOF
`;

async function withPrograms(use: (bench: TestProject) => Promise<void>): Promise<void> {
  using bench = testProject({ cluster, shrink, lists, silent: "#!/bin/sh\n" });
  for (const name of ["cluster", "shrink", "lists", "silent"]) chmodSync(join(bench.folder, name), 0o755);
  await use(bench);
}

test("import --help-of makes tools of programs as in golden/import-help.txt", () =>
  withPrograms(async (bench) => {
    needPrograms("bwrap");
    const texts: string[] = [];
    for (const words of [
      ["import", "--help-of", "./cluster", "--print"],
      ["import", "--help-of", "./cluster", "get", "--only", "cluster-get", "--json"],
      ["import", "--help-of", "./shrink", "--print"],
      ["import", "--help-of", "./silent"],
      ["import", "--help-of", "no-such-program"],
      ["import"],
    ]) {
      const { stdout, stderr, exitCode } = await bench.here(words);
      texts.push(`$ dottool ${words.join(" ")}\n${stdout}${stderr}exit ${exitCode}\n`);
    }
    assertGolden("cli/golden/import-help.txt", texts.join("\n"));
  }));

test("commands are found in the lists of well-known programs, and nowhere else", () =>
  withPrograms(async (bench) => {
    const { stdout } = await bench.here(["import", "--help-of", "./lists", "--json"]);
    const { tools } = JSON.parse(stdout) as { readonly tools: readonly { name: string; text: string }[] };
    assert.equal(
      tools.map(({ name, text }) => [name, text.split("\n", 1)[0]]),
      [
        ["lists-create", "Create a resource from a file"],
        ["lists-auth", "Log in and out"],
        ["lists-clone", "Clone a repository"],
        ["lists-list", "list packages"],
        ["lists-list-units", "List units"],
        ["lists-set", "Set a property"],
      ],
    );
  }));

test("a tool of a program's help passes options and words on as the program takes them", () =>
  withPrograms(async (bench) => {
    await bench.here(["import", "--help-of", "./cluster"]);
    const { stdout } = await bench.here([
      "cluster-get",
      "pods",
      "--name",
      "a b",
      "--namespace",
      "x",
      "--output",
      "json",
      "--color",
    ]);
    assert.is(stdout, "<get><--namespace><x><--output=json><--color><pods><a b>");
  }));

test("a program is asked for its help in the sandbox: nothing is written, and the home folder is not read", async () => {
  const program = `#!/bin/sh
touch "$HOME/written" "$PWD/written" 2>/dev/null
cat "$HOME/key" 2>/dev/null
printf 'Does it\\n\\nUsage: shy [OPTIONS]\\n\\nOptions:\\n  --fast  Does it fast\\n'
`;
  using bench = testProject({ "bin/shy": program, "home/key": "Options:\n  --key  k\n" });
  chmodSync(join(bench.folder, "bin/shy"), 0o755);
  const sandbox = await bench.run(["sandbox", "--", "true"]);
  if (sandbox.exitCode !== 0) return;
  const { stdout, stderr } = await bench.run(["import", "--help-of", "bin/shy", "--print"]);
  assert.match(stdout, '@param fast {boolean} [flag="--fast"] Does it fast');
  assert.not.match(stdout, "--key");
  assert.not.match(stderr, "without a sandbox");
  assert.equal(
    [existsSync(join(bench.folder, "written")), existsSync(join(bench.folder, "home/written"))],
    [false, false],
  );
  // The folder would show the home folder, so there is no sandbox.
  const atHome = await bench.run(["import", "--help-of", "../bin/shy", "--print"], { cwd: "home" });
  assert.match(atHome.stderr, "`../bin/shy` ran without a sandbox: ");
  assert.match(atHome.stdout, "@param fast");
});

test.run();
