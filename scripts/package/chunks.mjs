// The program as CommonJS chunks: what is imported with `import()` in src/ is a chunk of its own, so that a call loads,
// and V8 reads from its code cache, only what that call needs. esbuild splits ESM alone, so every chunk is turned into CommonJS afterwards.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import * as esbuild from "esbuild";

const WRAPPER = ["(function(exports,require,module,importChunk){", "\n})"];

/** Writes `main.js` and what it imports to `folder`; returns the names, as the chunks call each other (`./main.js`). */
export async function buildChunks({ entry, folder }) {
  const { outputFiles } = await esbuild.build({
    entryPoints: { main: entry },
    outdir: folder,
    bundle: true,
    splitting: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node24",
    charset: "ascii",
    legalComments: "none",
    minifySyntax: true,
    minifyWhitespace: true,
    treeShaking: true,
    logLevel: "warning",
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const names = [];
  for (const file of outputFiles) {
    const name = basename(file.path);
    await writeFile(join(folder, name), await asCommonJs(file.text, name));
    names.push(`./${name}`);
  }
  return names;
}

async function asCommonJs(source, name) {
  const { code } = await esbuild.transform(source, {
    format: "cjs",
    platform: "node",
    target: "node24",
    charset: "ascii",
    minify: true,
    legalComments: "none",
    sourcefile: name,
    logLevel: "warning",
  });
  // The imports of chunks are the only ones written with a literal "./": plugins are imported by a computed address.
  return WRAPPER[0] + code.replaceAll(/\bimport\((["'])(\.\/[\w.-]+\.js)\1\)/g, 'importChunk("$2")') + WRAPPER[1];
}
