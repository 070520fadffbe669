// What `npm pack` takes: the program as ES modules in dist/lib, because Node strips no types below node_modules.
// `dottool.js` is what programs import, `main.js` what `npx dottool` runs; types/ holds the declarations. Packages stay
// imports: npm installs them beside it. `npm run types` has checked the types.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import * as esbuild from "esbuild";

const folder = "dist/lib";

rmSync(folder, { recursive: true, force: true });
await esbuild.build({
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
  packages: "external",
  platform: "node",
  target: "node22",
  format: "esm",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  banner: { js: "#!/usr/bin/env node" },
});
chmodSync(`${folder}/main.js`, 0o755);
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], { stdio: "inherit" });
