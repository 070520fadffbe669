// The options of bubblewrap (bwrap(1)) for a confined process, as a pure function of what was found on the machine.

/** A file or folder that is shown inside. */
export interface Mount {
  /** The path inside. */
  readonly path: string;
  /** Where it is: its open descriptor, which cannot be exchanged for another file, or a path. */
  readonly from: number | string;
  readonly isWritable: boolean;
  /** Set if `from` is a descriptor whose content becomes a file. */
  readonly isContent?: true;
}

export interface BwrapPlan {
  /** Folders and files of the system that are shown at their own place, such as `/usr` and `/etc/passwd`. */
  readonly system: readonly string[];
  /** Links of the system with their targets, such as `/bin` to `usr/bin`. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** Becomes an empty folder that is gone with the process. */
  readonly home: string | undefined;
  /** In this order: later ones lie over earlier ones. */
  readonly mounts: readonly Mount[];
  /** Those at places in folders of the machine, where other processes may exchange a folder for a link. */
  readonly inner: readonly Mount[];
  /** Set for a bubblewrap that follows such links: a path that nobody can guess, so that a message can name it. */
  readonly lock: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Whether it stays in the session of the terminal. The filter keeps it from writing the terminal's input. */
  readonly hasTerminal: boolean;
  /** The descriptor of the filter of system calls. */
  readonly filter: number | undefined;
  /** The descriptor that gets the exit code, once the program has started. */
  readonly status: number;
}

// Its own namespaces of everything: no other process is visible, none outlives the first one, and there is no network
// but an empty one of its own.
const namespaces = [
  "--unshare-user",
  "--unshare-ipc",
  "--unshare-pid",
  "--unshare-net",
  "--unshare-uts",
  "--unshare-cgroup-try",
];

export function bwrapWords(plan: BwrapPlan): readonly string[] {
  return [
    ...namespaces,
    "--die-with-parent",
    ...(plan.hasTerminal ? [] : ["--new-session"]),
    "--cap-drop",
    "ALL",
    "--json-status-fd",
    String(plan.status),
    ...(plan.filter === undefined ? [] : ["--seccomp", String(plan.filter)]),
    // Otherwise its mode would keep out all other users.
    ...["--dir", "/etc"],
    ...plan.system.flatMap((path) => ["--ro-bind", path, path]),
    ...plan.links.flatMap(([path, target]) => ["--symlink", target, path]),
    // bubblewrap leaves the kernel's settings writable for root, who could run programs outside by `core_pattern`.
    ...["--dev", "/dev", "--proc", "/proc", "--ro-bind-try", "/proc/sys", "/proc/sys"],
    ...["--tmpfs", "/tmp", "--dir", "/var", "--tmpfs", "/var/tmp"],
    ...(plan.home === undefined ? [] : ["--tmpfs", plan.home]),
    ...plan.mounts.flatMap(mountWords),
    ...(plan.lock === undefined || plan.inner.length === 0
      ? plan.inner.flatMap(mountWords)
      : lockedWords(plan.inner, plan.lock)),
    // The root itself is in memory, and could be filled.
    ...["--remount-ro", "/", "--chdir", plan.cwd, "--clearenv"],
    ...Object.entries(plan.environment).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}

/**
 * What is mounted in folders of the machine, by a bubblewrap that follows links. It uses the fault itself: a link out of
 * the new root lays a read-only copy of the machine over the machine, as bubblewrap sees it at `/oldroot`, so that no
 * link leads to a place where anything can be made. What is to be written is mounted elsewhere before, and reached by a
 * link in place of a file that nobody can write. `--chmod` fails where the link is not followed: see `repaired`.
 */
function lockedWords(inner: readonly Mount[], folder: string): readonly string[] {
  const machine = machineIn(folder);
  const written = inner.filter(({ isWritable }) => isWritable);
  const copies = written.map((mount, index) => ({ path: mount.path, copy: { ...mount, path: `${folder}/${index}` } }));
  return [
    ...copies.flatMap(({ copy }) => mountWords(copy)),
    ...["--symlink", "../..", machine, "--chmod", "0755", selfCheckIn(folder)],
    ...["--ro-bind", "/", `${machine}/oldroot`, "--perms", "0000", "--tmpfs", "/oldroot"],
    ...copies.flatMap(({ path, copy }) => [
      ...["--tmpfs", `${machine}/oldroot${HARMLESS_FOLDER}`],
      ...["--symlink", `/newroot${copy.path}`, `${machine}/oldroot${HARMLESS}`],
      ...["--bind", HARMLESS, path],
    ]),
    ...inner.filter(({ isWritable }) => !isWritable).flatMap(mountWords),
    ...["--perms", "0000", "--tmpfs", folder],
  ];
}

function machineIn(folder: string): string {
  return `${folder}/machine`;
}

/**
 * The path that only a bubblewrap without the fault fails to find. No other word names it: a process that exchanges
 * folders meanwhile can make bubblewrap fail over the rest of the lock, which says nothing of the fault.
 */
export function selfCheckIn(folder: string): string {
  return `${machineIn(folder)}/newroot`;
}

/** A place on every Linux that nobody can write. */
const HARMLESS_FOLDER = "/proc/sys/kernel";
const HARMLESS = `${HARMLESS_FOLDER}/ostype`;

function mountWords({ path, from, isWritable, isContent }: Mount): readonly string[] {
  if (isContent) return ["--perms", "0444", "--file", String(from), path];
  const kind = isWritable ? "bind" : "ro-bind";
  return typeof from === "number" ? [`--${kind}-fd`, String(from), path] : [`--${kind}`, from, path];
}
