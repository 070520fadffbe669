// For killed-writes.test.ts, in a process that is killed: fills a file with "a", then with "b", and so on, for ever.
import { readFileSync } from "node:fs";
import process from "node:process";
import { editFile } from "../../src/features/files/edit-file.ts";
import { writeFile } from "../../src/features/files/write-file.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { runTool, shown } from "../base/file-context.ts";

const [kind = "", path = ""] = process.argv.slice(2);
const { files, instant } = createNodeHost();
let old = readFileSync(path, "latin1");

for (let round = 0; ; round++) {
  const next = (old.startsWith("a") ? "b" : "a").repeat(old.length);
  if (kind === "replace") instant.replace(path, next);
  else if (kind === "write") await files.write(path, next);
  else {
    const outcome =
      kind === "write_file"
        ? await runTool(writeFile, { file_path: path, content: next })
        : await runTool(editFile, { file_path: path, edits: [{ search: old, replace: next }] });
    if (outcome.status !== "ok") throw new Error(shown(outcome));
  }
  old = next;
  if (round === 0) process.stdout.write("written");
}
