// What is shown: `#runs/ID`, `#tools/NAME`. Over HTTP it is a part of the address; the frame of an app has none of its
// own, where a link would lead to the client's page.
import { isApp } from "./connection.mjs";

let shown = isApp ? "" : location.hash;
let onChange = () => undefined;

export function placeNow() {
  const [, view = "runs", name, run] = /^#(runs|tools)(?:\/([^?]*))?(?:\?run=([\w-]+))?$/.exec(shown) ?? [];
  return { view, name: name === undefined ? undefined : decodeURIComponent(name), run };
}

export function goTo(place) {
  if (!isApp) location.hash = place;
  else if (place !== shown) change(place);
}

export function onRoute(listener) {
  onChange = listener;
}

function change(place) {
  shown = place;
  onChange();
}

if (isApp)
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    event.preventDefault();
    goTo(link.getAttribute("href"));
  });
else addEventListener("hashchange", () => change(location.hash));
