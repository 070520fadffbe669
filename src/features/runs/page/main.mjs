// The page: asks the program once a second for the runs, and shows one of them, or the form of a tool.
import { ask, messageOf } from "./connection.mjs";
import { durationText, element, made, showItems } from "./elements.mjs";
import { onRoute, placeNow } from "./route.mjs";
import { listenToButtons, selectRun, showRun } from "./show-run.mjs";
import { forgetTool, showTool } from "./show-tool.mjs";

const LOOK_MS = 1_000;

let place = placeNow();
let tools;

function showSide(name) {
  element("side").setAttribute("aria-label", name);
  element("filter").hidden = name !== "Tools";
  for (const link of document.querySelectorAll("header a"))
    link.setAttribute("aria-current", link.textContent === name ? "page" : "false");
}

function fillItem(link, { href, isCurrent, parts }) {
  link.href = href;
  link.setAttribute("aria-current", String(isCurrent));
  link.replaceChildren(...parts);
}

async function showRuns() {
  const { runs, more } = await ask("/runs");
  if (place.view !== "runs") return;
  const id = runs.some((run) => run.id === place.name) ? place.name : (place.name ?? runs[0]?.id);
  showItems(element("list"), runs, (link, run) =>
    fillItem(link, {
      href: `#runs/${run.id}`,
      isCurrent: run.id === id,
      parts: [
        made("span", run.tool),
        made("span", run.state, run.state),
        // What tells it from other runs of the tool.
        made("small", run.call.slice(`dottool ${run.tool}`.length).trim()),
        made(
          "small",
          `${new Date(run.startedAt).toLocaleString()}, ${durationText(run.durationMs ?? Date.now() - Date.parse(run.startedAt))}`,
        ),
      ],
    }),
  );
  element("more").hidden = more === 0;
  element("more").textContent = `and ${more} older runs`;
  if (id === undefined) {
    const tools = made("a", "Start a tool");
    tools.href = "#tools";
    showNothing(
      "There are no runs yet. ",
      tools,
      ", or call one at a terminal: ",
      made("code", "dottool --detach NAME"),
    );
    return "";
  }
  selectRun(id);
  element("nothing").hidden = true;
  return showRun();
}

async function showTools() {
  tools ??= (await ask("/tools")).tools;
  if (place.view !== "tools") return;
  const words = element("filter").value.toLowerCase().split(/\s+/);
  const found = tools.filter(({ name, title, summary }) =>
    words.every((word) => `${name} ${title} ${summary}`.toLowerCase().includes(word)),
  );
  showItems(
    element("list"),
    found.map((tool) => ({ ...tool, id: tool.name })),
    (link, { name, origin, summary, isTrusted, unavailable }) =>
      fillItem(link, {
        href: `#tools/${encodeURIComponent(name)}`,
        isCurrent: name === place.name,
        parts: [
          made("span", name),
          made("span", isTrusted === false ? "not trusted" : unavailable.length > 0 ? "not available" : origin),
          made("small", summary),
        ],
      }),
  );
  element("more").hidden = found.length > 0;
  element("more").textContent = "No tool matches.";
  if (place.name === undefined) showNothing("Choose a tool.");
  else await showTool(place.name, place.run);
  return "";
}

function showNothing(...parts) {
  element("run").hidden = true;
  element("tool").hidden = true;
  element("nothing").hidden = false;
  element("nothing").firstElementChild.replaceChildren(...parts);
}

async function refresh() {
  try {
    showSide(place.view === "runs" ? "Runs" : "Tools");
    const said = await (place.view === "runs" ? showRuns() : showTools());
    if (said !== undefined) element("notice").textContent = said;
  } catch (error) {
    element("notice").textContent = messageOf(error);
  }
}

listenToButtons(refresh);
element("filter").oninput = refresh;

onRoute(() => {
  const was = place;
  place = placeNow();
  if (place.view !== was.view) {
    tools = undefined;
    element("list").replaceChildren();
  }
  for (const id of ["run", "tool", "nothing"]) element(id).hidden = true;
  if (place.view === "runs") forgetTool();
  refresh();
});

// The arrows go from item to item.
element("list").onkeydown = (event) => {
  const item = event.target.closest("li");
  const next = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();
  next.firstElementChild.focus();
  if (place.view === "runs") next.firstElementChild.click();
};

async function look() {
  if (place.view === "runs") await refresh();
  setTimeout(look, LOOK_MS);
}
refresh().then(() => setTimeout(look, LOOK_MS));
