// What a process may reach, as data: made from a definition and the user's settings, kept by the host.

/**
 * `limits` are limits of memory and processor time alone; `custom` is a command of the user's, such as `docker run`.
 */
export type SandboxLevel = (typeof sandboxLevels)[number];
/** Each lets less through than the one before it. */
export const sandboxLevels = ["none", "limits", "strict", "custom"] as const;

/** Where bubblewrap is: not by PATH, in which a project may have put a program of this name. */
export const BWRAP_PLACES = [
  "/usr/bin/bwrap",
  "/bin/bwrap",
  "/usr/local/bin/bwrap",
  "/run/current-system/sw/bin/bwrap",
];

/** A host as definitions and options name it. */
export const hostPattern = /^(?:\*|(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?)$/;

/** Processes and threads of a run at `limits` and above: enough for builds on large machines, and podman's default. */
export const PROCESSES_MAX = 2_048;

/**
 * Why a process runs without a sandbox:
 * - `trusted`: it is a command of a definition that a person trusts, and neither this nor the settings ask for one.
 * - `settings`: the command stands in the user's own settings.
 * - `typed`: a person has typed it.
 * - `git`: it is git, with words of ours that make it run nothing of a repository.
 */
export interface Unconfined {
  readonly unconfined: "trusted" | "settings" | "typed" | "git";
}

/** A text in place of a secret, as long as its value, which only HTTPS requests to these hosts get. */
export interface StandIn {
  readonly text: string;
  readonly value: string;
  /** As `NAME`, which is port 443, or `NAME:PORT`. */
  readonly hosts: readonly string[];
}

export interface Confinement {
  readonly level: "strict" | "custom";
  /** Absolute: the working folder of the call, which can be read. */
  readonly folder: string;
  /** Absolute paths that can be written too. A file among them that does not exist is made. */
  readonly writes: readonly string[];
  /** Further absolute paths that can be read. */
  readonly reads: readonly string[];
  /**
   * An absolute folder with the folders `home` and `tmp`, which the process has as its home folder and for temporary
   * files, and may write. Absent: both are empty, and gone with it.
   */
  readonly privateFolder?: string;
  /** Set if git may write its data in the repository at the top of `folder`: all but settings, hooks and modules. */
  readonly writesGit?: true;
  /** Hosts that can be reached, as `NAME`, `NAME:PORT`, `*.NAME`; `*` is every public host. Empty: no network. */
  readonly hosts: readonly string[];
  /** What its processes have in place of secrets. */
  readonly standIns?: readonly StandIn[];
  /** Set if nobody has approved it: no private address is reached, not even with its port, and no engine holds less. */
  readonly isPublicOnly?: true;
  /** Set if the process may run without a sandbox where none works on this machine. The report says why. */
  readonly isBestEffort?: true;
  /**
   * Set if neither the definition nor the user asked for it: the process also runs without a sandbox where none works
   * on this machine or the folder shows the home folder, and people are not told at each call that there is no sandbox.
   */
  readonly isUnasked?: true;
  /** What the definition asks for and does not get, because nobody has approved it: "to write `/home/ana/.bashrc`". */
  readonly withheld?: readonly string[];
  /** The words before the command at the level `custom`. */
  readonly prefix?: readonly string[];
  /**
   * Where a person says that it may reach more: in annotations of the definition, in keys of one in YAML, or in options
   * of `dottool sandbox`. Absent: nothing of it would count.
   */
  readonly widenedBy?: "annotations" | "keys" | "options";
  /** Set if the definition does not name what it may write and reach, so that naming some would take away the rest. */
  readonly isImplied?: true;
}

/** What a sandbox kept from a process. */
export interface Blocked {
  readonly kind: "host" | "read" | "write";
  /** A host as `@network` names it, empty if it is not known; or an absolute path. */
  readonly name: string;
  /** Set if only a person may open it: it may have keys, or other programs obey it. */
  readonly guard?: "keys" | "obeyed";
}

/** What a process really ran in. */
export interface SandboxReport {
  /** `full`: all that the level promises. `none`: nothing of it. */
  readonly sandbox: "full" | "partial" | "none";
  /** What the level promises and was missing. Empty for `full`. */
  readonly missing: readonly string[];
  /** What has held it, such as `bubblewrap`. Absent if nothing has, or it is the user's own. */
  readonly engines?: readonly string[];
  /** The paths of files with keys, which the process could not read. Absent if there are none. */
  readonly hidden?: readonly string[];
  /**
   * What is known to be kept from it: of a process that succeeded, only hosts. `unseen` if its errors went to a
   * terminal, and absent where nothing of this is known.
   */
  readonly blocked?: readonly Blocked[] | "unseen";
  /** The folder of a program that is in a place of its own, of which the process saw programs and libraries alone. */
  readonly programFolder?: string;
}

/**
 * Returns what the Python of a step may reach if neither its definition nor the user says so: code works with its values
 * and the files beside it, and `@tags network` lets it reach public hosts. Undefined where the definition says what it
 * may.
 */
export function pythonConfinement(
  {
    security,
    declaredEffects,
  }: { readonly security?: { readonly sandbox?: SandboxLevel }; readonly declaredEffects: readonly string[] },
  folder: string,
): Confinement | undefined {
  if (security?.sandbox !== undefined) return undefined;
  const hosts = declaredEffects.includes("network") ? ["*"] : [];
  return {
    ...{ level: "strict", folder, writes: [folder], reads: [], hosts },
    ...{ isUnasked: true, isImplied: true, widenedBy: "annotations" },
  };
}

/** Returns the version that is written in the program bubblewrap, given as latin1. */
export function bwrapVersionIn(program: string): string | undefined {
  return /bubblewrap (\d+\.\d+\.\d+)\0/.exec(program)?.[1];
}

/** The first version of bubblewrap without CVE-2026-87766. */
export const BWRAP_VERSION_MIN = "0.12.0";

/** Whether a bubblewrap follows links on the way to where it mounts something, as far as its version says. */
export function followsLinks(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major === 0 && minor < 12;
}
