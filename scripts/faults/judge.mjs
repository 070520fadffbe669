// The outcome of a run with a fault: success, clean failure, or one that must not occur.

import { answersIn } from "./talk.mjs";

export const outcomes = ["success", "clean", "silent", "bug", "hang"];

/**
 * Judges a run. `run` is the result of tracedRun; `now`, `before` and `after` are files by path: as they are, as they
 * were, and as a run without a fault leaves them. With `scenario.answers`, the run must print the same as one without a
 * fault, or fail.
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
    tornText(now, run.exitCode === 0 && fault.call !== "unlink" ? undefined : fault) ??
    halfText({ now: withoutTold(now, `${run.stdout}${told}`), before, after });
  if (torn !== undefined) return { outcome: "silent", reason: torn };
  if (scenario.serves) return judgeServer(run, plain);
  const isSame = plainText(run.stdout) === plainText(plain.stdout);
  if (run.exitCode !== 0) {
    // The command prints this without a fault too.
    if (run.exitCode === plain.exitCode && isSame) return { outcome: "success" };
    if (told === "") return { outcome: "silent", reason: `exit code ${run.exitCode} without a word` };
    return NAMES.test(told) ? { outcome: "clean" } : { outcome: "silent", reason: "the failure names nothing" };
  }
  if (plain.exitCode !== 0)
    return { outcome: "silent", reason: `exit code 0, and ${plain.exitCode} without the fault` };
  const changed = differenceText(withoutTold(now, `${run.stdout}${told}`), after);
  // A reply for a model names the failure in its text.
  const isFailedResult = /failed\[\w+/.test(run.stdout) && NAMES.test(run.stdout);
  const lost = lostConversation(now, after);
  // A model that got a failure may have tried again.
  if (lost !== undefined && !isFailedResult && !NAMES.test(told)) return { outcome: "silent", reason: lost };
  if (changed !== undefined)
    return isFailedResult ? { outcome: "clean" } : { outcome: "silent", reason: `exit code 0, but ${changed}` };
  if (!scenario.answers || isSame) return { outcome: "success" };
  if (TOLD_IN_ANSWER.test(run.stdout) && !TOLD_IN_ANSWER.test(plain.stdout)) return { outcome: "clean" };
  if (isFailedResult || (scenario.mayWarn && /(warning|error|failed)\[/.test(told))) return { outcome: "clean" };
  return { outcome: "silent", reason: `exit code 0 and another answer: ${JSON.stringify(run.stdout.slice(0, 200))}` };
}

const NAMES = /`[^`]+`|\bE[A-Z]{2,}\b|\//;

/**
 * Answers that mention a loss: a list ends with the tools that cannot be read, a search says how many files it could
 * not read, and a cut result says that the rest could not be stored.
 */
const TOLD_IN_ANSWER = /c(?:an|ould) ?not be (?:read|written)/;

/** Judges a server. The first call may fail, and the second must be answered as without a fault. */
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

/** Returns the messages that a run without a fault does not print. */
function toldText(run, plain) {
  const known = new Set(`${plain.stderr}${plain.stdout}`.split("\n"));
  return `${run.stderr}${run.exitCode === 0 ? "" : run.stdout}`
    .split("\n")
    .filter((line) => line.trim() !== "" && !known.has(line))
    .join("\n");
}

/** Returns the text without times, durations and random names. */
export function plainText(text) {
  return (
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/\d{8}-\d{6}(-[0-9a-f]{4}\b)?/g, "DATE")
      // Whoever writes a file may say in it which process it is, as far as the system tells.
      .replaceAll(/"processId":\d+(,"(start|boot|namespace)":"[^"]*")*/g, "PROCESS")
      .replaceAll(/(dottool-file \S+ \d+) \d+/g, "$1 LENGTH")
      .replaceAll(/[0-9a-f]{8,}/g, "HASH")
      .replaceAll(/\b[\d.]+ ?m?s\b/g, "DURATION")
      .replaceAll(/\d{10,}(\.\d+)?/g, "N")
  );
}

/**
 * Returns a torn file, if any. `fault` tells whether the command failed with a reason, or a temporary file could not be
 * removed, which may then stay.
 */
function tornText(now, fault) {
  for (const [path, text] of now) {
    if (/(audit.*|\/agents\/[^/]*)\.jsonl$/.test(path)) {
      const lines = text.split("\n");
      if (lines.pop() !== "" || lines.some((line) => !isJson(line))) return `a torn line in ${path}`;
    }
    // A lock that names its holder is taken over once that has ended.
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

/** Leaves out a folder that could not be removed if the output names it. */
function withoutTold(files, said) {
  return new Map([...files].filter(([path]) => !(path.startsWith("tmp/") && said.includes(path.split("/")[1]))));
}

/** Returns a file that is neither as it was nor as it should be. */
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

/** Returns a conversation that has ended well but is not stored to its end. */
function lostConversation(now, after) {
  const kinds = (files) =>
    [...files]
      .filter(([path]) => /\/agents\/[^/]*\.jsonl$/.test(path))
      .map(([, text]) => text.match(/(?<=^\{"kind":")\w+/gm)?.join(" "));
  const [is, should] = [kinds(now).join(), kinds(after).join()];
  return is === should ? undefined : `the conversation holds \`${is}\` instead of \`${should}\``;
}

function differenceText(now, after) {
  const [is, should] = [states(now), states(after)];
  for (const path of new Set([...is.keys(), ...should.keys()]))
    if (is.get(path) !== should.get(path))
      return `${path} is ${is.has(path) ? (should.has(path) ? "different" : "there") : "missing"}`;
  return undefined;
}

/** Returns the files that count: no caches and no logs. */
function states(files) {
  return new Map(
    [...files]
      .filter(
        ([path]) =>
          !/\.cache\/|audit|\/agents\/|\/locks\/|\.lock$|\.dottool-[^/]*\.tmp$|state\/dottool\/rules\.json$/.test(path),
      )
      .map(([path, text]) => [plainText(path), plainText(text)]),
  );
}
