// Elements of the page. All texts are set as text, never as HTML.
export const element = (id) => document.getElementById(id);

export function made(name, text, state) {
  const one = document.createElement(name);
  if (text !== undefined) one.textContent = text;
  if (state !== undefined) one.dataset.state = state;
  return one;
}

/** Fills a list of names and texts; a text may be an element. */
export function fillFacts(list, rows) {
  list.replaceChildren(
    ...rows.flatMap(([name, text]) => {
      const value = made("dd");
      value.append(text);
      return [made("dt", name), value];
    }),
  );
}

export function durationText(ms) {
  const seconds = Math.max(0, ms) / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/**
 * Shows items in a list, each a button or a link made by `fill`, which gets the old one. A list that is the same keeps
 * its elements, because one that is moved loses the focus.
 */
export function showItems(list, items, fill) {
  const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
  const shown = items.map((value) => {
    const item = known.get(value.id) ?? made("li");
    item.dataset.id = value.id;
    fill(item.firstElementChild ?? item.appendChild(document.createElement("a")), value);
    return item;
  });
  if (shown.length !== list.children.length || shown.some((item, index) => list.children[index] !== item))
    list.replaceChildren(...shown);
}
