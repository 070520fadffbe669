// What a confined process tries, and cannot do. Each row runs with the real bubblewrap; a canary shows that the attack
// works without the sandbox, so that no row passes because its attack is broken.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import type { Confinement } from "../../src/tool/confinement.ts";
import type { SpawnRequest } from "../../src/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { processBench, type Ran } from "./process-bench.ts";

const test = suite("confined attacks");

interface Place {
  /** The working folder. */
  readonly folder: string;
  /** Beside it, with a file `canary`. */
  readonly outside: string;
  readonly home: string;
}

async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
  const place = { folder: join(root, "work"), outside: join(root, "outside"), home: join(root, "home") };
  for (const path of Object.values(place)) mkdirSync(path);
  writeFileSync(join(place.outside, "canary"), CANARY);
  writeFileSync(join(place.home, "key"), CANARY);
  const before = process.env["HOME"];
  process.env["HOME"] = place.home;
  try {
    await work(place);
  } finally {
    if (before === undefined) delete process.env["HOME"];
    else process.env["HOME"] = before;
    rmSync(root, { recursive: true, force: true });
  }
}

const CANARY = "canary-1789";

interface Tried {
  readonly confinement?: Partial<Confinement>;
  readonly isFree?: true;
  readonly changes?: Partial<SpawnRequest>;
}

async function attack(
  argv: readonly string[],
  place: Place,
  { confinement, isFree, changes }: Tried = {},
): Promise<Ran> {
  return processBench().run(argv, {
    cwd: place.folder,
    environment: { PATH: "/usr/bin:/bin", HOME: place.home, ROOT: join(place.folder, "..") },
    ...(isFree
      ? {}
      : {
          confinement: { level: "strict", folder: place.folder, writes: [], reads: [], hosts: [], ...confinement },
        }),
    ...changes,
  });
}

const sh = (script: string): readonly string[] => ["sh", "-c", script];
const python = (script: string): readonly string[] => ["/usr/bin/python3", "-c", script];

interface Row {
  readonly name: string;
  readonly needs?: readonly string[];
  attack(place: Place): readonly string[];
  /** Returns whether it came through. */
  works(ran: Ran, place: Place): boolean;
}

const prints = ({ stdout }: Ran): boolean => stdout.includes(CANARY);

