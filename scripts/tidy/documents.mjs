// Every README that shows something to run is run by test/docs.test.ts, every local link in a document leads somewhere,
// and each feature has a README. Those and src/README.md name only files that exist.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const RUNNER = "test/docs.test.ts";

export function checkDocuments({ root, files }) {
  const runner = files.find(({ path }) => path === RUNNER)?.text ?? "";
  const documents = files.filter(({ path }) => path.endsWith(".md") && !path.startsWith("test/cases/"));
  return [
    ...documents.flatMap((file) => [...checkExamples(file, runner), ...checkLinks(file, root)]),
    ...checkFeatures(files),
    ...documents.filter(({ path }) => MAP.test(path)).flatMap((file) => checkNamedFiles(file, files)),
  ];
}

const MAP = /^src\/(features\/[\w-]+\/)?README\.md$/;

function checkFeatures(files) {
  const paths = new Set(files.map(({ path }) => path));
  return [...paths]
    .filter((path) => /^src\/features\/[\w-]+\/feature\.ts$/.test(path) && !paths.has(`${dirname(path)}/README.md`))
    .map((path) => ({
      path,
      line: 1,
      rule: "feature-readme",
      text: `write ${dirname(path)}/README.md: what it is for, what it promises, where to begin, its limits`,
    }));
}

/** A file is named by the end of its path. `NAME` in it stands for any name. */
function checkNamedFiles({ path, text, lineAt }, files) {
  return [...text.matchAll(/(?<![\w./-])[\w/-]+\.(?:ts|mjs)\b/g)]
    .filter(([name]) => !name.includes("NAME") && !files.some((file) => `/${file.path}`.endsWith(`/${name}`)))
    .map((found) => ({ path, line: lineAt(found.index), rule: "named-files", text: `\`${found[0]}\` does not exist` }));
}

function checkExamples({ path, text, lineAt }, runner) {
  const example = /^```\w/m.exec(text);
  if (!path.endsWith("README.md") || example === null || runner.includes(`"${path}"`)) return [];
  return [
    {
      path,
      line: lineAt(example.index),
      rule: "examples",
      text: `its examples are not run; name "${path}" in ${RUNNER}`,
    },
  ];
}

function checkLinks({ path, text, lineAt }, root) {
  const links = [...text.matchAll(/\]\((?!\w+:|#)([^)\s#]+)[^)]*\)/g)];
  return links
    .filter(([, target]) => !existsSync(join(root, dirname(path), target)))
    .map((link) => ({ path, line: lineAt(link.index), rule: "links", text: `\`${link[1]}\` does not exist` }));
}
