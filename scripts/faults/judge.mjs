// What became of a run with a fault: success, clean failure, or one of the outcomes that must not be.

import { answersIn } from "./talk.mjs";

export const outcomes = ["success", "clean", "silent", "bug", "hang"];

/**
 * `run`: what tracedRun gives; `now`, `before`, `after`: files by path, as they are, as they were, and as a run without
 * a fault leaves them. `scenario.answers`: what a run prints must be what one without a fault prints, or it fails.
 */
export function judge({ run, fault, plain, scenario, now, before, after }) {
  if (run.isHung) return { outcome: "hang" };
  if (
    run.exitCode === 70 ||
    run.signalName !== null ||
    /has a bug|^\s+at .*:\d+:\d+|Assertion|FATAL ERROR|Aborted/m.test(run.stderr)
  )
    return { outcome: "bug", reason: run.signalName ?? `exit code ${run.exitCode}` };
  const told = toldText(run, plain);
  const torn =
    tornText(now, run.exitCode === 0 ? undefined : fault) ??
    halfText({ now: withoutTold(now, `${run.stdout}${told}`), before, after });
  if (torn !== undefined) return { outcome: "silent", reason: torn };
  if (scenario.serves) return judgeServer(run, plain);
  const isSame = plainText(run.stdout) === plainText(plain.stdout);
  if (run.exitCode !== 0) {
    // What the command says without a fault too.
    if (run.exitCode === plain.exitCode && isSame) return { outcome: "success" };
    if (told === "") return { outcome: "silent", reason: `exit code ${run.exitCode} without a word` };
    return NAMES.test(told) ? { outcome: "clean" } : { outcome: "silent", reason: "the failure names nothing" };
  }
  if (plain.exitCode !== 0)
    return { outcome: "silent", reason: `exit code 0, and ${plain.exitCode} without the fault` };
  const changed = differenceText(withoutTold(now, `${run.stdout}${told}`), after);
  // A reply for a model says in its text what failed.
  const isFailedResult = /failed\[\w+/.test(run.stdout) && NAMES.test(run.stdout);
  if (changed !== undefined)
    return isFailedResult ? { outcome: "clean" } : { outcome: "silent", reason: `exit code 0, but ${changed}` };
  if (!scenario.answers || isSame) return { outcome: "success" };
  if (TOLD_IN_ANSWER.test(run.stdout) && !TOLD_IN_ANSWER.test(plain.stdout)) return { outcome: "clean" };
  if (isFailedResult || (scenario.mayWarn && /(warning|error|failed)\[/.test(told))) return { outcome: "clean" };
  return { outcome: "silent", reason: `exit code 0 and another answer: ${JSON.stringify(run.stdout.slice(0, 200))}` };
}

const NAMES = /`[^`]+`|\bE[A-Z]{2,}\b|\//;

/**
 * A list of tools has those that cannot be read below it, a search says how many files it could not read, a cut result
 * that the rest could not be kept.
 */
const TOLD_IN_ANSWER = /c(?:an|ould) ?not be (?:read|written)/;

/** The first call may fail, the second is answered as without a fault. */
function judgeServer(run, plain) {
  const [answers, wanted] = [answersIn(run.stdout), answersIn(plain.stdout)];
  const isSame = (id) =>
    plainText(JSON.stringify(answers.get(id) ?? null)) === plainText(JSON.stringify(wanted.get(id)));
  if (!answers.has("hello") && run.exitCode !== 0)
    return NAMES.test(run.stderr)
      ? { outcome: "clean" }
      : { outcome: "silent", reason: "it does not say why it does not start" };
  if (!answers.has("second")) return { outcome: "bug", reason: "the fault ends the server" };
  if (run.exitCode !== plain.exitCode) return { outcome: "bug", reason: `the server ends with ${run.exitCode}` };
  if (!isSame("second") && !isToldIn(answers.get("second")))
    return {
      outcome: "silent",
      reason: `another second answer: ${JSON.stringify(answers.get("second")).slice(0, 200)}`,
    };
  if (isSame("first") && isSame("second")) return { outcome: "success" };
  return isSame("first") || isToldIn(answers.get("first"))
    ? { outcome: "clean" }
    : { outcome: "silent", reason: `another answer: ${JSON.stringify(answers.get("first")).slice(0, 200)}` };
}

function isToldIn(message) {
  const text = JSON.stringify(message);
  return (message.result?.isError === true || message.error !== undefined) && NAMES.test(text);
}

/** What it says beside what it says without a fault. */
function toldText(run, plain) {
  const known = new Set(`${plain.stderr}${plain.stdout}`.split("\n"));
  return `${run.stderr}${run.exitCode === 0 ? "" : run.stdout}`
    .split("\n")
    .filter((line) => line.trim() !== "" && !known.has(line))
    .join("\n");
}

/** Without times, durations and names made of random digits. */
export function plainText(text) {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/[0-9a-f]{8,}/g, "HASH")
    .replaceAll(/\b[\d.]+ ?m?s\b/g, "DURATION")
    .replaceAll(/\d{8}-\d{6}/g, "DATE")
    .replaceAll(/\d{10,}(\.\d+)?/g, "N");
}

/** `fault`: where the command failed, and said why; a temporary file whose own removal was refused may stay then. */
function tornText(now, fault) {
  for (const [path, text] of now) {
    if (/audit.*\.jsonl$/.test(path)) {
      const lines = text.split("\n");
      if (lines.pop() !== "" || lines.some((line) => !isJson(line))) return `a torn line in ${path}`;
    }
    // One that names its holder is taken over once that is gone.
    if (/lock[^/]*$/.test(path) && !isJson(text)) return `a lock is left: ${path} (${text.length} bytes)`;
    if (/\.dottool-[^/]*\.tmp$|~$/.test(path) && !/\.dottool-[^/]*\.tmp$/.test(fault?.place ?? ""))
      return `left behind: ${path.replace(/[0-9a-f]{8,}/, "HASH")}`;
  }
  return undefined;
}

function isJson(line) {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

/** A folder that cannot be removed stays, and is named. */
function withoutTold(files, said) {
  return new Map([...files].filter(([path]) => !(path.startsWith("tmp/") && said.includes(path.split("/")[1]))));
}

/** Each file is as it was or as it should be. */
function halfText({ now, before, after }) {
  for (const [path, text] of states(now)) {
    const wanted = [states(before).get(path), states(after).get(path)];
    if (wanted.includes(text)) continue;
    return `${path} is neither as before nor as after`;
  }
  for (const path of states(before).keys())
    if (!states(now).has(path) && states(after).has(path)) return `${path} is gone`;
  return undefined;
}

function differenceText(now, after) {
  const [is, should] = [states(now), states(after)];
  for (const path of new Set([...is.keys(), ...should.keys()]))
    if (is.get(path) !== should.get(path))
      return `${path} is ${is.has(path) ? (should.has(path) ? "different" : "there") : "missing"}`;
  return undefined;
}

/** What counts: neither caches nor logs. */
function states(files) {
  return new Map(
    [...files]
      .filter(
        ([path]) => !/\.cache\/|audit|\/locks\/|\.lock$|\.dottool-[^/]*\.tmp$|state\/dottool\/rules\.json$/.test(path),
      )
      .map(([path, text]) => [plainText(path), plainText(text)]),
  );
}