/** In its own namespace, so that the numbers of processes outside are not visible. */
const rows: readonly Row[] = [
  { name: "reads a key in the home folder", attack: () => sh('cat "$HOME/key"'), works: prints },
  {
    name: "reads a file beside the working folder",
    attack: ({ outside }) => sh(`cat ${outside}/canary`),
    works: prints,
  },
  {
    name: "reads it through a link in the working folder",
    attack: ({ folder, outside }) => {
      symlinkSync(outside, join(folder, `link-${Math.random()}`));
      return sh("cat link-*/canary");
    },
    works: prints,
  },
  {
    name: "writes beside the working folder",
    attack: ({ outside }) => sh(`echo ${CANARY} > ${outside}/written`),
    works: (_ran, { outside }) => isThere(join(outside, "written")),
  },
  {
    name: "writes in the working folder without leave",
    attack: () => sh(`echo ${CANARY} > written`),
    works: (_ran, { folder }) => isThere(join(folder, "written")),
  },
  {
    name: "writes in the temporary folder of the machine",
    attack: ({ outside }) => sh(`echo ${CANARY} > ${outside}/../left`),
    works: (_ran, { outside }) => isThere(join(outside, "../left")),
  },
  {
    name: "reads the environment of dottool",
    attack: () => sh(`tr '\\0' '\\n' < /proc/${process.pid}/environ | grep -q . && echo ${CANARY}`),
    works: prints,
  },
  {
    name: "kills a process outside",
    attack: () => sh(`kill -0 ${process.pid} && echo ${CANARY}`),
    works: prints,
  },
  {
    name: "opens a unix socket",
    needs: ["python3"],
    attack: () => python(`import socket\nsocket.socket(socket.AF_UNIX)\nprint("${CANARY}")`),
    works: prints,
  },
  {
    name: "makes a pair of datagram sockets",
    needs: ["python3"],
    attack: () => python(`import socket\nsocket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\nprint("${CANARY}")`),
    works: prints,
  },
  {
    name: "sends to a datagram socket of the machine",
    needs: ["python3"],
    attack: ({ folder }) =>
      python(
        `import os, socket\np = "${folder}/.s%d" % os.getpid()\nr = None\ntry:\n  r = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); r.bind(p)\nexcept OSError: pass\na, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)\nif r:\n  a.sendto(b"${CANARY}", p); print(r.recv(99).decode())\nelse: print("${CANARY}")`,
      ),
    works: prints,
  },
  {
    name: "opens a netlink socket",
    needs: ["python3"],
    attack: () => python(`import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW)\nprint("${CANARY}")`),
    works: prints,
  },
  {
    name: "traces its own child",
    needs: ["python3"],
    attack: () => python(callTest({ x64: 101, arm64: 117 }, "16, 1 << 30, 0, 0", "errno != 3")),
    works: prints,
  },
  {
    name: "sets up io_uring",
    needs: ["python3"],
    // EFAULT says that the call itself is there.
    attack: () => python(callTest({ x64: 425, arm64: 425 }, "1, 0", "errno == 1")),
    works: prints,
  },
  {
    name: "makes a user namespace",
    needs: ["unshare"],
    attack: () => sh(`unshare --user true && echo ${CANARY}`),
    works: prints,
  },
  {
    name: "makes a user namespace by clone",
    needs: ["python3"],
    attack: () =>
      python(
        `import ctypes, os\npid = ctypes.CDLL(None).syscall(${callNumber({ x64: 56, arm64: 220 })}, 0x10000011, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nif pid > 0: print("${CANARY}")`,
      ),
    works: prints,
  },
  {
    name: "writes to the input of a terminal",
    needs: ["python3"],
    attack: () =>
      python(
        `import fcntl, os, pty\nm, s = pty.openpty()\nos.setsid()\nfcntl.ioctl(s, 0x540E, 0)\ntry: fcntl.ioctl(s, 0x5412, b"x")\nexcept PermissionError: raise\nexcept OSError: pass\nprint("${CANARY}")`,
      ),
    works: prints,
  },
  {
    name: "opens a setting of the kernel for writing",
    attack: () => sh(`: >> /proc/sys/kernel/core_pattern && echo ${CANARY}`),
    works: prints,
  },
  {
    name: "finds a process without the filter",
    attack: () => sh(`cat /proc/[0-9]*/status | grep '^Seccomp:' | grep -qv '2$' && echo ${CANARY}`),
    works: prints,
  },
  {
    name: "gets rights by a program of root",
    attack: () => sh(`grep -q '^NoNewPrivs:.1' /proc/self/status || echo ${CANARY}`),
    works: prints,
  },
];

function callNumber(numbers: { readonly x64: number; readonly arm64: number }): number {
  return process.arch === "arm64" ? numbers.arm64 : numbers.x64;
}

/** Prints the canary unless the call fails with the error of the filter. */
function callTest(numbers: { readonly x64: number; readonly arm64: number }, words: string, denied: string): string {
  return `import ctypes\nl = ctypes.CDLL(None, use_errno=True)\nl.syscall(${callNumber(numbers)}, ${words})\nerrno = ctypes.get_errno()\nif not (${denied.replace("errno != 3", "errno == 1")}): print("${CANARY}")`;
}

function isThere(path: string): boolean {
  try {
    return readFileSync(path, "utf8").includes(CANARY);
  } catch {
    return false;
  }
}

for (const { name, needs = [], attack: words, works } of rows)
  test(`a confined process never ${name}`, async () => {
    needPrograms("bwrap", ...needs);
    await inPlace(async (place) => {
      const free = await attack(words(place), place, {
        isFree: true,
        changes: { environment: freeEnvironment(place) },
      });
      const confined = await attack(words({ ...place }), place, {});
      assert.equal([free.result.kind, confined.result.kind], ["exited", "exited"], free.stderr + confined.stderr);
      assert.ok(mayFail(name) || works(free, place), `the attack itself does not work: ${free.stderr}`);
    });
    await inPlace(async (place) => {
      const confined = await attack(words(place), place);
      assert.not(works(confined, place), confined.stderr);
      assert.equal(confined.result.kind === "exited" && confined.result.report, { sandbox: "full", missing: [] });
    });
  });

function freeEnvironment(place: Place): Readonly<Record<string, string>> {
  return { PATH: "/usr/bin:/bin", HOME: place.home, ROOT: join(place.folder, "..") };
}

/** What a machine may forbid everybody. */
function mayFail(name: string): boolean {
  return /namespace|io_uring|terminal|traces|kernel/.test(name);
}

