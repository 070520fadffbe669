// Every README that shows something to run is run by test/docs.test.ts, and every local link in a document leads
// somewhere.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const RUNNER = "test/docs.test.ts";

export function checkDocuments({ root, files }) {
  const runner = files.find(({ path }) => path === RUNNER)?.text ?? "";
  const documents = files.filter(({ path }) => path.endsWith(".md") && !path.startsWith("test/cases/"));
  return documents.flatMap((file) => [...checkExamples(file, runner), ...checkLinks(file, root)]);
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
