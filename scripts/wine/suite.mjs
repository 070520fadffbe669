// A part of the test suite under Wine, from its sources, by the Node of Windows: what reads and writes files, paths and
// commands, and needs few programs of Unix. test/wine-known.yaml lists the tests that fail there, by reason. A failure that is not listed fails the run, and so does a listed test that
// passes.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { parse } from "yaml";
import { repository, wine } from "../../test/packaged/debian.ts";
import { baseFor } from "../package/bases.mjs";

const FILES = [
  ...["bind", "decode", "edit-file", "find-files", "list-dir", "process-environment", "quote", "read-file"].map(inBase),
  ...["search-text", "write-file"].map(inBase),
  "bundle/collect-files",
  "catalog/",
  ...["dialects", "replies", "strict", "text"].map((name) => `dialects/${name}`),
  ...["analyze", "command-windows", "condition", "direct-words", "fix.test", "format.test", "grammar"].map(inLanguage),
  ...["command.", "near-names", "parse", "plain-values", "quoted-lines", "template", "yaml"].map(inLanguage),
  "packages/attacks",
  "packages/secrets-inside",
  "plugins/load",
  "policy/config",
  "policy/fingerprints",
  "schema/",
  "text/",
  "tool/checked-file",
  "tool/lock-file",
];
const SUITE_MS_MAX = 30 * 60_000;
const FAILURE = /^ {3}FAIL {2}(.+?) {2}"(.*)"$/gm;

/** Returns how many tests passed, or failed as expected, and how many did not. `filters` are parts of paths. */
export async function runSuite(filters) {
  const node = relative(repository, await baseFor("win-x64"));
  const { stdout, stderr, exitCode } = wine(
    node,
    ["test/run.ts", "--sources", ...(filters.length > 0 ? filters : FILES)],
    { timeoutMs: SUITE_MS_MAX },
  );
  const closing = /^(\d+) passed, (\d+) failed/m.exec(stdout);
  const failures = [...stdout.matchAll(FAILURE)].map(([, suite, name]) => `${suite}: ${name}`);
  if (!closing || failures.length !== Number(closing[2]))
    throw new Error(`the suite ended with ${exitCode} under Wine, and not as it should\n${stdout}${stderr}`);
  const known = new Set(knownFailures());
  const unlisted = failures.filter((one) => !known.has(one));
  // Of some files, not every listed test has run.
  const repaired = filters.length > 0 ? [] : [...known].filter((one) => !failures.includes(one));
  if (unlisted.length > 0) console.log(stdout);
  for (const one of unlisted) console.log(`fails under Wine, and is not in test/wine-known.yaml: ${one}`);
  for (const one of repaired) console.log(`passes under Wine, so take it out of test/wine-known.yaml: ${one}`);
  const failed = unlisted.length + repaired.length;
  return { passed: Number(closing[1]) + failures.length - unlisted.length - repaired.length, failed };
}

function inBase(name) {
  return `base/${name}`;
}

function inLanguage(name) {
  return `language/${name}`;
}

function knownFailures() {
  const rows = parse(readFileSync(`${repository}/test/wine-known.yaml`, "utf8"));
  const all = rows.flatMap(({ reason, tests }) => {
    if (!reason) throw new Error("test/wine-known.yaml: a row has no `reason`");
    return Object.entries(tests).flatMap(([suite, names]) => names.map((name) => `${suite}: ${name}`));
  });
  const twice = all.find((one, index) => all.indexOf(one) !== index);
  if (twice !== undefined) throw new Error(`test/wine-known.yaml: \`${twice}\` is listed twice`);
  return all;
}