test("a confined process reaches no server of the machine", async () => {
  needPrograms("bwrap", "python3");
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connect = python(`import socket\nsocket.create_connection(("127.0.0.1", ${port}), 5)`);
  try {
    await inPlace(async (place) => {
      await attack(connect, place, { isFree: true });
      assert.equal(connections, 1);
      await attack(connect, place);
      assert.equal(connections, 1);
    });
  } finally {
    server.close();
  }
});

test("a confined process reaches no abstract socket", async () => {
  needPrograms("bwrap", "perl");
  const name = `confined-${process.pid}`;
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(`\0${name}`, resolve));
  const connect = [
    "perl",
    "-MSocket",
    "-e",
    `socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; connect($s, pack("S a*", AF_UNIX, "\\0${name}")) or die $!; print "in"`,
  ];
  try {
    await inPlace(async (place) => {
      assert.is((await attack(connect, place, { isFree: true })).stdout, "in");
      assert.is((await attack(connect, place)).stdout, "");
      assert.is(connections, 1);
    });
  } finally {
    server.close();
  }
});

test("a confined process resolves no name", async () => {
  needPrograms("bwrap", "python3");
  await inPlace(async (place) => {
    const { stdout } = await attack(
      python(`import socket\ntry: socket.getaddrinfo("example.org", 80)\nexcept socket.gaierror: print("no name")`),
      place,
    );
    assert.is(stdout, "no name\n");
  });
});

test("a confined process has no open file of dottool but its streams", async () => {
  needPrograms("bwrap");
  await inPlace(async (place) => {
    const { stdout } = await attack(
      sh("for f in /proc/self/fd/*; do readlink $f; done | grep -v '^/proc/\\|^pipe\\|^socket\\|^/dev/null'"),
      place,
    );
    assert.is(stdout, "");
  });
});

test("a written path that is a link is refused, and nothing behind it changes", async () => {
  needPrograms("bwrap");
  await inPlace(async (place) => {
    symlinkSync(place.outside, join(place.folder, "out"));
    for (const path of ["out", "out/canary", "out/new", "out/new/"]) {
      const { result } = await attack(sh("echo gone > out/canary"), place, {
        confinement: { writes: [join(place.folder, path) + (path.endsWith("/") ? "/" : "")] },
      });
      assert.is(result.kind, "not-started", path);
      assert.is(result.kind === "not-started" && result.reason, "hidden", path);
    }
    assert.is(readFileSync(join(place.outside, "canary"), "utf8"), CANARY);
    assert.not(isThere(join(place.outside, "new")));
  });
});

/** While bubblewrap mounts, the files of the machine are at `/oldroot`. */
const asMounted = (path: string): string => `/oldroot${path}`;

const raced: readonly (readonly [name: string, writes: readonly string[]])[] = [
  ["a folder that may be written", ["pkg"]],
  ["a folder in it that may be written", ["pkg/inner"]],
  ["a file in it that may be written", ["pkg/inner/file"]],
  ["a folder with what is guarded", ["."]],
];

for (const [name, writes] of raced)
  test(`nothing is written where another process links to while bubblewrap starts: ${name}`, async () => {
    needPrograms("bwrap", "python3");
    await inPlace(async (place) => {
      const at = (path: string): string => join(place.folder, path);
      mkdirSync(at("pkg/inner/.git"), { recursive: true });
      for (const path of ["pkg/inner/file", "pkg/inner/.env", "pkg/.env"]) writeFileSync(at(path), CANARY);
      const stop = new AbortController();
      const swapping = processBench().run(
        python(
          `import os\nwhile True:\n  os.rename("pkg", "kept"); os.symlink("${asMounted(place.outside)}", "pkg"); os.unlink("pkg"); os.rename("kept", "pkg")`,
        ),
        { cwd: place.folder, signal: stop.signal },
      );
      const kinds = new Set<string>();
      try {
        for (let time = 0; time < RACES; time++) {
          const { result, stdout } = await attack(sh("cat pkg/.env; echo gone > pkg/canary; :"), place, {
            confinement: { writes: writes.map(at) },
          });
          kinds.add(result.kind);
          assert.is(stdout, "");
          assert.is(readFileSync(join(place.outside, "canary"), "utf8"), CANARY);
          assert.equal(readdirSync(place.outside), ["canary"]);
        }
      } finally {
        stop.abort();
        await swapping;
      }
      assert.ok(kinds.size > 0);
    });
  });

