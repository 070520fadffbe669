// `npm run release`: makes dist/release of the executables in dist: what `scripts/install.sh` installs from. It holds the
// executables, completions, the man page, an SBOM (CycloneDX), the install script, and SHA256SUMS of all of these.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { nativeTarget, targets } from "./package/bases.mjs";
import { manPage } from "./release/man-page.mjs";

const { values } = parseArgs({ options: { from: { type: "string", default: "dist" } } });
const from = resolve(values.from);
const release = join(from, "release");
const partial = `${release}.partial`;
const SBOM_BYTES_MAX = 64 * 1024 * 1024;

rmSync(partial, { recursive: true, force: true });
mkdirSync(partial, { recursive: true });
for (const name of targets.map(executableName)) copyFileSync(join(from, name), join(partial, name));
copyFileSync("scripts/install.sh", join(partial, "install.sh"));
for (const shell of ["bash", "zsh", "fish", "pwsh"])
  writeFileSync(
    join(partial, `completions.${shell}`),
    execFileSync(join(from, executableName(nativeTarget)), ["completions", shell]),
  );
writeFileSync(join(partial, "dottool.1"), manPage());
writeFileSync(join(partial, "sbom.cdx.json"), sbomText());
writeFileSync(join(partial, "SHA256SUMS"), checksumsText());
rmSync(release, { recursive: true, force: true });
renameSync(partial, release);
console.log(`${release}: ${readdirSync(release).join(", ")}`);

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

/** Returns one line a file, in the form that `sha256sum -c` reads. */
function checksumsText() {
  const line = (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(partial, name)))
      .digest("hex")}  ${name}\n`;
  return readdirSync(partial).sort().map(line).join("");
}
