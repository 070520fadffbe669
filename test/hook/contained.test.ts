// What `dottool hook CLIENT --contained` decides: lines that are known to only read pass, dangers that the sandbox does
// not hold are asked about, and everything else runs in the sandbox.
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";
import { attacks } from "./attacks.ts";
import { bypasses } from "./bypasses.ts";
import { type HookFixture, withHooks } from "./hook-fixture.ts";

const test = suite("contained lines");

const withContained = <T>(work: (bench: HookFixture) => Promise<T>, config?: string): Promise<T> =>
  withHooks(work, config, true);

/** `reads`, `asked`, `denied`, or the options of the sandbox before the shell. */
async function resultOf({ shell }: HookFixture, line: string): Promise<string> {
  const { decision, reason, sandboxed } = await shell(line);
  if (sandboxed) return / sandbox (--work.*?) -- /.exec(sandboxed.line)?.[1] ?? sandboxed.line;
  if (decision === "allow") return reason === "it only reads" ? "reads" : reason;
  return decision;
}

const NPM = "--work --network '*.npmjs.org' --network '*.yarnpkg.com'";

const rows: readonly (readonly [line: string, result: string])[] = [
  ["ls -la src && cat README.md | head -20", "reads"],
  ["cd src; grep -n 'a*b$' x.ts 2>/dev/null", "reads"],
  ["echo a && pwd", "reads"],
  // The client decides, as it does for its own tools.
  ["cat /etc/hosts", "none"],
  ["cat ../other/file", "none"],
  ["echo $HOME && pwd", "none"],
  // Options, names and values with which a reader does not only read, or shows what is secret.
  ["sort -o x y", "--work"],
  ["sort --comp=./evil y", "--work"],
  ["uniq a b", "--work"],
  ["echo x | uniq - made", "--work"],
  ["fd -0x ./evil", "--work"],
  ["strings @list", "--work"],
  ["diff -N src sub", "--work"],
  ["grep --di=recurse . src", "--work"],
  ["printf %d ' PATH=5'; ls", "--work"],
  ["echo evil > 2", "--work"],
  ["echo evil > '&8'", "--work"],
  ["ls 2>&1 >/dev/null", "reads"],
  ["cat $PWD/.env", "--work"],
  ["echo $HOME\\\nBREW_TOKEN", "--work"],
  ["cd\nevil && true", "--work"],
  ["date 0101000020", "--work"],
  ["date +%Y", "reads"],
  ["cd src && cat ../.env", "--work"],
  ["(cd src; cat ../.env)", "--work"],
  ["cat ~+/.env", "--work"],
  ["cat link-out/canary", "--work"],
  ["cd link-out && cat canary", "ask"],
  ["cat .git/config", "--work"],
  ["git rebase -x 'touch x' main", "--work"],
  ["find . -name x -delete -print", "--work"],
  ["tree -o x", "--work"],
  ["date --set=now", "ask"],
  ["printf -v 'a[$(touch x)]' y", "--work"],
  ["grep -r password .", "--work"],
  ["cat *", "--work"],
  ["echo $GITHUB_TOKEN", "--work"],
  ['echo "${x:=y}"', "--work"],
  ["X=1 ls", "--work"],
  ["export PATH=.; ls", "--work"],
  ["ls; . ./x", "--work"],
  ["source x", "--work"],
  ["x=(1 2); ls", "--work"],
  ["for i in 1 2; do ls; done", "--work"],
  ["((x++)); ls", "--work"],
  ["[[ -v 'a[$(touch x)]' ]]", "--work"],
  ["eval 'touch y'", "--work"],
  ["trap 'touch y' EXIT; ls", "--work"],
  ["ls & disown", "--work"],
  ["coproc ls", "reads"],
  ["", "--work"],
  ["./ls", "--work"],
  ["ls() { touch x; }; ls", "--work"],
  ["alias ls='touch x'; ls", "--work"],
  ["ls > out", "--work"],
  ["cat <(touch x)", "--work"],
  ["cat < /dev/tcp/127.0.0.1/80", "--work"],
  ["timeout 5 ls", "--work"],
  ["awk 1 x", "--work"],
  ["sed -n 1p x", "--work"],
  ["python3 -c 'print(1)'", "--work"],
  // Git, and package managers.
  ["git add -A && git commit -qm 'x' && git log | head", "--work --git"],
  ["git status", "--work --git"],
  ["echo '*.so' >> .gitignore && mkdir -p sub/new && touch sub/new/x && git add .", "--work --git"],
  ["echo x > .git/rebase-merge/git-rebase-todo && git status", "--work"],
  ["echo x > link-git/rebase-merge/todo && git status", "--work"],
  ["cd .git && touch x && git status", "--work"],
  ["touch {x,.git/y} && git status", "--work"],
  ["touch $X && git status", "--work"],
  ["touch link-out/x && git status", "--work"],
  ["touch ../x && git status", "--work"],
  ["git -c core.pager=x log", "--work"],
  ["git show HEAD:x > .git", "--work"],
  ["find -files0-from x", "--work"],
  ["wc --files0=x", "--work"],
  ["md5sum -c x", "--work"],
  ["file -f x", "--work"],
  ["git log --output=.git/index", "--work"],
  ["git cherry-pick --strategy=x/y side", "--work"],
  ["./git status", "--work"],
  ["git status && mine x", "--work"],
  ["git gc -q && git ls-remote --heads origin", "--work --git"],
  ["git rebase main", "--work"],
  ["git add . && ./build", "--work"],
  ["git config x.y z", "--work"],
  ["GIT_PAGER=x git log", "--work"],
  ["npm test", NPM],
  ["cd sub && npm ci && node x.js", NPM],
  ["python3 -m pip install x", "--work --network pypi.org --network '*.pythonhosted.org'"],
  // Keys, which the sandbox hides.
  ["cat .env", "--work"],
  ["source ~/.bashrc; sh -c 'cat .env'", "--work"],
  // What the sandbox does not hold, or what needs out of it.
  ["git reset --hard", "ask"],
  ["sudo ls", "ask"],
  ["make\0", "ask"],
  ["npm publish", "ask"],
  ["dottool sandbox --allow api.example.org", "ask"],
];

