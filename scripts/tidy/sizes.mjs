// A file or function over these sizes has a second idea to find.
import { walk } from "./read-tree.mjs";

/** Constants at the top level count as one line each: a table is one idea at any length. */
const FILE_LINES_MAX = 490;
const FUNCTION_LINES_MAX = 105;
const PARAMETERS_MAX = 3;
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function checkSizes({ sources }) {
  return sources.flatMap((file) => [...checkFile(file), ...checkFunctions(file)]);
}

function checkFile({ path, text, program, lineAt, syntaxError }) {
  const complaints = [];
  const tableLines = program.body.filter(isTable).reduce((sum, { start, end }) => sum + lineAt(end) - lineAt(start), 0);
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0) - tableLines;
  if (syntaxError !== undefined)
    complaints.push({
      path,
      line: lineAt(syntaxError.labels[0]?.start ?? 0),
      rule: "syntax",
      text: syntaxError.message,
    });
  if (lines > FILE_LINES_MAX)
    complaints.push({
      path,
      line: 1,
      rule: "file-size",
      text: `${lines} lines, over ${FILE_LINES_MAX}; find the second idea and give it a file`,
    });
  return complaints;
}

function isTable(statement) {
  const { type, declarations } = statement.declaration ?? statement;
  return type === "VariableDeclaration" && declarations.every(({ init }) => !FUNCTIONS.has(init?.type));
}

function checkFunctions({ path, program, lineAt }) {
  const complaints = [];
  walk(program, (node) => {
    if (!FUNCTIONS.has(node.type)) return;
    const line = lineAt(node.start);
    const lines = lineAt(node.end) - line + 1;
    if (lines > FUNCTION_LINES_MAX)
      complaints.push({
        path,
        line,
        rule: "function-size",
        text: `a function of ${lines} lines, over ${FUNCTION_LINES_MAX}; give its second idea a function`,
      });
    if (node.params.length > PARAMETERS_MAX)
      complaints.push({
        path,
        line,
        rule: "parameters",
        text: `${node.params.length} parameters, over ${PARAMETERS_MAX}; put the later ones into an options object`,
      });
  });
  return complaints;
}
