// What is shown: `#runs/ID`, `#tools/NAME`, as a part of the address.

export function placeNow() {
  const [, view = "runs", name, run] = /^#(runs|tools)(?:\/([^?]*))?(?:\?run=([\w-]+))?$/.exec(location.hash) ?? [];
  return { view, name: name === undefined ? undefined : decodeURIComponent(name), run };
}

export function goTo(place) {
  location.hash = place;
}

export function onRoute(listener) {
  addEventListener("hashchange", listener);
}
