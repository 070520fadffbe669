// Makes src/generated/ and the generated documents. `npm start`, `npm test` and every build run it first; it writes
// only what changed.
import { readdirSync } from "node:fs";

const folder = new URL("./generate/", import.meta.url);
for (const file of readdirSync(folder).sort()) {
  const { generate } = await import(new URL(file, folder).href);
  await generate();
}
