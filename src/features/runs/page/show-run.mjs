// One run: its facts, its steps, its output as it comes, and the buttons that cancel it or let it go on.
import { ask, bytesOf, isApp, messageOf } from "./connection.mjs";
import { durationText, element, fillFacts, made } from "./elements.mjs";
import { showGraph } from "./graph.mjs";

const streams = ["stdout", "stderr"];
const END_BYTES = 1024 * 1024;
/** In one look: what is behind for longer waits for the next one. */
const PIECES_MAX = 8;
/** A browser becomes slow with more. */
const SHOWN_CHARACTERS_MAX = 2 * END_BYTES;

let selected;
let chosen;
/** The failed step that was chosen by itself, once. */
let failed;
/** Whose output is shown: the run, the step and its state. */
let outputOf;
let shown;
/** What of each stream has been read. */
let read = {};
/** What a button was answered stays until the next one. */
let answered = "";

export function selectRun(id) {
  if (id === selected) return;
  [selected, chosen, failed, shown, answered, read] = [id, undefined, undefined, undefined, "", {}];
  for (const stream of streams) element(stream).textContent = "";
  element("accept").hidden = true;
  element("secrets").replaceChildren();
}

/** Returns what there is to say about the last button. */
export async function showRun() {
  const id = selected;
  const run = await ask(`/runs/${id}`);
  if (id !== selected) return answered;
  shown = run;
  if (failed !== run.failedStep) {
    failed = run.failedStep;
    chosen ??= failed;
  }
  show(run);
  await showStepOutput();
  await showOutput(run);
  return answered;
}

function show(run) {
  element("run").hidden = false;
  element("call").textContent = run.call;
  const rows = [
    ["run", run.id],
    ["state", made("span", run.state, run.state)],
    ["folder", run.cwd],
    ["started", new Date(run.startedAt).toLocaleString()],
    ["took", run.durationMs === undefined ? undefined : durationText(run.durationMs)],
    ["exit code", run.exitCode === undefined ? undefined : String(run.exitCode)],
    ["message", run.message],
  ];
  fillFacts(
    element("facts"),
    rows.filter(([, text]) => text !== undefined),
  );
  // A call goes on with the approvals of the person at the terminal, who is not the client's.
  const canGoOn = !isApp && !["running", "done"].includes(run.state) && run.steps.length > 0 && run.isServed !== true;
  element("cancel").hidden = run.state !== "running";
  element("resume").hidden = !canGoOn;
  element("accept").hidden ||= !canGoOn;
  element("again").href = `#tools/${encodeURIComponent(run.tool)}?run=${run.id}`;
  showSecrets(canGoOn ? (run.secrets ?? []) : []);
  element("steps-title").hidden = element("graph").hidden = run.steps.length === 0;
  if (run.steps.length > 0) {
    const changed = showGraph(run, { chosen, onChoose: choose });
    if (changed.length > 0)
      element("news").textContent = changed.map(({ name, state }) => `${name}: ${state}`).join(", ");
  }
  showStep(canGoOn);
}

function choose(name) {
  chosen = chosen === name ? undefined : name;
  show(shown);
  // The next look says what is wrong.
  showStepOutput().catch(() => undefined);
}

async function showStepOutput() {
  const step = shown.steps.find(({ name }) => name === chosen);
  const next = JSON.stringify([selected, step]);
  if (!step || (next === outputOf && step.state !== "running")) return;
  const place = element("step-output");
  if (place.dataset.step !== `${selected} ${step.name}`) place.textContent = "";
  place.dataset.step = `${selected} ${step.name}`;
  const { output, bytesBefore } = await ask(`/runs/${selected}/output?step=${encodeURIComponent(step.name)}`);
  if (next !== JSON.stringify([selected, shown.steps.find(({ name }) => name === chosen)])) return;
  outputOf = next;
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  if (place.textContent !== (output ?? "")) place.textContent = output ?? "";
  if (isAtEnd) place.scrollTop = place.scrollHeight;
  element("step-note").textContent =
    output === undefined
      ? "No output of it is stored."
      : bytesBefore > 0
        ? `Only the end is shown here: dottool runs show ${selected} ${step.name} prints more.`
        : "";
}

