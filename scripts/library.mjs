// What `npm pack` takes: the program as ES modules in dist/lib, because Node strips no types below node_modules.
// `dottool.js` is what programs import, `main.js` what `npx dottool` runs; types/ holds the declarations. Packages are
// inside, since npm takes half a minute to install 170 of them; OUTSIDE stay imports. `npm run types` has checked the
// types.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as esbuild from "esbuild";
import { licensesText } from "./package/licenses.mjs";

const folder = "dist/lib";
/** They read files of their own, or are large and rarely needed. None depends on others. */
export const OUTSIDE = ["@viz-js/viz", "amaro", "quickjs-wasi"];
/** Packages in CommonJS ask for modules of Node. */
const REQUIRE = 'import { createRequire as $require } from "node:module"; const require = $require(import.meta.url);';

rmSync(folder, { recursive: true, force: true });
const { metafile } = await esbuild.build({
  // Threads are started by their file names.
  entryPoints: {
    dottool: "src/dottool.ts",
    main: "src/main.ts",
    "sandbox-worker": "src/features/javascript/host/sandbox-worker.ts",
    "typescript-worker": "src/features/javascript/host/typescript-worker.ts",
  },
  outdir: folder,
  bundle: true,
  splitting: true,
  external: OUTSIDE,
  metafile: true,
  platform: "node",
  target: "node22",
  format: "esm",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
});
chmodSync(`${folder}/main.js`, 0o755);
writeFileSync(`${folder}/licenses.txt`, licensesText({ metafiles: [metafile], packages: [], what: "library" }));
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], { stdio: "inherit" });
for (const path of readdirSync(`${folder}/types`, { recursive: true, encoding: "utf8" })) {
  const file = `${folder}/types/${path}`;
  if (path.endsWith(".d.ts")) writeFileSync(file, withoutPackages(readFileSync(file, "utf8")));
}

/** What users call has no types of packages; within, one that is not installed is `any`. */
function withoutPackages(declarations) {
  return declarations.replaceAll(/^import (?:type )?\{([^}]*)\} from "(?!node:|\.)[^"]*";/gm, (_all, names) =>
    names
      .split(",")
      .map((name) => `type ${name.trim().replace(/^type |^\S+ as /, "")}<A = any, B = any> = any;`)
      .join(" "),
  );
}
