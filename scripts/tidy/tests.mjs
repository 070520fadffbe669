// A check that cannot fail is a defect: tests that never run, assertions that compare nothing.
import { walk } from "./read-tree.mjs";

export function checkTests({ sources }) {
  return sources.filter(({ path }) => path.startsWith("test/") && path.endsWith(".ts")).flatMap(checkFile);
}

function checkFile({ path, program, lineAt }) {
  const complaints = [];
  const complain = (node, text) => complaints.push({ path, line: lineAt(node.start), rule: "tests", text });
  let runs = false;
  walk(program, (node) => {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return;
    const { object, property } = node.callee;
    if (property.name === "run" && node.arguments.length === 0) runs = true;
    if (object.name === "assert" && property.name === "throws" && isText(node.arguments[1]))
      complain(node, "`assert.throws` with a text compares nothing; give it a function or a regular expression");
  });
  if (path.endsWith(".test.ts") && !runs)
    complaints.push({ path, line: 1, rule: "tests", text: "no suite runs; end the file with `.run()`" });
  return complaints;
}

function isText(node) {
  return node?.type === "TemplateLiteral" || (node?.type === "Literal" && typeof node.value === "string");
}
