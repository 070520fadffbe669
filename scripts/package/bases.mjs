// The Node executables that dottool is put into: stock builds from npm packages, installed or downloaded, pinned by
// content in scripts/bases.json, prepared for the injection (symbols and stale signature removed) and stored in
// .cache/bases.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "zx";
import { withoutSymbols } from "./elf.mjs";
import { withoutCertificate } from "./pe.mjs";

const folder = resolve(".cache/bases");
const pins = JSON.parse(readFileSync(new URL("../bases.json", import.meta.url), "utf8"));

/** The target of this machine, as in bases.json: `linux-x64`. */
export const nativeTarget = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

export const targets = Object.keys(pins).filter((key) => !key.includes("@"));

export function versionOf(target) {
  return pinOf(target).version;
}

/** Returns the path of the base for `target`. */
export async function baseFor(target) {
  return prepare(pinOf(target), target);
}

/**
 * Returns a Node that runs here and has the version of `target`, because only that version writes a blob that it can
 * read.
 */
export async function generatorFor(target) {
  const { version } = pinOf(target);
  const key = pinOf(nativeTarget).version === version ? nativeTarget : `${nativeTarget}@${version}`;
  return prepare(pinOf(key), key);
}

function pinOf(key) {
  const pin = pins[key];
  if (pin === undefined)
    throw new Error(`scripts/bases.json has no \`${key}\`; it has ${Object.keys(pins).join(", ")}`);
  return pin;
}

async function prepare(pin, key) {
  const isWindows = key.startsWith("win");
  const file = join(folder, `${pin.package}-${pin.version}${isWindows ? ".exe" : ""}`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const path = `bin/node${isWindows ? ".exe" : ""}`;
  const stock = installed(pin, path) ?? (await download(pin, path));
  const ready = key.startsWith("linux") ? withoutSymbols(stock) : isWindows ? withoutCertificate(stock) : stock;
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, ready, { mode: 0o755 });
  renameSync(temporary, file);
  return file;
}

/** Returns the file that `npm ci` unpacked and compared with the same hash, or undefined without one. */
function installed(pin, path) {
  const lock = resolve("node_modules/.package-lock.json");
  if (!existsSync(lock)) return undefined;
  const { integrity } = JSON.parse(readFileSync(lock, "utf8")).packages[`node_modules/${pin.package}`] ?? {};
  return integrity === pin.integrity ? readFileSync(resolve("node_modules", pin.package, path)) : undefined;
}

async function download(pin, path) {
  const work = mkdtempSync(join(folder, "download-"));
  try {
    await $`npm pack ${pin.package}@${pin.version} --silent --pack-destination ${work}`;
    const archive = join(work, `${pin.package}-${pin.version}.tgz`);
    const integrity = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (integrity !== pin.integrity)
      throw new Error(`${pin.package}@${pin.version} is ${integrity}, but scripts/bases.json pins ${pin.integrity}`);
    await $`tar xzf ${archive} -C ${work} package/${path}`;
    return readFileSync(join(work, "package", path));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
