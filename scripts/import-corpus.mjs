// `node scripts/import-corpus.mjs`: imports the files that import-corpus/sources.txt names from public repositories,
// checks what comes out, and says which part of their tools became definitions without an error. `--mirrors FOLDER`
// takes them from bare clones `OWNER+NAME/repo` in place of GitHub; `--left-out` lists the others with the reason.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatOf } from "../src/features/import/formats.ts";
import { writtenTools } from "../src/features/import/written-tools.ts";

const FETCH_MS_MAX = 30_000;
const FILE_BYTES_MAX = 16 * 1024 * 1024;

const { values } = parseArgs({
  options: { mirrors: { type: "string" }, "left-out": { type: "boolean" } },
});

/** Lines `FORMAT OWNER/NAME COMMIT PATH`. */
const sources = readFileSync(fileURLToPath(new URL("import-corpus/sources.txt", import.meta.url)), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [format, repository, commit, ...path] = line.split(" ");
    return { format, repository, commit, path: path.join(" ") };
  });

const rows = new Map();
const all = newRow();
for (const source of sources) {
  const row = rows.get(source.format) ?? newRow();
  rows.set(source.format, row);
  const counted = await importedFrom(source);
  for (const one of [row, all]) for (const key of Object.keys(one)) one[key] += counted[key];
}

console.log("| format | files | unread files | tools | imported | by a call of its runner | rate |");
console.log("| --- | --: | --: | --: | --: | --: | --: |");
for (const [format, row] of [...rows, ["all", all]])
  console.log(
    `| ${format} | ${row.files} | ${row.unread} | ${row.tools} | ${row.imported} | ${row.called} | ${row.tools === 0 ? "" : `${((100 * row.imported) / row.tools).toFixed(1)} %`} |`,
  );

function newRow() {
  return { files: 0, unread: 0, tools: 0, imported: 0, called: 0 };
}

async function importedFrom(source) {
  const { repository, path } = source;
  const row = { ...newRow(), files: 1 };
  const file = { fileName: basename(path), text: await textOf(source), neighbours: new Set() };
  try {
    const format = formatOf(file);
    if (!format) throw new Error("its format is not known");
    const read = (await format.load())(file);
    const { tools, leftOut } = writtenTools(read, { folder: undefined, taken: new Set() });
    row.tools = tools.length + leftOut.length;
    row.imported = tools.length;
    row.called = tools.filter(({ text }) => /^@note called by/m.test(text)).length;
    if (values["left-out"])
      for (const { original, reason } of leftOut) console.error(`${repository} ${path}: ${original}: ${reason}`);
  } catch (error) {
    row.unread = 1;
    if (values["left-out"]) console.error(`${repository} ${path}: ${error.stack}`);
  }
  return row;
}

async function textOf({ repository, commit, path }) {
  if (values.mirrors !== undefined)
    return execFileSync(
      "git",
      ["-C", `${values.mirrors}/${repository.replace("/", "+")}/repo`, "show", `${commit}:${path}`],
      { encoding: "utf8", maxBuffer: FILE_BYTES_MAX },
    );
  const address = `https://raw.githubusercontent.com/${repository}/${commit}/${path}`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(FETCH_MS_MAX) });
  if (!answer.ok) throw new Error(`${address} answers with ${answer.status}`);
  return answer.text();
}
