// One tool: its form, and the question whether its call may run.
import { ask, callTool, isApp, messageOf } from "./connection.mjs";
import { element, fillFacts, made } from "./elements.mjs";
import { fieldFor } from "./fields.mjs";
import { goTo } from "./route.mjs";

let shown;
let fields = [];

/** `run` is the id of a run whose arguments are filled in. */
export async function showTool(name, run) {
  if (shown === `${name} ${run}`) return;
  const tool = await ask(`/tools/${encodeURIComponent(name)}`);
  const earlier = run === undefined ? undefined : (await ask(`/runs/${run}`)).arguments;
  shown = `${name} ${run}`;
  element("tool-title").textContent = tool.title === name ? name : `${tool.title} (${name})`;
  element("about").textContent = tool.description;
  fillFacts(element("tool-facts"), [
    ["effects", tool.effects.length === 0 ? "unknown" : tool.effects.join(", ")],
    ["runs in", tool.folder],
  ]);
  const { properties = {}, required = [] } = tool.schema;
  fields = Object.entries(properties).map(([one, schema]) =>
    fieldFor(one, schema, {
      isRequired: required.includes(one),
      isPath: tool.paths.includes(one),
      files: completePaths,
    }),
  );
  element("fields").replaceChildren(
    ...fields.map(({ place }) => place),
    ...(fields.length === 0 ? [made("p", "It takes no values.")] : []),
  );
  for (const field of fields)
    if (earlier?.[field.name] !== undefined && properties[field.name].writeOnly !== true)
      field.setValue(earlier[field.name]);
  say("");
  element("tool").hidden = false;
  element("tool-title").focus();
}

export function forgetTool() {
  shown = undefined;
}

/** Offers the files of the folder that the path names so far. */
function completePaths(input) {
  const list = made("datalist");
  list.id = `${input.id}-files`;
  input.setAttribute("list", list.id);
  document.body.append(list);
  let folder;
  const look = async () => {
    const named = input.value.slice(0, input.value.lastIndexOf("/") + 1);
    if (named === folder) return;
    folder = named;
    const { names } = await ask(`/files?folder=${encodeURIComponent(named)}`).catch(() => ({ names: [] }));
    if (named === folder) list.replaceChildren(...names.map((name) => new Option(name, named + name)));
  };
  input.onfocus = look;
  input.oninput = look;
}

function say(text) {
  element("result").hidden = true;
  element("trouble").textContent = text;
  for (const { showIssue } of fields) showIssue("");
}

/** Returns undefined if a field cannot be read, which says why. */
function valuesOf() {
  const values = {};
  let bad;
  for (const field of fields) {
    try {
      const value = field.value();
      if (value !== undefined) values[field.name] = value;
    } catch (error) {
      field.showIssue(error.message);
      bad ??= field;
    }
  }
  bad?.focus();
  return bad ? undefined : values;
}

/** Shows each issue at its field, and the others below the form. */
function showIssues({ message, issues }, values) {
  const rest = [];
  let first;
  for (const { path, message: text } of issues) {
    const name = /^[^.[]*/.exec(path)[0];
    const field = fields.find((one) => one.name === name);
    const isMissing = field?.isRequired === true && values[name] === undefined;
    const words = isMissing ? "This value is required." : path === name ? text : `${path}: ${text}`;
    if (field) field.showIssue(words);
    else rest.push(path === "" ? text : `${path}: ${text}`);
    first ??= field;
  }
  element("trouble").textContent = rest.length === 0 ? message : rest.join("\n");
  first?.focus();
}

/** In a client, the call is one of the client: its result is shown here, and the client asks what has to be asked. */
async function callHere(name, values) {
  const { content = [], isError } = await callTool(name, values);
  const text = content.map((block) => block.text ?? `[${block.type}]`).join("\n");
  element("result").textContent = isError ? "" : text;
  element("result").hidden = isError === true;
  element("trouble").textContent = isError ? text : "";
}

async function start(name, values, answer) {
  element("start").disabled = true;
  try {
    if (isApp) return await callHere(name, values);
    const { id } = await ask(`/tools/${encodeURIComponent(name)}`, {
      method: "POST",
      body: { arguments: values, ...(answer ? { answer } : {}) },
    });
    shown = undefined;
    goTo(`#runs/${id}`);
  } catch (error) {
    const { question, issues } = error.answer ?? {};
    if (issues) showIssues(error.answer, values);
    else if (question) askPerson(question, (approval) => start(name, values, { id: question.id, approval }));
    else element("trouble").textContent = messageOf(error);
  } finally {
    element("start").disabled = false;
  }
}

/** Shows the whole call. Closed in any other way than with a yes, it is a no. */
function askPerson({ facts, mayLast }, onYes) {
  fillFacts(element("question-facts"), facts);
  element("always").hidden = !mayLast;
  const dialog = element("question");
  const end = (approval) => () => {
    dialog.onclose = null;
    dialog.close();
    element("start").focus();
    if (approval) onYes(approval);
    else element("trouble").textContent = "You said no, so it was not started.";
  };
  element("no").onclick = end();
  dialog.onclose = end();
  element("once").onclick = end("once");
  element("always").onclick = end("always");
  dialog.showModal();
  element("no").focus();
}

// A form cannot be submitted in the frame of an app, so it is not one to the browser.
element("start").onclick = () => {
  say("");
  const values = valuesOf();
  if (values) start(shown.slice(0, shown.lastIndexOf(" ")), values);
};
element("form").onkeydown = ({ key, target, isComposing }) => {
  if (key === "Enter" && !isComposing && target.localName === "input") element("start").click();
};
element("form").onsubmit = (event) => event.preventDefault();
