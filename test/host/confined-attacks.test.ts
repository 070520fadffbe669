// What a confined process tries, and cannot do: in bubblewrap with Landlock, and in Landlock alone. A canary shows that
// the attack works without the sandbox, so that no row passes because its attack is broken.
import { createSocket } from "node:dgram";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import {
  alone,
  attack,
  both,
  CANARY,
  full,
  inPlace,
  isThere,
  needWalls,
  type Place,
  python,
  reportOf,
  sh,
} from "./confined-place.ts";
import type { Ran } from "./process-fixture.ts";

const test = suite("confined attacks");

interface Row {
  readonly name: string;
  readonly needs?: readonly string[];
  attack(place: Place): readonly string[];
  /** Returns whether it came through. */
  works(ran: Ran, place: Place): boolean;
  /** What the report says where Landlock alone does not hold it. */
  readonly missing?: string;
  /** Set for what bubblewrap lets through, because it then reaches nothing outside. */
  readonly isAloneOnly?: true;
}

const prints = ({ stdout }: Ran): boolean => stdout.includes(CANARY);

/** In its own namespace, so that the numbers of processes outside are not visible. */
const rows: readonly Row[] = [
  { name: "reads a key in the home folder", attack: ({ home }) => sh(`cat ${home}/key`), works: prints },
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
    needs: ["python3"],
    // PR_GET_NO_NEW_PRIVS.
    attack: () => python(`import ctypes\nif ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) != 1: print("${CANARY}")`),
    works: prints,
  },
  {
    name: "uses userfaultfd",
    needs: ["python3"],
    attack: () => python(callTest({ x64: 323, arm64: 282 }, "0", "errno == 1")),
    works: prints,
  },
  {
    name: "adds a key to a keyring",
    needs: ["python3"],
    attack: () => python(callTest({ x64: 248, arm64: 217 }, 'b"user", b"confined", b"k", 1, -1', "errno == 1")),
    works: prints,
  },
  {
    name: "reads files through the folders of a process outside",
    attack: ({ outside }) => sh(`cat /proc/${process.pid}/root${outside}/canary || cat /proc/*/root${outside}/canary`),
    works: prints,
  },
  {
    name: "reads the open files of a process outside",
    attack: () => sh(`ls /proc/${process.pid}/fd/ | grep -q . && echo ${CANARY}`),
    works: prints,
  },
  {
    name: "signals a process outside by a descriptor",
    needs: ["python3"],
    attack: () =>
      python(`import os, signal\nsignal.pidfd_send_signal(os.pidfd_open(${process.pid}), 0)\nprint("${CANARY}")`),
    works: prints,
  },
  {
    name: "sets a limit of a process outside",
    needs: ["python3"],
    attack: () =>
      python(
        `import resource\nresource.prlimit(${process.pid}, resource.RLIMIT_CORE, resource.prlimit(${process.pid}, resource.RLIMIT_CORE))\nprint("${CANARY}")`,
      ),
    works: prints,
  },
  {
    name: "changes the priority of a process outside",
    needs: ["python3"],
    attack: () =>
      python(
        `import os\nos.setpriority(os.PRIO_PROCESS, ${process.pid}, os.getpriority(os.PRIO_PROCESS, ${process.pid}))\nprint("${CANARY}")`,
      ),
    works: prints,
  },
  {
    name: "changes the mode of a file outside",
    attack: ({ outside }) => sh(`chmod 700 ${outside}/canary`),
    works: (_ran, { outside }) => (statSync(join(outside, "canary")).mode & 0o777) === 0o700,
  },
  {
    name: "changes the mode of a file in the working folder without leave",
    needs: ["python3"],
    attack: ({ folder }) => {
      writeFileSync(join(folder, "file"), "");
      return python(`import os\nos.fchmod(os.open("file", os.O_RDONLY), 0o700)`);
    },
    works: (_ran, { folder }) => (statSync(join(folder, "file")).mode & 0o777) === 0o700,
  },
  {
    name: "changes the times of a file outside",
    attack: ({ outside }) => sh(`touch -d 2001-01-01 ${outside}/canary`),
    works: (_ran, { outside }) => statSync(join(outside, "canary")).mtime.getFullYear() === 2001,
  },
  {
    name: "gives a file outside another attribute",
    needs: ["python3"],
    attack: ({ outside }) => python(`import os\nos.setxattr("${outside}/canary", "user.a", b"b")\nprint("${CANARY}")`),
    works: prints,
  },
  {
    name: "cuts a file outside",
    needs: ["python3"],
    attack: ({ outside }) => python(`import os\nos.truncate("${outside}/canary", 0)`),
    works: (_ran, { outside }) => statSync(join(outside, "canary")).size === 0,
  },
  {
    name: "takes a file from outside by a link",
    attack: ({ outside, folder }) => sh(`ln ${outside}/canary ${folder}/taken`),
    works: (_ran, { folder }) => isThere(join(folder, "taken")),
  },
  {
    name: "watches a folder outside",
    needs: ["python3"],
    attack: ({ outside }) =>
      python(
        `import ctypes\nl = ctypes.CDLL(None)\nif l.inotify_add_watch(l.inotify_init1(0), b"${outside}", 0x20) > 0: print("${CANARY}")`,
      ),
    works: prints,
  },
  {
    name: "executes a program outside",
    attack: ({ outside }) => {
      writeFileSync(join(outside, "program"), `#!/bin/sh\necho ${CANARY}\n`, { mode: 0o755 });
      return sh(`${outside}/program`);
    },
    works: prints,
  },
  ...[1, 2, 3, 4, 5].map(
    (kind): Row => ({
      name: `hands a file to a process outside, by a pair of sockets of kind ${kind}`,
      needs: ["python3"],
      attack: ({ folder }) =>
        python(
          `import array, os, socket\np = "${folder}/.h%d" % os.getpid()\nr = None\ntry:\n  r = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); r.bind(p)\nexcept OSError: pass\na, b = socket.socketpair(socket.AF_UNIX, ${kind})\na.sendmsg([b"${CANARY}"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))], 0, p)\nb.setblocking(False)\ntry: b.recv(99)\nexcept OSError: print("${CANARY}")`,
        ),
      works: prints,
    }),
  ),
  {
    name: "uses shared memory of the machine",
    needs: ["python3"],
    attack: () => python(callTest({ x64: 67, arm64: 197 }, "0", "errno == 1")),
    works: prints,
    isAloneOnly: true,
  },
  {
    name: "listens for connections",
    needs: ["python3"],
    attack: () => python(`import socket\nsocket.create_server(("127.0.0.1", 0))\nprint("${CANARY}")`),
    works: prints,
    isAloneOnly: true,
  },
  {
    name: "finds out whether a file outside exists",
    attack: ({ outside }) => sh(`test -e ${outside}/canary && echo ${CANARY}`),
    works: prints,
    missing: "it can find out which files exist",
  },
];

