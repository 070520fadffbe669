// A git repository in which every setting, hook and attribute that can name a program names one that leaves a canary.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface GitTraps {
  /**
   * The absolute path of the work tree. `sub` in it is a submodule and `bare` a bare repository, with traps of their
   * own.
   */
  readonly repository: string;
  /** Returns the settings and hooks whose programs have run since the traps were made or emptied, sorted. */
  sprung(): readonly string[];
  empty(): void;
}

// Each names a program, or a line for the shell. A part `trap` is a name that the repository chooses.
const programSettings = [
  "core.fsmonitor",
  "core.pager",
  "core.editor",
  "core.sshCommand",
  "core.askPass",
  "core.gitProxy",
  "core.alternateRefsCommand",
  "pager.log",
  "pager.show",
  "pager.blame",
  "pager.diff",
  "pager.branch",
  "pager.status",
  "sequence.editor",
  "interactive.diffFilter",
  "diff.external",
  "diff.trap.command",
  "diff.trap.textconv",
  "diff.text.textconv",
  "merge.trap.driver",
  "filter.trap.clean",
  "filter.trap.smudge",
  "filter.lasting.process",
  "gpg.program",
  "gpg.ssh.program",
  "credential.helper",
  "remote.origin.uploadpack",
  "uploadpack.packObjectsHook",
] as const;

// Settings that make git use one of these.
const settings = {
  "log.showSignature": "true",
  "format.pretty": "%G? %h",
  "log.diffMerges": "remerge",
  "log.follow": "true",
  "core.repositoryFormatVersion": "1",
  "extensions.partialClone": "origin",
  "remote.origin.promisor": "true",
  "protocol.allow": "always",
  "protocol.ext.allow": "always",
  "filter.trap.required": "true",
  "diff.submodule": "diff",
  "status.submoduleSummary": "true",
  "submodule.recurse": "true",
  "diff.ignoreSubmodules": "none",
  "diff.autoRefreshIndex": "true",
  "diff.trap.cacheTextconv": "true",
  "core.untrackedCache": "true",
  "color.ui": "always",
} as const;

const hooks = ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout", "pre-auto-gc"];

const commands = ["log", "show", "blame", "diff", "diff-tree", "for-each-ref", "status"];

const person = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"];

