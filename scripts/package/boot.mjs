// The only script that the executable runs directly. The program is a set of chunks in one asset. Each is loaded when
// it is first needed, and compiled from its V8 code cache if the build could make one. `--version` loads none.
import { groupsFor, makeRequire, openChunks } from "./chunk-loader.mjs";
import { openPack } from "./open-pack.mjs";
import { readMarker, versionText } from "../../src/core/tool/bundle-marker.ts";
import { BUNDLE_SYMBOL } from "../../src/core/tool/host-bundle.ts";

// `dottool bundle` writes over this text in a copy of the executable.
const bundle = readMarker(process.env.BUNDLE_MARKER);
if (bundle !== undefined) globalThis[Symbol.for(BUNDLE_SYMBOL)] = bundle;
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) {
  writeVersion(`${versionText(process.env.VERSION, bundle)}\n`);
} else {
  const { getRawAsset } = process.getBuiltinModule("node:sea");
  const part = openPack(Buffer.from(getRawAsset("pack")));
  const { factoryOf } = openChunks({
    groups: groupsFor(words),
    read: (name) => part(name).latin1Slice(),
    // Executables for other machines have no caches, because only the V8 that reads them can make them.
    readCache: (name) => part(`${name}.cache`),
  });
  makeRequire({
    factoryOf,
    requireBuiltIn: require,
    textAt: (start, end) => part("texts").utf8Slice(start, end),
  }).requireChunk("./main.js");
}

/** `process.stdout` would take 3 ms to load. */
function writeVersion(text) {
  try {
    process.getBuiltinModule("node:fs").writeSync(1, text);
    process.exit();
  } catch (error) {
    // The stream waits for a full pipe, and a reader that closed early is not a failure. The words are those of
    // core/host/terminal/terminal.ts.
    if (error.code === "EAGAIN") process.stdout.write(text);
    else if (error.code !== "EPIPE") {
      process.stderr.write(
        `failed[output]: the output cannot be written: ${error.code === "ENOSPC" ? "the disk is full" : `the system reports ${error.code}`}\n`,
      );
      process.exitCode = 1;
    }
  }
}
