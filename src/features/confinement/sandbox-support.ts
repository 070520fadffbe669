// Whether commands can be confined on this machine, as far as can be told without running a program.
import { BWRAP_PLACES, BWRAP_VERSION_MIN, bwrapVersionIn, followsLinks } from "../../core/tool/confinement.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Finding } from "../../cli/finding.ts";
import { wallLines } from "./wall.ts";

const TRY = "to test it, run `dottool sandbox -- true`";

export function sandboxFinding(host: Host): Finding {
  const finding = (works: Finding["works"], fact: string, help?: string): Finding => ({
    group: "Limits",
    name: "@sandbox strict",
    works,
    fact,
    ...(help === undefined ? {} : { help }),
  });
  if (host.platform === "windows") return finding(false, "does not work on Windows; calls with it are refused");
  if (host.platform === "macos")
    return finding("unasked", "by sandbox-exec: partial, because macOS has no process namespaces", TRY);
  const bwrap = BWRAP_PLACES.find((path) => host.instant.stat(path)?.kind === "file");
  const rest = mayHaveLandlock(host) ? "Landlock alone holds calls in part" : undefined;
  const without = (fact: string, help: string): Finding =>
    finding(
      rest ? "unasked" : false,
      `${fact}; ${rest ?? "calls with it are refused"}`,
      rest ? `${TRY}; ${help}` : help,
    );
  if (bwrap === undefined)
    return without("bubblewrap is not installed", "install the package `bubblewrap`, which has the program `bwrap`");
  const closed = [
    ["kernel/unprivileged_userns_clone", "0"],
    ["user/max_user_namespaces", "0"],
  ].find(([name, value]) => systemSetting(name ?? "", host) === value);
  if (closed)
    return without(
      "user namespaces are switched off",
      `set \`${closed[0]?.replace("/", ".")}\` to another value than 0`,
    );
  const version = bwrapVersionIn(new TextDecoder("latin1").decode(host.instant.readStart(bwrap, PROGRAM_BYTES_MAX)));
  const program = version === undefined ? bwrap : `${bwrap} ${version}`;
  if (systemSetting("kernel/apparmor_restrict_unprivileged_userns", host) === "1")
    return finding(
      "unasked",
      `${program} needs an AppArmor profile with \`userns\` here${rest ? `; without it ${rest}` : ""}`,
      TRY,
    );
  return followsLinks(version)
    ? finding(
        "unasked",
        `by ${program}, in a read-only view of the machine, because it may have CVE-2026-87766`,
        `${TRY}; ${BWRAP_VERSION_MIN} and later have no such fault`,
      )
    : finding("unasked", `by ${program}`, TRY);
}

/** From Linux 6.2 on it has what is needed. Where the system lists what is switched on, that is looked at, too. */
function mayHaveLandlock(host: Host): boolean {
  const [major = 0, minor = 0] = (systemSetting("kernel/osrelease", host) ?? "").split(".").map(Number.parseFloat);
  const on = textOf("/sys/kernel/security/lsm", host);
  return (major > 6 || (major === 6 && minor >= 2)) && (on === undefined || on.split(",").includes("landlock"));
}

/** What holds a call here, in a few words. */
export function engineOf(host: Host): string {
  const { works, fact } = sandboxFinding(host);
  return works === false ? fact : (fact.split(/[,:]/)[0] ?? fact);
}

/** The same for `doctor`, with the wall of a call that declares nothing else. */
export function wallFinding(host: Host): Finding {
  const found = sandboxFinding(host);
  const [head, ...wall] = wallLines(found.fact, { folder: "the working folder", reads: [], writes: [], hosts: [] });
  return found.works === false ? found : { ...found, fact: `${head}. ${wall.join(". ")}` };
}

const PROGRAM_BYTES_MAX = 1_024 * 1_024;
const TEXT_BYTES_MAX = 256;

function systemSetting(name: string, host: Host): string | undefined {
  return textOf(`/proc/sys/${name}`, host);
}

function textOf(path: string, host: Host): string | undefined {
  try {
    return new TextDecoder().decode(host.instant.readStart(path, TEXT_BYTES_MAX)).trim();
  } catch {
    return undefined;
  }
}
