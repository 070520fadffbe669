// `npm run tidy`: the rules of style and architecture that a machine can check. Each complaint says where, which rule,
// and what to do. `--root FOLDER` checks another tree, as the tests of these checks do.
import { parseArgs } from "node:util";
import { checkBudget } from "./tidy/budget.mjs";
import { checkCodes } from "./tidy/codes.mjs";
import { checkCycles } from "./tidy/cycles.mjs";
import { checkDocuments } from "./tidy/documents.mjs";
import { checkLayers } from "./tidy/layers.mjs";
import { checkModules } from "./tidy/modules.mjs";
import { checkNames } from "./tidy/names.mjs";
import { checkOutsideWorld } from "./tidy/outside-world.mjs";
import { checkPromises } from "./tidy/promises.mjs";
import { readTree } from "./tidy/read-tree.mjs";
import { checkSizes } from "./tidy/sizes.mjs";
import { checkTables } from "./tidy/tables.mjs";
import { checkTests } from "./tidy/tests.mjs";
import { checkTexts } from "./tidy/texts.mjs";

const { values } = parseArgs({ options: { root: { type: "string", default: "." } } });
const tree = readTree(values.root);
const checks = [
  checkSizes,
  checkBudget,
  checkNames,
  checkModules,
  checkLayers,
  checkCycles,
  checkOutsideWorld,
  checkPromises,
  checkTables,
  checkTests,
  checkCodes,
  checkDocuments,
  checkTexts,
];
const complaints = checks
  .flatMap((check) => check(tree))
  .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
for (const { path, line, rule, text } of complaints) console.log(`${path}:${line}  ${rule}  ${text}`);
console.log(complaints.length === 0 ? `tidy: ${tree.files.length} files` : `tidy: ${complaints.length} complaints`);
if (complaints.length > 0) process.exitCode = 1;