const RACES = 100;

test("a confined process reads no file with keys, at any depth, but those that it names", async () => {
  needPrograms("bwrap");
  const keys = [".env", ".npmrc", "a/.env.local", "a/b/server.key", "a/b/c/id_rsa"];
  const others = [".env.example", "a/.env/file", "node_modules/x/test.key", "a/keys.txt"];
  for (const writes of [[], ["."], ["a/b"]])
    await inPlace(async (place) => {
      const at = (path: string): string => join(place.folder, path);
      for (const path of [...keys, ...others]) {
        mkdirSync(join(at(path), ".."), { recursive: true });
        writeFileSync(at(path), `${path}\n`);
      }
      symlinkSync("a/b", at("linked"));
      symlinkSync(".npmrc", at("renamed"));
      const read = async (reads: readonly string[], isFree?: true): Promise<readonly string[]> => {
        const { stdout } = await attack(sh(`cat ${[...keys, ...others].join(" ")} linked/c/id_rsa renamed`), place, {
          ...(isFree ? { isFree } : {}),
          confinement: { writes: writes.map(at), reads: reads.map(at) },
        });
        return stdout.split("\n").slice(0, -1);
      };
      assert.equal(await read([], true), [...keys, ...others, "a/b/c/id_rsa", ".npmrc"]);
      assert.equal(await read([]), others);
      assert.equal(await read(["."]), others);
      assert.equal(await read([".env", "a/b/c"]), [".env", "a/b/c/id_rsa", ...others, "a/b/c/id_rsa"]);
      const { result } = await attack(sh("mv .npmrc x; rm .npmrc; ln .npmrc x; mv a x; cat x/.env.local x; :"), place, {
        confinement: { writes: writes.map(at) },
      });
      assert.equal(
        result.kind === "exited" && result.report?.hidden?.map((path) => relative(place.folder, path)),
        keys,
      );
    });
});

test("repositories that are there stay as they are, wherever they are moved", async () => {
  needPrograms("bwrap", "git");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    const made = await attack(
      sh(
        "git init -q a/b; git init -q --bare c; git init -q d; mv d/.git e; echo gitdir: ../e > d/.git; ln -s ../e e/.git",
      ),
      place,
      { isFree: true },
    );
    assert.is(made.stderr, "");
    const files = ["a/b/.git/config", "c/config", "c/HEAD", "e/config", "d/.git"];
    const before = files.map((path) => readFileSync(at(path), "utf8"));
    const { result } = await attack(
      sh(
        `for f in ${files.join(" ")}; do echo x >> $f; rm -f $f; mv $f x; done; mv a/b a/x; cd a/x; git status -s; : > f`,
      ),
      place,
      { confinement: { writes: [place.folder] } },
    );
    assert.equal(result.kind === "exited" && [result.exitCode, result.report], [0, full]);
    assert.equal(
      ["a/x/.git/config", ...files.slice(1)].map((path) => readFileSync(at(path), "utf8")),
      before,
    );
  });
});

test("git clones into a folder whose repository is named", async () => {
  needPrograms("bwrap", "git");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    await attack(
      sh("git init -q from; git -C from -c user.name=a -c user.email=b commit -q --allow-empty -m x"),
      place,
      {
        isFree: true,
      },
    );
    const { result, stderr } = await attack(
      sh("git clone -q from to && git -C to log --oneline && git init -q other"),
      place,
      {
        confinement: { writes: [place.folder, `${at("to/.git")}/`] },
      },
    );
    assert.equal(
      result.kind === "exited" && [result.exitCode, result.report?.missing],
      [0, [named("other/.git")]],
      stderr,
    );
    assert.ok(existsSync(at("to/.git/HEAD")));
  });
});

const monitored = (folder: string): string =>
  `git init -q ${folder} && git -C ${folder} config core.fsmonitor 'echo ${CANARY} > ${"$ROOT"}/outside/ran; false'`;

const named = (path: string): string =>
  `\`${path}\` appeared while it ran, and other programs obey it, so it is called \`${path}.from-sandbox\` now; to keep its name, name \`${path.replace(/\/?HEAD$/, "")}/\` in \`@writes\`, too`;

interface Planted {
  readonly name: string;
  readonly script: string;
  /** Where git runs afterwards, below the working folder. */
  readonly cwd?: string;
  /** What is set aside. */
  readonly said: readonly string[];
}

