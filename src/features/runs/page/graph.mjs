// The steps of a run, drawn: a box for each, in rows by what it waits for, and arrows between them. The boxes are
// buttons; the arrows are drawn behind them, and read aloud as "after …".
import { durationText, element, made } from "./elements.mjs";

const symbols = { done: "✓", running: "▸", failed: "✗", unknown: "?", skipped: "–", stopped: "–", waiting: "·" };
const svg = element("arrows");

let shape = "";
/** The boxes by the names of their steps. */
let boxes = new Map();
let drawn = [];

/** `onChoose` gets the name of a step. */
export function showGraph(run, { chosen, onChoose }) {
  const { steps } = run;
  const place = element("graph");
  const next = JSON.stringify([run.id, steps.map(({ name, after }) => [name, after])]);
  if (next !== shape) {
    shape = next;
    drawn = steps;
    boxes = new Map(steps.map(({ name }) => [name, boxOf(name, onChoose)]));
    const rows = rowsOf(steps).map((names) => {
      const row = made("ul");
      for (const name of names) {
        const item = made("li");
        item.append(boxes.get(name));
        row.append(item);
      }
      return row;
    });
    place.replaceChildren(svg, ...rows);
  }
  const ends = new Map(steps.map(({ name, endedAt }) => [name, endedAt]));
  const changed = steps.filter((step) => fillBox(boxes.get(step.name), step, { run, ends, chosen }));
  draw();
  return changed;
}

function boxOf(name, onChoose) {
  const box = made("button");
  box.type = "button";
  box.onclick = () => onChoose(name);
  const symbol = made("span");
  symbol.setAttribute("aria-hidden", "true");
  box.append(symbol, made("b", name), made("small"));
  return box;
}

/** Returns whether its state has changed since it was last shown. */
function fillBox(box, { name, after, state, endedAt, items }, { run, ends, chosen }) {
  const begun = Math.max(...[run.startedAt, ...after.map((one) => ends.get(one) ?? run.startedAt)].map(Date.parse));
  const took = endedAt === undefined ? "" : `, ${durationText(Date.parse(endedAt) - begun)}`;
  const shown = state === "waiting" && run.state !== "running" ? "not run" : state;
  const words = `${shown}${took}${items === undefined ? "" : `, ${items} items`}`;
  const [symbol, , small] = box.children;
  const was = box.dataset.state;
  symbol.textContent = symbols[state];
  small.textContent = words;
  box.dataset.state = state;
  box.setAttribute("aria-pressed", String(name === chosen));
  box.setAttribute("aria-label", `${name}: ${words}${after.length === 0 ? "" : `, after ${after.join(", ")}`}`);
  return was !== undefined && was !== state;
}

/** Each row has the steps whose longest way from a first step is equally long. */
function rowsOf(steps) {
  const depths = new Map();
  const byName = new Map(steps.map((step) => [step.name, step]));
  const depthOf = (name) => {
    if (!depths.has(name)) {
      depths.set(name, 0);
      const after = byName.get(name)?.after ?? [];
      depths.set(name, after.length === 0 ? 0 : 1 + Math.max(...after.map(depthOf)));
    }
    return depths.get(name);
  };
  const rows = [];
  for (const { name } of steps) (rows[depthOf(name)] ??= []).push(name);
  return rows.filter(Boolean);
}

/** Draws the arrows where the boxes are now. */
function draw() {
  const { scrollWidth, scrollHeight } = element("graph");
  svg.setAttribute("width", scrollWidth);
  svg.setAttribute("height", scrollHeight);
  const lines = drawn.flatMap(({ name, after }) => after.map((one) => arrow(boxes.get(one), boxes.get(name))));
  svg.replaceChildren(...lines.filter(Boolean));
}

function arrow(from, to) {
  if (!from || !to) return undefined;
  const [x1, y1] = [from.offsetLeft + from.offsetWidth / 2, from.offsetTop + from.offsetHeight];
  const [x2, y2] = [to.offsetLeft + to.offsetWidth / 2, to.offsetTop];
  const bend = (y2 - y1) / 2;
  const path = document.createElementNS(svg.namespaceURI, "path");
  path.setAttribute(
    "d",
    `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 2}M${x2 - 4} ${y2 - 7}L${x2} ${y2 - 1}L${x2 + 4} ${y2 - 7}`,
  );
  path.dataset.state = from.dataset.state;
  return path;
}

new ResizeObserver(draw).observe(element("graph"));

// The arrow keys go from box to box: left and right in a row, up and down between rows.
element("graph").onkeydown = (event) => {
  const { key, target } = event;
  const item = target.closest("li");
  const row = item?.parentElement;
  const next = {
    ArrowRight: item?.nextElementSibling,
    ArrowLeft: item?.previousElementSibling,
    ArrowDown: row?.nextElementSibling?.firstElementChild,
    ArrowUp: row?.previousElementSibling?.firstElementChild,
  }[key];
  if (next?.localName !== "li") return;
  event.preventDefault();
  next.firstElementChild.focus();
};
