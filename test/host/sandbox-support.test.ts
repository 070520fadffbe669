// What `doctor` says of the sandbox, as far as can be told without running a program.
import { sandboxFinding } from "../../src/features/confinement/sandbox-support.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("sandboxFinding");

const BWRAP = "/usr/bin/bwrap";
const program = (version: string): Readonly<Record<string, string>> => ({
  [BWRAP]: `\x7fELF\0bubblewrap ${version}\0`,
});
const said = (files: Readonly<Record<string, string>>): readonly unknown[] => {
  const { works, fact, help } = sandboxFinding(memoryHost({ files }));
  return [works, fact, help];
};
const TRY = "to test it, run `dottool sandbox -- true`";

test("the version of bubblewrap is in the program, and one that may have CVE-2026-87766 is named", () => {
  assert.equal(said(program("0.12.0")), ["unasked", `by ${BWRAP} 0.12.0`, TRY]);
  assert.equal(said(program("1.0.0")), ["unasked", `by ${BWRAP} 1.0.0`, TRY]);
  const old = "in a read-only view of the machine, because it may have CVE-2026-87766";
  const later = `${TRY}; 0.12.0 and later have no such fault`;
  assert.equal(said(program("0.11.9")), ["unasked", `by ${BWRAP} 0.11.9, ${old}`, later]);
  assert.equal(said({ [BWRAP]: "no version" }), ["unasked", `by ${BWRAP}, ${old}`, later]);
});

test("what keeps it from working is said with what would help", () => {
  assert.equal(said({}), [
    false,
    "bubblewrap is not installed; calls with it are refused",
    "install the package `bubblewrap`, which has the program `bwrap`",
  ]);
  assert.equal(said({ ...program("0.12.0"), "/proc/sys/user/max_user_namespaces": "0\n" }), [
    false,
    "user namespaces are switched off; calls with it are refused",
    "set `user.max_user_namespaces` to another value than 0",
  ]);
  assert.equal(said({ ...program("0.12.0"), "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n" }), [
    "unasked",
    `${BWRAP} 0.12.0 needs an AppArmor profile with \`userns\` here`,
    TRY,
  ]);
});

test("where Linux has Landlock, it is said that it holds calls in part", () => {
  const kernel = { "/proc/sys/kernel/osrelease": "6.8.0-40-generic\n" };
  const help = "install the package `bubblewrap`, which has the program `bwrap`";
  const part = "Landlock alone holds calls in part";
  assert.equal(said(kernel), ["unasked", `bubblewrap is not installed; ${part}`, `${TRY}; ${help}`]);
  assert.equal(
    said({ ...kernel, ...program("0.12.0"), "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1" }),
    ["unasked", `${BWRAP} 0.12.0 needs an AppArmor profile with \`userns\` here; without it ${part}`, TRY],
  );
  const off = ["bubblewrap is not installed; calls with it are refused", help];
  assert.equal(said({ ...kernel, "/sys/kernel/security/lsm": "capability,apparmor" }), [false, ...off]);
  assert.equal(said({ "/proc/sys/kernel/osrelease": "6.1.0-9-amd64" }), [false, ...off]);
});

test.run();
