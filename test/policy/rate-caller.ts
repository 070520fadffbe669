// For rate-limit.test.ts, in a process of its own: makes that many calls at once, and prints how many of them are
// allowed.
import process from "node:process";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { countCall } from "../../src/core/policy/rate-limit.ts";

const real = createNodeHost();
const [state = "", count = "1"] = process.argv.slice(2);
const host = { ...real, folders: { ...real.folders, state } };
const kinds = await Promise.all(
  Array.from(
    { length: Number(count) },
    async () => (await countCall({ key: "many", rate: { calls: 187, perMs: 86_400_000 } }, host)).kind,
  ),
);
console.log(kinds.filter((kind) => kind === "counted").length);