export function git(folder: string, ...words: readonly string[]): string {
  const options = [...person, "-C", folder];
  return execFileSync("git", [...options, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/**
 * Makes the repository. `root` is an empty folder. Programs and canaries are beside the repository, which they do not
 * change.
 */
export function setGitTraps(root: string): GitTraps {
  const repository = join(root, "repository");
  const programs = join(root, "programs");
  const canaries = join(root, "canaries");
  for (const folder of [repository, programs, canaries]) mkdirSync(folder);
  const program = (name: string): string => {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/sh\ntouch '${join(canaries, name)}'\n${afterwards(name)}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  makeHistory(repository);
  // A bare repository can be ordinary files within another one, and claim to have a work tree.
  const bare = join(repository, "bare");
  execFileSync("git", ["clone", "--quiet", "--bare", join(repository, "sub"), bare], { stdio: "ignore" });
  git(bare, "config", "core.bare", "false");
  git(bare, "config", "core.worktree", "..");
  git(bare, "config", "core.fsmonitor", program("bare.core.fsmonitor"));
  const inSubmodule = ["core.fsmonitor", "filter.trap.clean", "diff.trap.command"];
  for (const key of inSubmodule) git(join(repository, "sub"), "config", key, program(`sub.${key}`));
  const traps: readonly (readonly [key: string, value: string])[] = [
    ...programSettings.map((key) => [key, program(key)] as const),
    ...commands.map((name) => [`alias.${name}`, `!${program(`alias.${name}`)}`] as const),
    ...Object.entries(settings),
    ["remote.origin.url", `ext::${program("remote.origin.url")}`],
    ["trace2.eventTarget", join(canaries, "trace2.eventTarget")],
    ["core.hooksPath", join(programs, "hooks")],
  ];
  // In a file of its own, as a repository can do with `include.path`.
  writeFileSync(join(repository, ".git/traps"), traps.map(([key, value]) => settingLine(key, value)).join(""));
  mkdirSync(join(programs, "hooks"));
  for (const name of hooks) {
    const text = `#!/bin/sh\nexec '${program(`hook.${name}`)}'\n`;
    writeFileSync(join(programs, "hooks", name), text, { mode: 0o755 });
  }
  git(repository, "config", "include.path", "traps");
  return {
    repository,
    sprung: () => readdirSync(canaries).sort(),
    empty: () => {
      for (const name of readdirSync(canaries)) rmSync(join(canaries, name));
    },
  };
}

/** Returns a setting in the form of git's own files. */
function settingLine(key: string, value: string): string {
  const [section = "", ...rest] = key.split(".");
  const name = rest.pop() ?? "";
  return `[${section}${rest.length === 0 ? "" : ` "${rest.join(".")}"`}]\n\t${name} = "${value}"\n`;
}

/** Returns what lets git continue to the next program. */
function afterwards(name: string): string {
  if (name.endsWith("fsmonitor")) return "exit 1";
  return /\.(clean|smudge)$/.test(name) ? "cat" : "exit 0";
}

/** Makes tags, branches, a merge, a signed commit, an object to be fetched, and files that are changed or look so. */
function makeHistory(repository: string): void {
  const write = (names: readonly string[], text: string): void => {
    for (const name of names) writeFileSync(join(repository, name), text);
  };
  const commit = (message: string): void => {
    git(repository, "add", ".");
    git(repository, "commit", "--quiet", "-m", message);
  };
  execFileSync("git", ["init", "--quiet", "--template=", "--initial-branch=main", repository]);
  write([".gitattributes"], "*.txt diff=trap filter=trap merge=trap\n*.bin filter=lasting diff=text\n");
  write(["a.txt", "same.txt", "a.bin", "a.md"], "one\n");
  commit("first");
  git(repository, "tag", "v0");
  git(repository, "checkout", "--quiet", "-b", "topic");
  write(["a.txt", "gone.txt"], "topic\n");
  commit("second on topic");
  git(repository, "checkout", "--quiet", "main");
  write(["a.txt", "a.bin", "a.md"], "main\n");
  commitInSubmodule(join(repository, "sub"), "one\n");
  commit("second");
  commitInSubmodule(join(repository, "sub"), "two\n");
  commit("third");
  git(repository, "merge", "--quiet", "--strategy=ours", "--no-ff", "-m", "merged", "topic");
  sign(repository);
  git(repository, "update-ref", "refs/remotes/origin/main", "v0");
  // The two branches `x{` and `y}` make a range that looks like one revision and has no commit.
  for (const name of ["x{", "y}"]) git(repository, "update-ref", `refs/heads/${name}`, "HEAD");
  const id = git(repository, "rev-parse", "topic:gone.txt");
  rmSync(join(repository, ".git/objects", id.slice(0, 2), id.slice(2)));
  write(["a.txt", "a.bin", "a.md"], "changed\n");
  for (const name of ["same.txt", "sub/in.txt"]) utimesSync(join(repository, name), 1e9, 1e9);
}

/** Commits in a repository within the other, which records that commit. */
function commitInSubmodule(folder: string, text: string): void {
  if (!existsSync(folder)) execFileSync("git", ["init", "--quiet", "--template=", folder]);
  writeFileSync(join(folder, "in.txt"), text);
  writeFileSync(join(folder, ".gitattributes"), "* filter=trap diff=trap\n");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "-m", "inner");
}

/** Signs, so that only a program could check the signature. */
function sign(repository: string): void {
  const commit = `${git(repository, "cat-file", "commit", "HEAD")}\n`;
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n";
  const file = join(repository, ".git/signed");
  writeFileSync(file, commit.replace(/^(committer .*\n)/m, `$1${signature}`));
  git(repository, "update-ref", "HEAD", git(repository, "hash-object", "-t", "commit", "-w", file));
}
