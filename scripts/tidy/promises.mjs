// A promise that nothing waits for ends the program when it is rejected. `void` hides that from the reader, so the
// expression after it handles its own failure: it ends in `.catch(…)`, or in a `.then(…)` with two functions. A sleep
// is never rejected.
import { walk } from "./read-tree.mjs";

export function checkPromises({ sources }) {
  return sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ path, program, lineAt }) => {
      const complaints = [];
      const complain = (node) =>
        complaints.push({
          path,
          line: lineAt(node.start),
          rule: "promises",
          text: "nothing handles a rejection of this promise; end it with `.catch(…)`",
        });
      const seen = new Set();
      walk(program, (node) => {
        const isStatement = node.type === "ExpressionStatement" && isVoidCall(node.expression);
        const call = isStatement
          ? node.expression.argument
          : isVoidCall(node) && methodOf(node.argument) === "then"
            ? node.argument
            : undefined;
        if (!call || seen.has(call)) return;
        seen.add(call);
        if (!isHandled(call)) complain(call);
      });
      return complaints;
    });
}

/**
 * Returns the promises that nothing but a handler of failures waits for, as { start, end } of their source: for a
 * script that rejects each.
 */
export function detachedPromises(program) {
  const found = [];
  walk(program, (node) => {
    const detached =
      node.type === "ExpressionStatement"
        ? node.expression
        : node.type === "UnaryExpression" && node.operator === "void"
          ? node
          : undefined;
    const call = detached && withoutVoid(detached);
    if (
      call?.type === "CallExpression" &&
      isHandled(call) &&
      !(methodOf(call) === "then" && call.arguments.length === 1)
    )
      found.push(call.callee.object);
  });
  return found.filter(
    (one, index) => found.findIndex(({ start, end }) => start === one.start && end === one.end) === index,
  );
}

function withoutVoid(node) {
  if (node.type === "ChainExpression") return withoutVoid(node.expression);
  return node.type === "UnaryExpression" && node.operator === "void" ? withoutVoid(node.argument) : node;
}

function isVoidCall(node) {
  return node.type === "UnaryExpression" && node.operator === "void" && node.argument.type === "CallExpression";
}

function isHandled(call) {
  const method = methodOf(call);
  return (
    method === "catch" || (method === "then" && (call.arguments.length > 1 || methodOf(call.callee.object) === "sleep"))
  );
}

function methodOf({ callee }) {
  return callee?.type === "MemberExpression" ? callee.property.name : undefined;
}
