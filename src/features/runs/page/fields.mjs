// A field of a form for each property of a JSON Schema, and its value. What a value must be is decided by the program;
// a field only turns what was typed into JSON.
import { made } from "./elements.mjs";

/** Returns `{place, value(), setValue(), showIssue()}`; a value that is undefined is not sent. */
export function fieldFor(name, schema, { isRequired, isPath, files }) {
  const id = `field-${name}`;
  const control = controlFor(schema, { name, id, isRequired, isPath, files });
  const place = made(control.isGroup ? "fieldset" : "div");
  place.className = "field";
  const label = made(control.isGroup ? "legend" : "label", name);
  if (!control.isGroup) label.htmlFor = id;
  const mark = made("small", isRequired ? " required" : "");
  label.append(mark);
  if (control.isBox) label.prepend(control.place, " ");
  const about = made("p", [sentence(schema.description), control.note].filter(Boolean).join(" "));
  about.id = `${id}-about`;
  about.className = "quiet";
  const issue = made("p");
  issue.id = `${id}-issue`;
  issue.className = "issue";
  place.append(label, ...(about.textContent === "" ? [] : [about]), ...(control.isBox ? [] : [control.place]), issue);
  const described = control.isGroup ? place : control.place;
  described.setAttribute("aria-describedby", `${about.id} ${issue.id}`);
  if (isRequired && !control.isGroup) control.place.setAttribute("aria-required", "true");
  const showIssue = (text) => {
    issue.textContent = text;
    if (text === "") control.place.removeAttribute("aria-invalid");
    else control.place.setAttribute("aria-invalid", "true");
  };
  place.oninput = () => showIssue("");
  return {
    name,
    place,
    isRequired,
    value: control.value,
    setValue: control.setValue,
    focus: () => (control.isGroup ? place.querySelector("input, textarea, button") : control.place)?.focus(),
    showIssue,
  };
}

function sentence(text) {
  return text && !/[.!?:]$/.test(text) ? `${text}.` : text;
}

function controlFor(schema, options) {
  if (schema.enum) return choiceControl(schema, options);
  if (schema.type === "boolean") return booleanControl(schema, options);
  if (schema.type === "array" && ["string", "number", "integer"].includes(schema.items?.type))
    return listControl(schema, options);
  if (["string", "number", "integer"].includes(schema.type)) return textControl(schema, options);
  return jsonControl(schema, options);
}

function choiceControl(schema, { id, isRequired }) {
  const select = made("select");
  select.id = id;
  const isGiven = schema.default !== undefined;
  if (!isRequired && !isGiven) select.append(new Option("not given", ""));
  if (isRequired && !isGiven) select.append(new Option("choose one", ""));
  for (const one of schema.enum) select.append(new Option(String(one), JSON.stringify(one)));
  if (isGiven) select.value = JSON.stringify(schema.default);
  return {
    place: select,
    value: () => (select.value === "" ? undefined : JSON.parse(select.value)),
    setValue: (value) => {
      select.value = JSON.stringify(value);
    },
  };
}

function booleanControl(schema, options) {
  if (schema.default === undefined && !options.isRequired)
    return withWords({ ...schema, enum: [true, false] }, options);
  const box = made("input");
  Object.assign(box, { type: "checkbox", id: options.id, checked: schema.default === true });
  return {
    place: box,
    isBox: true,
    value: () => box.checked,
    setValue: (value) => {
      box.checked = value === true;
    },
  };
}

/** A value that need not be given is neither yes nor no. */
function withWords(schema, options) {
  const control = choiceControl(schema, options);
  for (const option of control.place.options)
    option.textContent = { true: "yes", false: "no" }[option.value] ?? option.textContent;
  return control;
}

function textControl(schema, { id, isPath, files }) {
  const isNumber = schema.type !== "string";
  const isLine = isNumber || isPath || schema.writeOnly || schema.format === "uri";
  const input = made(isLine ? "input" : "textarea");
  input.id = id;
  input.autocomplete = "off";
  input.spellcheck = false;
  if (isLine) input.type = schema.writeOnly ? "password" : "text";
  else input.rows = schema.contentMediaType === undefined ? 1 : 4;
  if (isNumber) input.inputMode = "decimal";
  if (schema.default !== undefined) input.placeholder = String(schema.default);
  else if (schema.examples !== undefined) input.placeholder = `for example ${String(schema.examples[0])}`;
  if (isPath) files(input);
  return {
    place: input,
    note: schema.default === undefined ? "" : `Default: ${String(schema.default)}.`,
    value: () => (input.value === "" ? undefined : isNumber ? numberOrText(input.value) : input.value),
    setValue: (value) => {
      input.value = typeof value === "object" ? JSON.stringify(value) : String(value);
    },
  };
}

/** What is not a number is sent as text, so that the program says what is wrong with it. */
function numberOrText(text) {
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}

function listControl({ items, default: fallback }, { name, id }) {
  const place = made("div");
  place.className = "list";
  const add = made("button", "Add a value");
  add.type = "button";
  const inputs = () => [...place.querySelectorAll("input, select")];
  const read = (input) =>
    items.enum ? JSON.parse(input.value) : items.type === "string" ? input.value : numberOrText(input.value);
  const addOne = (value) => {
    const row = made("div");
    const input = items.enum ? made("select") : made("input");
    if (items.enum) for (const one of items.enum) input.append(new Option(String(one), JSON.stringify(one)));
    if (value !== undefined) input.value = items.enum ? JSON.stringify(value) : String(value);
    input.autocomplete = "off";
    input.onkeydown = (event) => {
      if (event.key !== "Enter" || items.enum) return;
      event.preventDefault();
      event.stopPropagation();
      addOne();
    };
    const remove = made("button", "Remove");
    remove.type = "button";
    remove.onclick = () => {
      row.remove();
      number();
      add.focus();
    };
    row.append(input, remove);
    add.before(row);
    number();
    input.focus();
  };
  const number = () =>
    inputs().forEach((input, index) => {
      input.setAttribute("aria-label", `${name}, value ${index + 1}`);
      input.nextElementSibling.setAttribute("aria-label", `Remove value ${index + 1} of ${name}`);
    });
  add.id = id;
  add.setAttribute("aria-label", `Add a value to ${name}`);
  add.onclick = () => addOne();
  place.append(add);
  return {
    isGroup: true,
    place,
    note: fallback === undefined ? "" : `Default: ${JSON.stringify(fallback)}.`,
    value: () => (inputs().length === 0 ? undefined : inputs().map(read)),
    setValue: (value) => {
      for (const row of inputs()) row.parentElement.remove();
      for (const one of Array.isArray(value) ? value : []) addOne(one);
    },
  };
}

function jsonControl(schema, { id, isRequired }) {
  const input = made("textarea");
  Object.assign(input, { id, rows: 4, spellcheck: false, autocomplete: "off" });
  input.placeholder = schema.properties
    ? JSON.stringify(Object.fromEntries(Object.keys(schema.properties).map((name) => [name, "…"])))
    : "";
  const isAny = schema.type === undefined;
  return {
    place: input,
    note: isAny ? "JSON, or plain text." : `JSON: ${{ object: "an object", array: "a list" }[schema.type]}.`,
    value: () => {
      if (input.value.trim() === "") return isRequired && isAny ? input.value : undefined;
      try {
        return JSON.parse(input.value);
      } catch (error) {
        if (isAny) return input.value;
        throw new Error(`not JSON: ${error.message}`);
      }
    },
    setValue: (value) => {
      input.value = isAny && typeof value === "string" ? value : JSON.stringify(value, null, 2);
    },
  };
}
