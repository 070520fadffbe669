// The packages for npm, in dist/release/npm: `dottool`, which is the library and starts the executable, and one with the
// executable for each platform, of which npm installs the one that fits.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { OUTSIDE } from "./library.mjs";
import { targets } from "./package/bases.mjs";
import { manPage } from "./release/man-page.mjs";

const { values } = parseArgs({
  options: { from: { type: "string", default: "dist" }, only: { type: "string" } },
});
const from = resolve(values.from);
const output = join(from, "release/npm");
const work = mkdtempSync(join(tmpdir(), "dottool-npm-"));
const root = JSON.parse(readFileSync("package.json", "utf8"));
const { version, license } = root;
/** Not needed where it is installed: how it is built and tested, and the Node that only these need. */
const OF_THE_REPOSITORY = ["private", "scripts", "devDependencies", "optionalDependencies", "allowScripts"];

try {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const made = targets.filter(
    (target) => (values.only ?? target) === target && existsSync(join(from, executableName(target))),
  );
  for (const target of made) pack(platformPackage(target));
  pack(mainPackage());
  console.log(`${output}: ${readdirSync(output).join(", ")}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function executableName(target) {
  return `dottool-${target}${extensionOf(target)}`;
}

function extensionOf(target) {
  return target.startsWith("win") ? ".exe" : "";
}

function platformPackage(target) {
  const [platform, arch] = target.split("-");
  const folder = join(work, target);
  const program = join(folder, `bin/dottool${extensionOf(target)}`);
  mkdirSync(dirname(program), { recursive: true });
  copyFileSync(join(from, executableName(target)), program);
  chmodSync(program, 0o755);
  copyFileSync("LICENSE", join(folder, "LICENSE"));
  writeJson(join(folder, "package.json"), {
    name: `@dottool/${target}`,
    version,
    description: `The executable of dottool for ${target}.`,
    license,
    os: [platform === "win" ? "win32" : platform],
    cpu: [arch],
    // The executables for Linux are linked with glibc; elsewhere the library runs in Node.
    ...(platform === "linux" ? { libc: ["glibc"] } : {}),
    files: ["bin"],
  });
  return folder;
}

function mainPackage() {
  const folder = join(work, "dottool");
  for (const path of [...root.files, "README.md", "LICENSE"]) cpSync(path, join(folder, path), { recursive: true });
  mkdirSync(join(folder, "bin"));
  copyFileSync("scripts/release/start.cjs", join(folder, "bin/dottool.cjs"));
  writeFileSync(join(folder, "dottool.1"), manPage());
  const { "dottool-source": _source, ...exported } = root.exports["."];
  writeJson(join(folder, "package.json"), {
    ...Object.fromEntries(Object.entries(root).filter(([key]) => !OF_THE_REPOSITORY.includes(key))),
    files: [...root.files, "bin", "dottool.1"],
    dependencies: Object.fromEntries(OUTSIDE.map((name) => [name, root.dependencies[name]])),
    exports: { ".": exported, "./bin": "./bin/dottool.cjs" },
    bin: { dottool: "./bin/dottool.cjs" },
    man: ["./dottool.1"],
    optionalDependencies: Object.fromEntries(targets.map((target) => [`@dottool/${target}`, version])),
  });
  return folder;
}

function pack(folder) {
  execFileSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", output], { cwd: folder });
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
