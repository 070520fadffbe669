// `npm run build`: the program as CommonJS chunks in dist/chunks, ready to be put into an executable by
// `npm run package`.
import { resolve } from "node:path";
import { buildChunks } from "./package/chunks.mjs";

const { names } = await buildChunks({ entry: resolve("src/main.ts"), folder: resolve("dist/chunks") });
console.log(`dist/chunks: ${names.length} files`);