function showStep(canGoOn) {
  const step = shown.steps.find(({ name }) => name === chosen);
  element("step").hidden = !step;
  element("resume-from").hidden = !canGoOn;
  if (!step) return;
  const rows = [
    ["step", step.name],
    ["state", made("span", step.state, step.state)],
    ["waits for", step.after.length === 0 ? "nothing" : step.after.join(", ")],
    ["ended", step.endedAt === undefined ? undefined : new Date(step.endedAt).toLocaleString()],
    ["items", step.items === undefined ? undefined : String(step.items)],
    [
      "note",
      step.state === "unknown"
        ? "It must not run twice, and may have run. Find out, then go on from it or from the step behind it."
        : undefined,
    ],
  ];
  fillFacts(
    element("step-facts"),
    rows.filter(([, text]) => text !== undefined),
  );
}

/** Secrets are not stored, so they are given again. */
function showSecrets(names) {
  const place = element("secrets");
  const inputs = [...place.querySelectorAll("input")].map((input) => input.name);
  if (JSON.stringify(inputs) === JSON.stringify(names)) return;
  place.replaceChildren(
    ...names.map((name) => {
      const label = made("label", `${name}, which is not stored: `);
      const input = made("input");
      Object.assign(input, { type: "password", name, autocomplete: "off" });
      label.append(input);
      return label;
    }),
  );
}

/** Shows what has come since; of a long output only the end. */
async function showOutput(run) {
  for (const stream of streams) {
    const { sizeBytes } = run[stream];
    read[stream] ??= { from: Math.max(0, sizeBytes - END_BYTES), decoder: new TextDecoder() };
    for (let pieces = 0; pieces < PIECES_MAX && read[stream]?.from < sizeBytes; pieces++)
      if (!(await showPiece(run.id, stream))) return;
  }
  element("stderr-title").hidden = run.stderr.sizeBytes === 0;
  element("no-output").textContent = aboutOutput(run);
}

function aboutOutput(run) {
  if (streams.some((stream) => run[stream].sizeBytes > END_BYTES))
    return `Only the end of a long output is shown here: dottool runs follow ${run.id} prints all of it.`;
  if (streams.some((stream) => run[stream].sizeBytes > 0)) return "";
  return run.state === "running"
    ? "There is none yet."
    : "There is none. The output of a call that was not detached is not stored.";
}

/** Returns false if another run is shown by now. */
async function showPiece(id, stream) {
  const { from, decoder } = read[stream];
  const bytes = await bytesOf(`/runs/${id}/output?stream=${stream}&from=${from}`);
  if (id !== selected || read[stream]?.from !== from) return false;
  read[stream] = { from: from + bytes.length, decoder };
  const place = element(stream);
  const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
  place.append(decoder.decode(bytes, { stream: true }));
  place.normalize();
  const { length } = place.textContent;
  if (length > SHOWN_CHARACTERS_MAX) place.textContent = place.textContent.slice(length - SHOWN_CHARACTERS_MAX / 2);
  if (isAtEnd) place.scrollTop = place.scrollHeight;
  return bytes.length > 0;
}

/** Calls `onDone` after each answer. */
export function listenToButtons(onDone) {
  const act = async (action, body) => {
    const id = selected;
    element("accept").hidden = true;
    try {
      answered = "";
      await ask(`/runs/${id}/${action}`, { method: "POST", ...(body ? { body } : {}) });
    } catch (error) {
      if (id !== selected) return;
      answered = messageOf(error);
      element("accept").hidden = error.answer?.isChanged !== true;
    }
    await onDone();
  };
  let from;
  const goOn = (step, accepts) => {
    from = step;
    const inputs = [...element("secrets").querySelectorAll("input")];
    const secrets = Object.fromEntries(
      inputs.filter(({ value }) => value !== "").map(({ name, value }) => [name, value]),
    );
    return act("resume", { secrets, accepts, ...(step === undefined ? {} : { from: step }) });
  };
  element("cancel").onclick = () => act("cancel");
  element("resume").onclick = () => goOn(undefined, false);
  element("resume-from").onclick = () => goOn(chosen, false);
  element("accept").onclick = () => goOn(from, true);
}