function callNumber(numbers: { readonly x64: number; readonly arm64: number }): number {
  return process.arch === "arm64" ? numbers.arm64 : numbers.x64;
}

/** Prints the canary unless the call fails with the error of the filter. */
function callTest(numbers: { readonly x64: number; readonly arm64: number }, words: string, denied: string): string {
  return `import ctypes\nl = ctypes.CDLL(None, use_errno=True)\nl.syscall(${callNumber(numbers)}, ${words})\nerrno = ctypes.get_errno()\nif not (${denied.replace("errno != 3", "errno == 1")}): print("${CANARY}")`;
}

for (const walls of [both, alone])
  for (const { name, needs = [], attack: words, works, missing, isAloneOnly } of rows) {
    if (isAloneOnly && !walls.isAlone) continue;
    const isHeld = missing === undefined || !walls.isAlone;
    test(`${isHeld ? "a confined process never" : "it is said that a confined process"} ${name}: ${walls.name}`, async () => {
      needWalls(walls, ...needs);
      await inPlace(async (place) => {
        const changes = { environment: freeEnvironment(place) };
        const free = await walls.attack(words(place), place, { isFree: true, changes });
        assert.ok(mayFail(name) || works(free, place), `the attack itself does not work: ${free.stderr}`);
      });
      await inPlace(async (place) => {
        const confined = await walls.attack(words(place), place);
        assert.is(works(confined, place), !isHeld, confined.stderr);
        assert.equal(reportOf(confined), walls.report);
        if (missing !== undefined && !isHeld) assert.match(walls.report.missing.join(), missing);
      });
    });
  }

