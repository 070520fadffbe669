// A confined process behaves as one without the sandbox: exit codes, signals, input, failures to start, limits and
// ending.
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { seccompFilter } from "../../src/features/confinement/host/seccomp-filter.ts";
import { customWords } from "../../src/features/confinement/host/custom-sandbox.ts";
import { seatbeltProfile } from "../../src/features/confinement/host/seatbelt.ts";
import { createProcesses } from "../../src/core/host/processes/processes.ts";
import { randomId } from "../../src/core/host/random-id.ts";
import { bwrapWords } from "../../src/features/confinement/host/bwrap-words.ts";
import type { Confinement } from "../../src/core/tool/confinement.ts";
import type { SpawnRequest, SpawnResult } from "../../src/core/tool/host.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { full, reportOf, withoutLandlock } from "./confined-place.ts";
import { processFixture, type Ran } from "./process-fixture.ts";
import { wordList } from "../lines.ts";

const test = suite("confined process");

type Run = (argv: readonly string[], changes?: Partial<SpawnRequest>) => Promise<Ran>;

async function inFolder(
  work: (run: Run, folder: string) => Promise<void>,
  confinement: Partial<Confinement> = {},
): Promise<void> {
  needPrograms("bwrap");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
  const bench = processFixture();
  try {
    await work(
      (argv, changes) =>
        bench.run(argv, {
          cwd: folder,
          environment: { PATH: "/usr/bin:/bin", MARK: bench.mark },
          confinement: { level: "strict", folder, writes: [], reads: [], hosts: [], ...confinement },
          ...changes,
        }),
      folder,
    );
    assert.equal(bench.living(), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the result without the report. */
function bare(result: SpawnResult): object {
  if (result.kind !== "exited") return result;
  const { report: _report, ...rest } = result;
  return rest;
}

const sh = (script: string): readonly string[] => ["sh", "-c", script];

const alike: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ["output and exit code", sh("echo out; echo err >&2; exit 3")],
  ["no exit code of its own", sh(":")],
  ["a signal that ends it", sh("kill -KILL $$")],
  ["a crash", sh("kill -SEGV $$")],
  ["words as they are", ["printf", "%s|", "", " ", "a b", "*", "$HOME", "'\"\\", "-n", "é\u{1f600}", "line\nend"]],
  ["a missing program", ["no-such-program"]],
  ["a missing file", ["./no-such-file"]],
  ["a file that is no program", ["./text"]],
  ["a missing interpreter", ["./odd"]],
  ["no right to execute", ["./closed"]],
  ["a script of the working folder", ["./script", "word"]],
  ["text that begins as an error of the sandbox", sh("echo 'bwrap: execvp x: No such file or directory' >&2; exit 1")],
];

for (const [name, argv] of alike)
  test(`a confined process ends as a free one: ${name}`, () =>
    inFolder(async (run, folder) => {
      writeFileSync(join(folder, "text"), "\x01no program\n", { mode: 0o755 });
      writeFileSync(join(folder, "odd"), "#!/no/such/interpreter\n", { mode: 0o755 });
      writeFileSync(join(folder, "closed"), "#!/bin/sh\n", { mode: 0o644 });
      writeFileSync(join(folder, "script"), "#!/bin/sh\necho $0 $1\n", { mode: 0o755 });
      const { confinement: _none, ...free } = { confinement: undefined };
      const open = await processFixture().run(argv, { cwd: folder, environment: { PATH: "/usr/bin:/bin" }, ...free });
      const confined = await run(argv);
      assert.equal(bare(confined.result), open.result);
      assert.equal([confined.stdout, confined.stderr], [open.stdout, open.stderr]);
    }));

test("a confined process reads its input", () =>
  inFolder(async (run) => {
    assert.is((await run(["cat"], { stdin: "input\n" })).stdout, "input\n");
    assert.is((await run(["cat"])).stdout, "");
  }));

test("a confined process gets its environment, and nothing of it is visible outside", () =>
  inFolder(async (run, folder) => {
    const environment = { PATH: "/usr/bin:/bin", SECRET: "sesame", LD_PRELOAD: "/no/such/library.so", TMPDIR: folder };
    const { stdout } = await run(sh("echo $SECRET $TMPDIR; tr '\\0' '\\n' </proc/1/environ | grep -c SECRET"), {
      environment,
    });
    assert.is(stdout, "sesame /tmp\n0\n");
  }));

test("a confined process may end by itself when it is stopped", () =>
  inFolder(async (run) => {
    const controller = new AbortController();
    const { result, stdout } = await run(
      sh("trap 'echo ended; exit 0' TERM; echo ready; while :; do sleep 0.01; done"),
      {
        signal: controller.signal,
        onOutput: () => controller.abort(),
      },
    );
    assert.is(stdout, "ready\nended\n");
    assert.equal(bare(result), { kind: "exited", exitCode: 0, cutBytes: 0, stopped: "aborted" });
  }));

test("a confined process that ignores TERM is ended", () =>
  inFolder(async (run) => {
    const controller = new AbortController();
    const { result } = await run(sh("trap '' TERM; echo ready; while :; do sleep 0.01; done"), {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    assert.is(result.kind === "exited" && result.stopped, "aborted");
  }));

test("a confined process is stopped at the limit of output", () =>
  inFolder(async (run) => {
    const { result } = await run(["yes"], { outputBytesMax: 1_000 });
    assert.is(result.kind === "exited" && result.stopped, "output-limit");
  }));

test("limits of memory and processor time hold for a confined process", () =>
  inFolder(async (run) => {
    needPrograms("perl");
    const { result } = await run(["perl", "-e", "1 while 1"], { cpuMsMax: 1_000 });
    assert.is(result.kind === "exited" && result.signalName, "SIGXCPU");
    const { stdout } = await run(["perl", "-e", 'my $x = "x" x (200 << 20); print "allocated"'], {
      memoryBytesMax: 64 << 20,
    });
    assert.is(stdout, "");
  }));

test("limits hold for a confined process that reaches a host, and not for the relay", () =>
  inFolder(
    async (run) => {
      needPrograms("perl");
      const memory = await run(["perl", "-e", 'my $x = "x" x (200 << 20); print "allocated"'], {
        memoryBytesMax: 16 << 20,
      });
      assert.equal([memory.stdout, memory.result.kind], ["", "exited"]);
      assert.is((await run(["perl", "-e", "print 7; exit 5"], { memoryBytesMax: 16 << 20 })).stdout, "7");
      const { result } = await run(["perl", "-e", "1 while 1"], { cpuMsMax: 1_000 });
      assert.is(result.kind === "exited" && result.signalName, "SIGXCPU");
      assert.is((await run(["./no-such"])).result.kind, "not-started");
    },
    { hosts: ["127.0.0.1:1"] },
  ));

test("a confined process sees no working folder that holds the home folder", () =>
  inFolder(async (run, folder) => {
    const before = process.env["HOME"];
    process.env["HOME"] = join(folder, "home");
    try {
      mkdirSync(join(folder, "home"));
      const { result } = await run(["true"]);
      assert.equal(result, {
        kind: "not-started",
        reason: "hidden",
        detail: `\`${folder}\` contains your home folder, which a sandbox hides; run it in a separate folder`,
      });
    } finally {
      if (before === undefined) delete process.env["HOME"];
      else process.env["HOME"] = before;
    }
  }));

test("a confined process runs nowhere but in what it sees", () =>
  inFolder(async (run) => {
    const { result } = await run(["true"], { cwd: tmpdir() });
    assert.is(result.kind === "not-started" && result.reason, "hidden");
  }));

test("a written file is made, and is gone if the command fails and leaves it empty", () =>
  inFolder(async (_run, folder) => {
    const write = (script: string): Promise<Ran> =>
      processFixture().run(sh(script), {
        cwd: folder,
        environment: { PATH: "/usr/bin:/bin" },
        confinement: {
          level: "strict",
          folder,
          writes: [join(folder, "a"), `${join(folder, "made")}/`],
          reads: [],
          hosts: [],
        },
      });
    await write("exit 1");
    assert.is(statSync(join(folder, "a"), { throwIfNoEntry: false }), undefined);
    assert.equal((await write("echo text > a; echo more > made/b; touch other || echo kept")).stdout, "kept\n");
    assert.equal([statSync(join(folder, "a")).size, statSync(join(folder, "made/b")).size], [5, 5]);
  }));

test("what other programs obey in a folder that may be written stays as it is", () =>
  inFolder(async (_run, folder) => {
    const names = [".git", ".dottool", ".tools", ".envrc", ".vscode"];
    for (const name of names) name === ".envrc" ? writeFileSync(join(folder, name), "") : mkdirSync(join(folder, name));
    const { stdout } = await processFixture().run(
      sh(
        `for x in ${names.join(" ")}; do touch $x/hook || echo > $x || mv $x y || rm -r $x || echo $x; done; touch a && echo wrote`,
      ),
      {
        cwd: folder,
        environment: { PATH: "/usr/bin:/bin" },
        confinement: { level: "strict", folder, writes: [folder], reads: [], hosts: [] },
      },
    );
    assert.is(stdout, `${[...names, "wrote"].join("\n")}\n`);
  }));

test("a folder that may be read is visible, and no other", () =>
  inFolder(async (_run, folder) => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
    try {
      writeFileSync(join(other, "file"), "text");
      const { stdout } = await processFixture().run(
        sh(`cat ${other}/file; ls ${join(other, "..")} | wc -l; touch ${other}/x || echo kept`),
        {
          cwd: folder,
          environment: { PATH: "/usr/bin:/bin" },
          confinement: { level: "strict", folder, writes: [], reads: [other], hosts: [] },
        },
      );
      assert.is(stdout, "text2\nkept\n");
    } finally {
      rmSync(other, { recursive: true });
    }
  }));

test("without a sandbox a process runs only at best effort, and the report says why", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
  try {
    // A sandbox within a sandbox may not make namespaces.
    const inner = join(import.meta.dirname, "confined-inside.ts");
    const root = join(import.meta.dirname, "../..");
    needPrograms("bwrap", "python3");
    const run = (mode: string, known = false, hasLandlock = false): Promise<Ran> =>
      processFixture().run(
        [...(hasLandlock ? [] : withoutLandlock), process.execPath, inner, mode, "", known ? folder : "", "true"],
        {
          cwd: folder,
          environment: { PATH: "/usr/bin:/bin" },
          confinement: {
            level: "strict",
            folder,
            writes: [],
            reads: [root, realpathSync(join(root, "node_modules"))],
            hosts: [],
          },
        },
      );
    const resultOf = ({ stdout, stderr }: Ran) => JSON.parse(stdout || JSON.stringify(stderr)).result;
    const strict = resultOf(await run("strict"));
    const best = resultOf(await run("best-effort"));
    const unasked = resultOf(await run("unasked"));
    assert.equal([strict.kind, strict.reason], ["not-started", "sandbox"]);
    assert.match(strict.detail, /user namespaces are restricted here.*: the kernel has no Landlock$/);
    assert.equal(resultOf(await run("strict", false, true)).report.engines, ["Landlock"]);
    assert.is(resultOf(await run("unasked", false, true)).report, undefined);
    assert.equal([best.kind, best.exitCode, best.report.sandbox, best.report.missing.length], ["exited", 0, "none", 1]);
    assert.equal([unasked.kind, unasked.exitCode, unasked.report], ["exited", 0, undefined]);
    // The sandbox has worked since the machine was started, so it is not given up where something keeps it from working.
    const outside = createProcesses({ platform: "linux", randomId, outerRunIds: undefined, stateFolder: folder });
    await outside.run(request(folder, ["true"], { isBestEffort: true }));
    assert.equal(readdirSync(folder), ["sandbox-works"]);
    for (const mode of ["best-effort", "unasked"]) {
      const { kind, reason, detail } = resultOf(await run(mode, true));
      assert.equal([kind, reason], ["not-started", "hidden"]);
      assert.match(detail, /^bubblewrap says: No permissions to create new namespace/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function request(folder: string, argv: readonly string[], confinement: Partial<Confinement>): SpawnRequest {
  return {
    argv,
    cwd: folder,
    environment: { PATH: "/usr/bin:/bin" },
    signal: new AbortController().signal,
    outputBytesMax: 1_000,
    onOutput: () => undefined,
    confinement: { level: "strict", folder, writes: [], reads: [], hosts: [], ...confinement },
  };
}

for (const mode of [{ isBestEffort: true }, { isUnasked: true }] as const)
  test(`a command does not run where its own sandbox fails and others work: ${Object.keys(mode)[0]}`, () =>
    inFolder(async (run, folder) => {
      // More variables than bubblewrap takes words.
      const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`V${index}`, "1"]));
      const environment = { PATH: "/usr/bin:/bin", ...many };
      const { result } = await run(sh(`touch ${folder}/canary`), { environment });
      assert.equal(result, {
        kind: "not-started",
        reason: "hidden",
        detail: "bubblewrap says: Exceeded maximum number of arguments 9000",
      });
      assert.equal(readdirSync(folder), []);
    }, mode));

test("a command that would see more places than a sandbox shows is refused", () =>
  inFolder(async (run, folder) => {
    const writes = Array.from({ length: 3_300 }, (_, index) => join(folder, `f${index}`));
    const confinement = { level: "strict", folder, reads: [], hosts: [], isBestEffort: true } as const;
    const most = await run(["true"], { confinement: { ...confinement, writes: writes.slice(0, 256) } });
    assert.equal(reportOf(most), full);
    for (const path of writes.slice(0, 256)) rmSync(path);
    const { result } = await run(sh("touch f0; echo ran"), { confinement: { ...confinement, writes } });
    assert.equal(
      [result, readdirSync(folder)],
      [
        {
          kind: "not-started",
          reason: "hidden",
          detail: "it would see 3300 places, and a sandbox shows at most 256; name a folder that contains them",
        },
        [],
      ],
    );
  }));

test("a guarded name may be a link, and what it leads to stays as it is", () =>
  inFolder(async (run, folder) => {
    mkdirSync(join(folder, "settings"));
    symlinkSync("settings", join(folder, ".vscode"));
    symlinkSync("/usr/share", join(folder, ".tools"));
    const writable = { confinement: { level: "strict", folder, writes: [folder], reads: [], hosts: [] } } as const;
    const kept = await run(sh("echo a > a; echo b 2>&- > settings/b || echo kept"), writable);
    assert.equal([bare(kept.result), kept.stdout], [{ kind: "exited", exitCode: 0, cutBytes: 0 }, "kept\n"]);
    const { result } = await run(sh("rm .vscode; mkdir .vscode; echo c > .vscode/c"), writable);
    assert.match(
      (result.kind === "exited" && result.report?.missing.join()) || "",
      /^`\.vscode` appeared while it ran, and other programs obey it, so it is called `\.vscode\.from-sandbox` now;/,
    );
    assert.equal(readdirSync(folder).sort(), [".tools", ".vscode.from-sandbox", "a", "settings"]);
    assert.equal([readlinkSync(join(folder, ".tools")), readdirSync(join(folder, "settings"))], ["/usr/share", []]);
  }));

for (const kind of ["a file", "a link"])
  test(`a command runs in a folder whose .git is ${kind}, which stays as it is`, () =>
    inFolder(async (run, folder) => {
      needPrograms("git");
      const git = (...words: readonly string[]): void => {
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a", ...words], { cwd: folder, stdio: "ignore" });
      };
      mkdirSync(join(folder, "work"));
      git("init", "main");
      git("-C", "main", "commit", "--allow-empty", "-m", "first");
      if (kind === "a file") git("-C", "main", "worktree", "add", "--force", "../work");
      else symlinkSync("../main/.git", join(folder, "work/.git"));
      const work = join(folder, "work");
      const { stdout, result } = await run(
        sh(`echo a > a; ${kind === "a file" ? "rm -f .git 2>&-; echo b 2>&- > .git;" : ""} ls -A`),
        {
          cwd: work,
          confinement: { level: "strict", folder: work, writes: [work], reads: [], hosts: [] },
        },
      );
      assert.equal(result.kind, "exited");
      assert.match(stdout, /^\.git\na\n$/);
      git("-C", "work", "log", "-1");
    }));

test("a command cannot get rid of its sandbox, where it is best effort, by a folder that is not there inside", () =>
  inFolder(
    async (run, folder) => {
      symlinkSync("/var/lib", join(folder, "link"));
      const { result, stdout } = await run(sh("echo free"), { cwd: join(folder, "link") });
      assert.equal([result.kind === "not-started" && result.reason, stdout], ["hidden", ""]);
    },
    { isBestEffort: true },
  ));

test("the filter has the same program on each machine for its own numbers", () => {
  assert.is(seccompFilter("ia32"), undefined);
  for (const machine of ["x64", "arm64"]) {
    const filter = seccompFilter(machine);
    assert.ok(filter !== undefined && filter.length % 8 === 0 && filter.length / 8 < 256);
  }
});

test("the options of bubblewrap, the profile of macOS and the words of docker are as reviewed", () => {
  assertGolden(
    "host/golden/bwrap.txt",
    `${bwrapWords({
      system: ["/usr", "/etc/passwd"],
      links: [["/bin", "usr/bin"]],
      home: "/home/me",
      mounts: [
        { path: "/home/me/work", from: 6, isWritable: false },
        { path: "/home/me/work/out", from: 7, isWritable: true },
      ],
      inner: [{ path: "/home/me/work/.env", from: 8, isWritable: false }],
      lock: "/.random",
      environment: { PATH: "/usr/bin:/bin", HOME: "/home/me" },
      cwd: "/home/me/work",
      hasTerminal: false,
      filter: 5,
      status: 4,
    })
      .join(" ")
      .replaceAll(" --", "\n--")}\n`,
  );
  assertGolden(
    "host/golden/seatbelt.txt",
    seatbeltProfile({ reads: ["/Users/me/work"], writes: ['/Users/me/work/a "b"\\'] }),
  );
  assertGolden(
    "host/golden/docker.txt",
    `${customWords(
      ["sort", "a b"],
      wordList("docker run --rm -i --network none -v {folder}:{folder}:ro -w {cwd} {env} debian"),
      { folder: "/srv", cwd: "/srv/sub", environment: { PATH: "/usr/bin", TOKEN: "secret", LANG: "C" } },
    ).join("\n")}\n`,
  );
});

if ("Deno" in globalThis) {
  const inDeno = suite("no sandbox in Deno");
  inDeno("a process that asks for the sandbox does not start, with the reason", () =>
    inFolder(async (run) => {
      const { result } = await run(["true"]);
      assert.match(JSON.stringify(result), "Deno cannot pass open files to a process");
    }),
  );
  inDeno.run();
} else test.run();
