// The script of the page: asks the server for the runs, and shows one of them. All texts are set as text, never as HTML.
const LOOK_MS = 1_000;
const symbols = { done: "✓", running: "▸", failed: "✗", unknown: "?", skipped: "–", stopped: "–", waiting: "·" };

const element = (id) => document.getElementById(id);
const made = (name, text, state) => {
  const one = document.createElement(name);
  one.textContent = text;
  if (state !== undefined) one.dataset.state = state;
  return one;
};

// The token comes behind `#`, so that it is in no request, and leaves the address at once.
const given = /^#token=(\w+)$/.exec(location.hash);
if (given) {
  sessionStorage.setItem("token", given[1]);
  history.replaceState(null, "", location.pathname);
}
const headers = { authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };

async function answerOf(path, options = {}) {
  const answer = await fetch(path, { ...options, headers });
  if (answer.status === 401) throw new Error("The token is missing: open the link that `dottool runs --ui` printed.");
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer;
}

async function ask(path, options) {
  return (await answerOf(path, options)).json();
}

const streams = ["stdout", "stderr"];
const END_BYTES = 1024 * 1024;
let selected;
/** What of each stream has been read. */
let read = {};

function select(id) {
  selected = id;
  answered = "";
  read = {};
  for (const stream of streams) element(stream).textContent = "";
}

function durationText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

function showRuns(runs) {
  const list = element("runs");
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const items = runs.map(({ id, state, tool, startedAt, durationMs }) => {
    const item = known.get(id) ?? document.createElement("li");
    item.dataset.id = id;
    const button = item.firstElementChild ?? item.appendChild(document.createElement("button"));
    button.type = "button";
    button.onclick = () => {
      select(id);
      refresh();
    };
    button.setAttribute("aria-current", String(id === selected));
    const took = durationMs ?? Date.now() - Date.parse(startedAt);
    button.replaceChildren(
      made("span", tool),
      made("span", state, state),
      made("small", `${new Date(startedAt).toLocaleString()}, ${durationText(took)}`),
    );
    return item;
  });
  // A button that is moved loses the focus.
  if (items.some((item, index) => list.children[index] !== item) || list.children.length !== items.length)
    list.replaceChildren(...items);
}

function showRun(run) {
  element("run").hidden = false;
  element("call").textContent = run.call;
  const facts = {
    run: run.id,
    state: run.state,
    folder: run.cwd,
    started: new Date(run.startedAt).toLocaleString(),
    ...(run.durationMs === undefined ? {} : { took: durationText(run.durationMs) }),
    ...(run.exitCode === undefined ? {} : { "exit code": String(run.exitCode) }),
    ...(run.message === undefined ? {} : { message: run.message }),
  };
  element("facts").replaceChildren(
    ...Object.entries(facts).flatMap(([name, text]) => [
      made("dt", name),
      made("dd", text, name === "state" ? text : undefined),
    ]),
  );
  element("cancel").hidden = run.state !== "running";
  element("resume").hidden = ["running", "done"].includes(run.state) || run.steps.length === 0 || run.isServed === true;
  element("steps-title").hidden = run.steps.length === 0;
  const ends = new Map(run.steps.map(({ name, endedAt }) => [name, endedAt]));
  element("steps").replaceChildren(
    ...run.steps.map(({ name, after, state, endedAt, items }) => {
      const begun = Math.max(...[run.startedAt, ...after.map((one) => ends.get(one) ?? run.startedAt)].map(Date.parse));
      const item = document.createElement("li");
      const took = endedAt === undefined ? "" : `, ${durationText(Date.parse(endedAt) - begun)}`;
      const words = `${state}${took}${items === undefined ? "" : `, ${items} items`}${after.length === 0 ? "" : `, after ${after.join(", ")}`}`;
      item.append(made("span", symbols[state], state), made("span", name), made("small", words));
      return item;
    }),
  );
}

/** Shows what has come since; of a long output only the end. */
async function showOutput(run) {
  for (const stream of streams) {
    const { sizeBytes } = run[stream];
    read[stream] ??= { from: Math.max(0, sizeBytes - END_BYTES), decoder: new TextDecoder() };
    const { from, decoder } = read[stream];
    if (sizeBytes <= from) continue;
    const answer = await answerOf(`/runs/${run.id}/output?stream=${stream}&from=${from}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (run.id !== selected || read[stream]?.from !== from) return;
    read[stream] = { from: from + bytes.length, decoder };
    const place = element(stream);
    const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 4;
    place.append(decoder.decode(bytes, { stream: true }));
    if (isAtEnd) place.scrollTop = place.scrollHeight;
  }
}

async function refresh() {
  try {
    const { runs } = await ask("/runs");
    if (!runs.some(({ id }) => id === selected)) select(runs[0]?.id);
    showRuns(runs);
    element("notice").textContent = runs.length === 0 ? "There are no runs." : answered;
    const id = selected;
    if (id === undefined) return;
    const run = await ask(`/runs/${id}`);
    if (id !== selected) return;
    showRun(run);
    await showOutput(run);
  } catch (error) {
    element("notice").textContent = error instanceof TypeError ? "The server has ended." : error.message;
  }
}

/** What a button was answered stays until the next one. */
let answered = "";

for (const action of ["cancel", "resume"])
  element(action).onclick = async () => {
    try {
      answered = "";
      await ask(`/runs/${selected}/${action}`, { method: "POST" });
    } catch (error) {
      answered = error.message;
    }
    await refresh();
  };

// The arrows go from run to run.
element("runs").onkeydown = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const item = event.target.closest("li");
  const next = step === 1 ? item?.nextElementSibling : step === -1 ? item?.previousElementSibling : undefined;
  if (!next) return;
  event.preventDefault();
  next.firstElementChild.focus();
  next.firstElementChild.click();
};

async function look() {
  await refresh();
  setTimeout(look, LOOK_MS);
}
look();