/** `x` becomes a repository without `.git`, whose working tree is `t` within it. */
const bare = `${monitored("x/y")}; mv x/y/.git/* x; rm -r x/y; git -C x config core.bare false; git -C x config core.worktree t; mkdir x/t`;

const planted: readonly Planted[] = [
  { name: "made there", script: monitored("."), said: [".git"] },
  { name: "moved there", script: `${monitored("other")}; mv other/.git .`, said: [".git"] },
  { name: "linked there", script: `${monitored("other")}; ln -s other/.git .`, said: [".git", "other/.git"] },
  {
    name: "named there",
    script: `${monitored("other")}; echo gitdir: other/.git > .git`,
    said: [".git", "other/.git"],
  },
  { name: "deep below", script: `mkdir -p a/b/c; ${monitored("a/b/c")}`, cwd: "a/b/c", said: ["a/b/c/.git"] },
  {
    name: "below what packages are in",
    script: monitored("node_modules/a"),
    cwd: "node_modules/a",
    said: ["node_modules/a/.git"],
  },
  { name: "a repository without `.git`", script: bare, cwd: "x/t", said: ["x/HEAD"] },
  {
    name: "one whose objects are elsewhere",
    script: `${bare}; mkdir z; mv x/objects x/refs z; mv x/config z; echo ../z > x/commondir; git config -f z/config --unset core.worktree; git config -f z/config --unset core.bare; git config -f z/config extensions.worktreeConfig true; git config -f x/config.worktree core.worktree t`,
    cwd: "x/t",
    said: ["x/HEAD"],
  },
  {
    name: "in the one that it may make",
    script: `git init -q mine; mkdir mine/x; ${bare.replaceAll(/\bx\b/g, "mine/x")}`,
    cwd: "mine/x/t",
    said: ["mine/x/HEAD"],
  },
];

for (const { name, script, cwd = ".", said } of planted)
  test(`git outside obeys no repository of a confined process: ${name}`, async () => {
    needPrograms("bwrap", "git");
    const attempt = async (isFree: boolean): Promise<readonly unknown[]> => {
      let all: readonly unknown[] = [];
      await inPlace(async (place) => {
        const { result } = await attack(sh(script), place, {
          ...(isFree ? { isFree: true } : {}),
          confinement: { writes: [place.folder, join(place.folder, "mine/.git/")] },
        });
        await attack(["git", "status"], place, { isFree: true, changes: { cwd: join(place.folder, cwd) } });
        const missing = result.kind === "exited" ? result.report?.missing : [];
        all = [isThere(join(place.outside, "ran")), missing];
      });
      return all;
    };
    assert.equal(await attempt(true), [true, undefined]);
    assert.equal(await attempt(false), [false, said.map(named)]);
  });

test("names that other programs obey are renamed whatever they are, and where a link leads nothing changes", async () => {
  needPrograms("bwrap");
  await inPlace(async (place) => {
    const at = (path: string): string => join(place.folder, path);
    symlinkSync("target", at(".tools"));
    mkdirSync(at(".vscode.from-sandbox"));
    const { result } = await attack(
      sh(
        `mkdir target sub .git; : >.envrc; ln -s ${place.outside} .vscode; mkdir sub/.git; ln -s nothing .dottool; exit 3`,
      ),
      place,
      { confinement: { writes: [place.folder, `${at("sub")}/`, `${at(".git")}/`] } },
    );
    assert.equal(readdirSync(place.folder).sort(), [
      ...[".dottool.from-sandbox", ".envrc.from-sandbox", ".git", ".tools.from-sandbox", ".vscode.from-sandbox"],
      ...[".vscode.from-sandbox-2", "sub", "target"],
    ]);
    assert.equal(readdirSync(at("sub")), [".git.from-sandbox"]);
    assert.equal(readdirSync(place.outside), ["canary"]);
    assert.equal(result.kind === "exited" && [result.exitCode, result.report?.missing.length], [3, 5]);
  });
});

/** Bounded: each of these ends by itself. */
const bomb = (count: number): readonly string[] =>
  sh(`i=0; while [ $i -lt ${count} ]; do sleep 30 & i=$((i+1)); done; kill $(jobs -p) 2>/dev/null; echo ${CANARY}`);

