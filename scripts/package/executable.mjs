// Makes an executable from the chunks and a base, with pkg's `sea()`, since pkg's command line cannot pass assets. pkg
// looks for bases in its cache below the home folder before it downloads, so the build fills that cache in a home
// folder of its own.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { withAdHocSignature } from "../../src/features/bundle/macho-signature.ts";
import { baseFor, generatorFor, nativeTarget, versionOf } from "./bases.mjs";

const home = resolve(".cache/pkg-home");
process.env.HOME = home;
process.env.USERPROFILE = home;
const { default: sea } = createRequire(import.meta.url)("@yao-pkg/pkg/lib-es5/sea.js");

export function executableFor(target) {
  return `dist/dottool-${target}${target.startsWith("win") ? ".exe" : ""}`;
}

/** `assets` are paths by name. */
export async function makeExecutable({ target, main, assets }) {
  const version = versionOf(target);
  const file = resolve(executableFor(target));
  // Written to another name first, because the existing executable may be running.
  const output = `${file}.partial`;
  fillPkgCache({ target: nativeTarget, version, base: await generatorFor(target) });
  fillPkgCache({ target, version, base: await baseFor(target) });
  const [platform, arch] = target.split("-");
  await quietly(() =>
    sea(main, {
      targets: [{ nodeRange: `node${version}`, platform: platform === "darwin" ? "macos" : platform, arch, output }],
      signature: false,
      seaConfig: {
        disableExperimentalSEAWarning: true,
        // One background thread, because a call is over before V8 could use its four. SIGUSR1 opens no debugger in a
        // tool; the thread that would wait for it takes 2 ms of processor time.
        execArgv: ["--disable-warning=ExperimentalWarning", "--v8-pool-size=1", "--disable-sigusr1"],
        // NODE_OPTIONS are for Node programs; the caller's must not change ours.
        execArgvExtension: "none",
        assets,
      },
    }),
  );
  if (platform === "darwin") writeFileSync(output, signed(readFileSync(output)));
  chmodSync(output, 0o755);
  renameSync(output, file);
  return file;
}

function signed(file) {
  return withAdHocSignature(file, {
    identifier: "dottool",
    sha256: (bytes) => createHash("sha256").update(bytes).digest("hex"),
  });
}

/** Fills the cache as pkg 6.23 does after a verified download. */
function fillPkgCache({ target, version, base }) {
  const isWindows = target.startsWith("win");
  const stem = join(home, ".pkg-cache/sea", `node-v${version}-${target}`);
  const binary = isWindows ? `${stem}.exe` : join(stem, "bin/node");
  const archive = `${stem}${isWindows ? ".zip" : ".tar.gz"}`;
  mkdirSync(dirname(binary), { recursive: true });
  copyFileSync(base, binary);
  for (const file of [archive, `${archive}.ok`, `${binary}.ok`]) writeFileSync(file, "");
}

/**
 * Hides the output of pkg, which prints each step, and warns about the sections that we removed. It is shown if
 * something fails.
 */
async function quietly(work) {
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write);
  const restore = () => {
    for (const [index, stream] of streams.entries()) stream.write = writes[index];
  };
  const kept = [];
  for (const stream of streams) stream.write = (text) => kept.push(text) > 0;
  try {
    const result = await work();
    restore();
    return result;
  } catch (error) {
    restore();
    process.stderr.write(kept.join(""));
    throw error;
  }
}
