// Every diagnostic code has a golden case: a folder of test/cases whose expected.txt shows `[code]`.
import { walk } from "./read-tree.mjs";

const CODES = "src/core/text/codes.ts";
/** Codes that no text file can cause, with the reason. Other tests cover them. */
const WITHOUT_CASE = new Map([
  ["bad-code", "test/cli/check.test.ts: it takes the machine that runs code"],
  ["missing-dependency", "test/scripts/missing-tools.txt: it takes a session"],
]);

export function checkCodes({ files, sources }) {
  const file = sources.find(({ path }) => path === CODES);
  if (file === undefined) return [];
  const expected = files
    .filter(({ path }) => path.startsWith("test/cases/") && path.endsWith("expected.txt"))
    .map(({ text }) => text)
    .join("\n");
  return literals(file.program).flatMap((node) => {
    const isSeen = expected.includes(`[${node.value}]`);
    const complain = (text) => [{ path: CODES, line: file.lineAt(node.start), rule: "codes", text }];
    if (!isSeen && !WITHOUT_CASE.has(node.value))
      return complain(
        `\`${node.value}\` has no golden case; add a folder to test/cases whose expected.txt shows \`[${node.value}]\``,
      );
    if (isSeen && WITHOUT_CASE.has(node.value))
      return complain(`\`${node.value}\` has a case now; take it out of scripts/tidy/codes.mjs`);
    return [];
  });
}

function literals(program) {
  const found = [];
  walk(program, (node) => {
    if (node.type === "ArrayExpression") found.push(...node.elements.filter((element) => element?.type === "Literal"));
  });
  return found;
}
