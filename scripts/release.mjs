// `npm run release`: makes dist/release of the executables in dist, which a team serves or copies: the executables,
// archives and Debian packages of them, completions, the man page, an SBOM (CycloneDX), the install script, and
// SHA256SUMS of all of these. `--url ADDRESS` says where it will be served; then the install script needs no words, and
// there are manifests for Homebrew and Scoop. `--key FILE` signs SHA256SUMS with an SSH key; in CI, its identity signs
// them too. `--only PLATFORM` builds the executable, and makes the files, of one platform.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { completionScript, shellNames } from "../src/features/completions/commands/completions.ts";
import { targets } from "./package/bases.mjs";
import { writeArchive } from "./release/archives.mjs";
import { debianArchitectures, writeDebianPackage } from "./release/debian.mjs";
import { manPage } from "./release/man-page.mjs";
import { signWithIdentity } from "./release/sigstore.mjs";
import { brewFormula, scoopManifest } from "./release/manifests.mjs";

const { values } = parseArgs({
  options: {
    from: { type: "string", default: "dist" },
    url: { type: "string" },
    key: { type: "string" },
    only: { type: "string" },
    build: { type: "boolean" },
  },
});
if (values.only !== undefined && !targets.includes(values.only)) {
  console.error(`there is no platform \`${values.only}\`; the platforms are ${targets.join(", ")}`);
  process.exit(64);
}
const from = resolve(values.from);
const release = join(from, "release");
const partial = `${release}.partial`;
const SBOM_BYTES_MAX = 64 * 1024 * 1024;
const { version, description: summary } = JSON.parse(readFileSync("package.json", "utf8"));
const url = values.url?.replace(/\/+$/, "");

if (values.build) {
  run("npm", "run", "package", "--", "--target", values.only ?? "all");
  run(process.execPath, "scripts/npm-packages.mjs", ...(values.only === undefined ? [] : ["--only", values.only]));
}
rmSync(partial, { recursive: true, force: true });
mkdirSync(partial, { recursive: true });
const built = targets.filter(
  (target) => (values.only ?? target) === target && existsSync(join(from, executableName(target))),
);
for (const name of built.map(executableName)) copyFileSync(join(from, name), join(partial, name));
writeFileSync(join(partial, "install.sh"), installScript(), { mode: 0o755 });
for (const shell of shellNames) writeFileSync(join(partial, `completions.${shell}`), completionScript(shell));
writeFileSync(join(partial, "dottool.1"), manPage());
writeFileSync(join(partial, "sbom.cdx.json"), sbomText());
const hasDpkg = spawnSync("dpkg-deb", ["--version"]).status === 0;
if (!hasDpkg) console.log("no packages for Debian: `dpkg-deb` is not installed");
for (const target of built) {
  const made = { executable: join(from, executableName(target)), version, release: partial, summary };
  writeArchive(target, made);
  if (hasDpkg && target in debianArchitectures) writeDebianPackage(target, made);
}
if (url !== undefined && built.length === targets.length) {
  writeFileSync(join(partial, "dottool.rb"), brewFormula({ url, version, summary, sumOf }));
  writeFileSync(join(partial, "dottool.json"), scoopManifest({ url, version, summary, sumOf }));
}
writeFileSync(join(partial, "SHA256SUMS"), checksumsText());
if (values.key !== undefined) sign(join(partial, "SHA256SUMS"), values.key);
console.log(await signWithIdentity(join(partial, "SHA256SUMS")));
// The packages for npm are there already.
if (existsSync(join(release, "npm"))) renameSync(join(release, "npm"), join(partial, "npm"));
rmSync(release, { recursive: true, force: true });
renameSync(partial, release);
const missing = targets.filter((target) => (values.only ?? target) === target && !built.includes(target));
if (missing.length > 0) console.log(`without ${missing.join(", ")}: \`npm run package -- --target all\` builds them`);
console.log(`${release}: ${readdirSync(release).join(", ")}`);

function run(program, ...words) {
  execFileSync(program, words, { stdio: "inherit" });
}

function executableName(target) {
  return `dottool-${target}${target.startsWith("win") ? ".exe" : ""}`;
}

function sbomText() {
  const words = ["sbom", "--omit", "dev", "--package-lock-only", "--sbom-type", "application"];
  const options = { encoding: "utf8", maxBuffer: SBOM_BYTES_MAX };
  const sbom = JSON.parse(execFileSync("npm", [...words, "--sbom-format", "cyclonedx"], options));
  // npm names the component after the folder that it is built in.
  sbom.metadata.component.name = "dottool";
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** The install script knows where its release is served, so that `curl …/install.sh | sh` is all that a person types. */
function installScript() {
  const script = readFileSync("scripts/install.sh", "utf8");
  return url === undefined ? script : script.replace('${1:-$(dirname -- "$0")}', `\${1:-${url}}`);
}

function sumOf(name) {
  return createHash("sha256")
    .update(readFileSync(join(partial, name)))
    .digest("hex");
}

/** Returns one line a file, in the form that `sha256sum -c` reads. */
function checksumsText() {
  const line = (name) => `${sumOf(name)}  ${name}\n`;
  return readdirSync(partial).sort().map(line).join("");
}

/** Writes SHA256SUMS.sig, which `ssh-keygen -Y verify` reads, in the namespace `dottool`. */
function sign(file, key) {
  execFileSync("ssh-keygen", ["-Y", "sign", "-q", "-n", "dottool", "-f", key, file]);
}