for (const [level, changes, count] of [
  ["`strict`", {}, 2_100],
  ["`strict` with a limit of its own", { processesMax: 40 }, 200],
  ["`limits`", { processesMax: 40, confinement: undefined }, 200],
] as const)
  test(`a fork bomb ends at the limit of processes: ${level}`, async () => {
    needPrograms("bwrap");
    await inPlace(async (place) => {
      const free = await attack(bomb(200), place, { isFree: true });
      assert.ok(prints(free), "the bomb itself does not work");
      const { result, stdout, stderr } = await attack(bomb(count), place, { changes });
      assert.is(stdout, "");
      assert.match(stderr, /[Cc]annot fork/);
      assert.equal(result.kind === "exited" && result.report, "confinement" in changes ? undefined : full);
      assert.equal(sleeping(place.folder), []);
      while (ownCgroups().length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    });
  });

const full = { sandbox: "full", missing: [] };

/** Returns the cgroups of this program that are left. */
function ownCgroups(): readonly string[] {
  return ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`dottool-${process.pid}-`)) : [],
  );
}

const isRoot = process.getuid?.() === 0;

test("the limit of processes holds for another user than root", async () => {
  if (!isRoot) return;
  needPrograms("bwrap", "setpriv");
  await inPlace(async (place) => {
    const words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    chmodSync(join(place.folder, ".."), 0o755);
    // Those of the machine count, too.
    const threads = Number(/\/(\d+)/.exec(readFileSync("/proc/loadavg", "latin1"))?.[1]);
    const { stdout, stderr } = await attack([...words, ...inside("strict", bomb(threads + 2_000), "40")], place, {
      isFree: true,
    });
    const { result, output } = JSON.parse(stdout || JSON.stringify(stderr));
    assert.equal([result.exitCode, result.report], [2, full]);
    assert.match(output, /[Cc]annot fork/);
  });
});

test("where root has no cgroup, the report says that the number of processes has no limit", async () => {
  if (!isRoot) return;
  needPrograms("bwrap", "unshare");
  await inPlace(async (place) => {
    const { stdout, stderr } = await attack(
      [
        ...["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"', "sh"],
        ...inside("strict", ["true"]),
      ],
      place,
      { isFree: true },
    );
    const { result } = JSON.parse(stdout || JSON.stringify(stderr));
    assert.equal(result.report, {
      sandbox: "partial",
      missing: [
        "a limit on the number of processes: for root it needs a cgroup with the controller `pids` that root may divide",
      ],
    });
  });
});

/** A program that runs `argv` in a sandbox, and prints the result. */
function inside(mode: string, argv: readonly string[], processesMax = ""): readonly string[] {
  return [process.execPath, join(import.meta.dirname, "confined-inside.ts"), mode, processesMax, ...argv];
}

const survivors: readonly (readonly [name: string, script: string])[] = [
  ["in the background", "sleep 1789 & :"],
  ["in a session of its own, with an empty environment", "(env -i setsid sleep 1789 </dev/null >/dev/null 2>&1 &)"],
  ["after two forks, ignoring signals", "(trap '' TERM INT HUP; (setsid sh -c 'sleep 1789; sleep 1789' &) &)"],
];

for (const [name, script] of survivors)
  test(`nothing of a confined process is left: ${name}`, async () => {
    needPrograms("bwrap");
    await inPlace(async (place) => {
      const bench = processBench();
      await bench.run(sh(`${script}\necho started`), {
        cwd: place.folder,
        environment: { PATH: "/usr/bin:/bin", MARK: bench.mark },
        confinement: { level: "strict", folder: place.folder, writes: [], reads: [], hosts: [] },
      });
      assert.equal(sleeping(place.folder), []);
      assert.equal(bench.living(), []);
    });
  });

/** Returns the processes whose working folder it is. */
function sleeping(folder: string): readonly string[] {
  return process
    .getBuiltinModule("node:fs")
    .readdirSync("/proc")
    .filter((pid) => {
      try {
        return /^\d+$/.test(pid) && process.getBuiltinModule("node:fs").readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}

if ("Deno" in globalThis) {
  const inDeno = suite("no sandbox in Deno");
  inDeno("a process that asks for the sandbox does not start, with the reason", () =>
    inPlace(async (place) => {
      const { result } = await attack(["true"], place);
      assert.match(JSON.stringify(result), "Deno cannot pass open files to a process");
    }),
  );
  inDeno.run();
} else test.run();
