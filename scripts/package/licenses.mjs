// The licenses of everything inside the executable, as their terms demand: dottool, Node.js, and each package from
// which esbuild put something into a script. They are collected from what was bundled, not from what is installed, so
// that none is missing and none is superfluous.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { containedIn } from "./contained.mjs";

/** Matches `LICENSE.md`, `license-mit`, `COPYING`, `NOTICE.txt`. */
const licenseFile = /^(?:li[cs]en[cs]e|copying|notice|third.?party)[^/]*?(?:\.(?:md|txt|markdown))?$/i;
const RULE = "=".repeat(80);

/** Returns the text. `metafiles` are those of every build, `packages` other contents by name; an executable has Node.js. */
export function licensesText({ metafiles, packages, what = "executable" }) {
  const names = new Set([...packages, ...metafiles.flatMap(bundledPackages)]);
  const sections = [...names].sort().flatMap((name) => [sectionFor(join("node_modules", name)), ...containedIn(name)]);
  const own = { title: "dottool", text: readFileSync("LICENSE", "utf8") };
  const list = sections.map(({ title, license }) => `  ${title}  ${license}`).join("\n");
  const contents = what === "executable" ? `Node.js and parts of ${names.size - 1}` : `parts of ${names.size}`;
  const head = `This ${what} is dottool, and has in it ${contents} packages:\n\n${list}\n`;
  return [head, ...[own, ...sections].map(({ title, text }) => `${RULE}\n${title}\n${RULE}\n\n${text.trim()}\n`)].join(
    "\n",
  );
}

function bundledPackages({ outputs }) {
  const paths = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  return paths.flatMap(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
}

function sectionFor(folder) {
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => licenseFile.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8"));
  if (texts.length === 0 && typeof license !== "string")
    throw new Error(`${folder} says nothing of its license, so the executable cannot have it inside`);
  const stated = `${license}${author ? `, ${typeof author === "string" ? author : author.name}` : ""}${homepage ? `, ${homepage}` : ""}`;
  return {
    title: `${name} ${version}`,
    license: license ?? "see below",
    text: texts.length > 0 ? texts.join("\n\n") : `The package has no text of its license, and states: ${stated}`,
  };
}