function freeEnvironment(place: Place): Readonly<Record<string, string>> {
  return { PATH: "/usr/bin:/bin", HOME: place.home, ROOT: join(place.folder, "..") };
}

/** What a machine may forbid everybody. */
function mayFail(name: string): boolean {
  return /namespace|io_uring|terminal|traces|kernel|userfaultfd|keyring|attribute|sockets of kind [145]/.test(name);
}

for (const walls of [both, alone])
  test(`a confined process reaches no server of the machine: ${walls.name}`, async () => {
    needWalls(walls, "python3");
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
        await walls.attack(connect, place, { isFree: true });
        assert.equal(connections, 1);
        await walls.attack(connect, place);
        assert.equal(connections, 1);
      });
    } finally {
      server.close();
    }
  });

for (const walls of [both, alone])
  for (const kind of ["an abstract socket", "a socket by its path"])
    test(`a confined process reaches no ${kind.slice(kind.indexOf(" ") + 1)}: ${walls.name}`, async () => {
      needWalls(walls, "perl");
      await inPlace(async (place) => {
        const path = kind === "an abstract socket" ? `\0confined-${process.pid}` : join(place.folder, "socket");
        let connections = 0;
        const server = createServer((socket) => {
          connections++;
          socket.end();
        });
        await new Promise<void>((resolve) => server.listen(path, resolve));
        const connect = [
          "perl",
          "-MSocket",
          "-e",
          `socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; connect($s, pack("S a*", AF_UNIX, "${path.replace("\0", "\\0")}")) or die $!; print "in"`,
        ];
        try {
          assert.is((await walls.attack(connect, place, { isFree: true })).stdout, "in");
          assert.is((await walls.attack(connect, place)).stdout, "");
          assert.is(connections, 1);
        } finally {
          server.close();
        }
      });
    });

for (const walls of [both, alone])
  test(`a confined process sends no datagram to the machine: ${walls.name}`, async () => {
    needWalls(walls, "python3");
    const server = createSocket("udp4");
    const received: string[] = [];
    server.on("message", (bytes) => received.push(bytes.toString()));
    await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
    const send = (text: string): readonly string[] =>
      python(
        `import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"${text}", ("127.0.0.1", ${server.address().port}))`,
      );
    try {
      await inPlace(async (place) => {
        await walls.attack(send("confined"), place);
        await walls.attack(send("free"), place, { isFree: true });
        while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        assert.equal(received, ["free"]);
      });
    } finally {
      server.close();
    }
  });

for (const walls of [both, alone])
  test(`a confined process resolves no name: ${walls.name}`, async () => {
    needWalls(walls, "python3");
    await inPlace(async (place) => {
      const { stdout } = await walls.attack(
        python(`import socket\ntry: socket.getaddrinfo("example.org", 80)\nexcept socket.gaierror: print("no name")`),
        place,
      );
      assert.is(stdout, "no name\n");
    });
  });

for (const walls of [both, alone])
  test(`a confined process has no open file of dottool but its streams: ${walls.name}`, async () => {
    needWalls(walls);
    await inPlace(async (place) => {
      const { stdout } = await walls.attack(
        sh(
          "i=0; while [ $i -lt 99 ]; do readlink /proc/self/fd/$i; i=$((i+1)); done | grep -v '^/proc/\\|^pipe\\|^socket\\|^/dev/null'",
        ),
        place,
      );
      assert.is(stdout, "");
    });
  });

for (const walls of [both, alone])
  test(`a written path that is a link is refused, and nothing behind it changes: ${walls.name}`, async () => {
    needWalls(walls);
    await inPlace(async (place) => {
      symlinkSync(place.outside, join(place.folder, "out"));
      for (const path of ["out", "out/canary", "out/new", "out/new/"]) {
        const { result } = await walls.attack(sh("echo gone > out/canary"), place, {
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
      assert.equal(reportOf({ result }), "confinement" in changes ? undefined : full);
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
    assert.equal([result.exitCode, reportOf({ result })], [2, full]);
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
      ...full,
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

for (const walls of [both, alone])
  for (const [name, script] of survivors)
    test(`nothing of a confined process is left: ${name}, ${walls.name}`, async () => {
      needWalls(walls);
      await inPlace(async (place) => {
        const { stdout } = await walls.attack(sh(`${script}\necho started`), place);
        assert.is(stdout, "started\n");
        assert.equal(sleeping(place.folder), []);
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
