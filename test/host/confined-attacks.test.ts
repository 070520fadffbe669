// What a confined process tries, and cannot do. Each row runs with the real bubblewrap; a canary shows that the attack
// works without the sandbox, so that no row passes because its attack is broken.
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { attack, CANARY, full, inPlace, isThere, type Place, python, sh } from "./confined-place.ts";
import { processFixture, type Ran } from "./process-fixture.ts";

const test = suite("confined attacks");

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

/** Bounded: each of these ends by itself. */
const bomb = (count: number): readonly string[] =>
  sh(`i=0; while [ $i -lt ${count} ]; do sleep 600 & i=$((i+1)); done; kill $(jobs -p) 2>/dev/null; echo ${CANARY}`);

for (const [level, changes, count] of [
  ["`strict`", {}, 2_100],
  ["`strict` with a limit of its own", { processesMax: 40 }, 200],
  ["`limits`", { processesMax: 40, confinement: { unconfined: "trusted" } }, 200],
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
  return [process.execPath, join(import.meta.dirname, "confined-inside.ts"), mode, processesMax, "", ...argv];
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
      const bench = processFixture();
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
