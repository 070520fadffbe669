// A promise that nothing waits for ends the program when it is rejected. `void` in front of one hides that from the reader, so
// what stands behind it handles its own failure: it ends in `.catch(…)`, or in a `.then(…)` with two functions. A sleep is never rejected.
import { walk } from "./read-tree.mjs";

export function checkPromises({ sources }) {
  return sources.filter(({ path }) => path.startsWith("src/")).flatMap(({ path, program, lineAt }) => {
    const complaints = [];
    const complain = (node) => complaints.push({ path, line: lineAt(node.start), rule: "promises", text: "nothing handles a rejection of this promise; end it with `.catch(…)`" });
    const seen = new Set();
    walk(program, (node) => {
      const isStatement = node.type === "ExpressionStatement" && isVoidCall(node.expression);
      const call = isStatement ? node.expression.argument : isVoidCall(node) && methodOf(node.argument) === "then" ? node.argument : undefined;
      if (!call || seen.has(call)) return;
      seen.add(call);
      if (!isHandled(call)) complain(call);
    });
    return complaints;
  });
}

function isVoidCall(node) {
  return node.type === "UnaryExpression" && node.operator === "void" && node.argument.type === "CallExpression";
}

function isHandled(call) {
  const method = methodOf(call);
  return method === "catch" || (method === "then" && (call.arguments.length > 1 || methodOf(call.callee.object) === "sleep"));
}

function methodOf({ callee }) {
  return callee?.type === "MemberExpression" ? callee.property.name : undefined;
}
