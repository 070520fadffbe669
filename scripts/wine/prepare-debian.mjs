// Makes the Debian of test/packaged/debian.ts, in some three minutes and 1.6 GB: Wine, and beside it the libraries of
// arm64. What a run that was stopped has left is made again.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { armLibraries, debian, inDebian, readyFile } from "../../test/packaged/debian.ts";

const SUITE = "trixie";
const PREPARE_MS_MAX = 20 * 60_000;
const begunFile = join(debian, "dottool-begun");

/** Returns why it cannot be made here, or undefined. */
export function obstacle() {
  if (existsSync(readyFile)) return undefined;
  if (process.platform !== "linux" || process.arch !== "x64") return "it takes Linux on x64";
  if (process.getuid() !== 0) return "only root can make a Debian for Wine";
  return hasProgram("debootstrap") ? undefined : "it takes `debootstrap`: apt install debootstrap qemu-user-static";
}

export function hasProgram(name) {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, name)));
}

export function prepareDebian() {
  if (existsSync(readyFile)) return;
  console.log(`makes Debian ${SUITE} with Wine in ${debian}`);
  if (existsSync(begunFile)) rmSync(debian, { recursive: true });
  mkdirSync(debian, { recursive: true });
  if (readdirSync(debian).length > 0) throw new Error(`${debian} is not empty, and not a Debian of this script`);
  writeFileSync(begunFile, "");
  execFileSync("debootstrap", ["--variant=minbase", SUITE, debian], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: PREPARE_MS_MAX,
  });
  inside("apt-get update -qq");
  inside("apt-get install -y -qq --no-install-recommends wine wine64");
  inside("dpkg --add-architecture arm64 && apt-get update -qq");
  inside(
    "mkdir -p /arm64/root && chown _apt /arm64 && cd /arm64 && apt-get download -qq libc6:arm64 libgcc-s1:arm64 libstdc++6:arm64",
  );
  inside("for file in /arm64/*.deb; do dpkg -x $file /arm64/root; done");
  symlinkSync("usr/lib", join(armLibraries, "lib"));
  // Makes the drive C.
  inside("wineboot -i && wineserver -w");
  writeFileSync(readyFile, `${SUITE}\n`);
}

function inside(line) {
  const { status, stderr } = inDebian(["bash", "-c", line], {
    environment: { DEBIAN_FRONTEND: "noninteractive" },
    timeoutMs: PREPARE_MS_MAX,
  });
  if (status !== 0) throw new Error(`\`${line}\` ended with ${status} in ${debian}\n${stderr}`);
}