test("a line passes, is contained or is asked about", () =>
  withContained(async (bench) => {
    mkdirSync(join(bench.project, ".git"));
    for (const name of ["src", "sub"]) mkdirSync(join(bench.project, name));
    mkdirSync(join(bench.home, "notes"));
    symlinkSync(join(bench.home, "notes"), join(bench.project, "link-out"));
    symlinkSync(".git", join(bench.project, "link-git"));
    for (const name of ["x", ".env"]) bench.write(join(bench.project, name), "text\n");
    const found: (readonly [string, string])[] = [];
    for (const [line] of rows) found.push([line, await resultOf(bench, line)]);
    assert.equal(
      found.filter(([, result], at) => result !== rows[at]?.[1]),
      [],
    );
  }));

test("no published bypass and no attack passes outside the sandbox", async () => {
  const passed: string[] = [];
  await withContained(async ({ shell, write, project, home }) => {
    mkdirSync(join(home, "other"));
    symlinkSync(join(home, "other"), join(project, "link"));
    write(join(project, "a.txt"), "text\n");
    write(join(project, "there.sh"), "#!/bin/sh\necho there\n");
    for (const line of [...attacks, ...bypasses.flatMap(({ command, files }) => (files ? [] : [command]))]) {
      const { decision, sandboxed } = await shell(line);
      if (!sandboxed && decision !== "ask" && decision !== "deny") passed.push(`${decision}: ${line}`);
    }
  });
  assert.equal(passed, []);
});

test("at most 1 of 100 ordinary commands is asked about", () =>
  withContained(async ({ shell }) => {
    const path = fileURLToPath(new URL("./ordinary-commands.txt", import.meta.url));
    const lines = readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("# "));
    const asked: string[] = [];
    for (const line of lines) {
      const { decision, reason } = await shell(line);
      if (decision === "ask") asked.push(`${line}: ${reason}`);
    }
    assert.ok(asked.length <= lines.length / 100, `${asked.length} are asked about:\n${asked.join("\n")}`);
  }));

test("rules come first, and a contained line is known again", () =>
  withContained(async (bench) => {
    assert.is(await resultOf(bench, "x=make; $x install"), "deny");
    assert.is(await resultOf(bench, "make test"), "it may run as it is");
    const { sandboxed } = await bench.shell("cd sub && ./build --now");
    assert.match(sandboxed?.line ?? "", /^cd sub && dottool --cwd \S+\/project\/sub sandbox --work -- \S+ -c '/);
    const again = await bench.shell(sandboxed?.line ?? "");
    assert.equal([again.decision, again.sandboxed], ["allow", undefined]);
    // Another line in our words is a line like any other.
    const other = (sandboxed?.line ?? "").replace("--work", "--work --network '*'");
    assert.match((await bench.shell(other)).sandboxed?.line ?? "--network", / sandbox --work -- \S+ -c '/);
  }, "policy:\n  - {decision: deny, command: make install, reason: not here}\n  - {decision: allow, command: make test, reason: it may run as it is}\n"));

test.run();
