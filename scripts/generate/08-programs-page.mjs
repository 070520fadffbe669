// Writes the names of all programs with rows into grammar/programs.md.
import { readFileSync } from "node:fs";
import { writeIfChanged } from "../write-if-changed.mjs";

const COLUMNS = 118;

export async function generate() {
  const named = (...tables) => tables.flatMap((table) => table.names()).map((name) => name.split(" ")[0]);
  const { fileRows, languages, launchers, tools, windowsPrograms, wrappers } = await import(
    "../../src/generated/program-data.ts"
  );
  const { dataRows } = await import("../../src/generated/data-rows.ts");
  const firsts = (rows) =>
    rows.flatMap(({ names }) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => name.split(".")[0]),
    );
  const sections = [
    ["Languages and shells", named(languages)],
    ["Programs that run a command", named(wrappers, launchers)],
    ["Programs that run a value of some option or operand", named(tools, windowsPrograms)],
    ["Programs that read a file because of a sign", firsts(fileRows)],
    ["Programs with places that are known to be data", firsts(dataRows)],
  ];
  const page = new URL("../../grammar/programs.md", import.meta.url);
  const text = readFileSync(page, "utf8");
  const list = sections.map(([title, names]) =>
    wrapped(
      `- ${title}: ${[...new Set(names)]
        .sort()
        .map((name) => `\`${name}\``)
        .join(", ")}.`,
    ),
  );
  writeIfChanged(
    "grammar/programs.md",
    text.replace(
      /<!-- programs -->[^]*<!-- \/programs -->/,
      `<!-- programs -->\n${list.join("\n")}\n<!-- /programs -->`,
    ),
  );
}

function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== "" && line.length + word.length + 1 > COLUMNS) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}
