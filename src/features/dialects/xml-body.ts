// Parses the XML of a call in the text form: elements without attributes, text, CDATA. A bare `&`, and a `<` that does
// not open an element, are text.
import { rowOf } from "../../core/text/row-of.ts";

export interface XmlElement {
  readonly name: string;
  /** The text without surrounding white space, except in CDATA and where there are only blanks. Empty with children. */
  readonly text: string;
  /** Whether a part of it is in CDATA, so that it is text whatever it looks like. */
  readonly isExact?: true;
  readonly children: readonly XmlElement[];
}

interface XmlRead {
  /** The elements as far as they are sound. */
  readonly elements: readonly XmlElement[];
  readonly problem?: string;
}

const ELEMENTS_MAX = 10_000;
const DEPTH_MAX = 64;

/** `text` is everything between `<tool>` and `</tool>`. */
export function readXmlBody(text: string): XmlRead {
  const root = opened("");
  const stack: Open[] = [root];
  let elements = 0;
  const piece = /<!\[CDATA\[|<(\/?)([A-Za-z_][\w.-]*)\s*(\/?)>|<([A-Za-z_][\w.-]*)\s[^<>]*>|<!--/g;
  let textStart = 0;
  for (let found = piece.exec(text); found; found = piece.exec(text)) {
    const [whole, slash, name, selfClosing, withAttributes] = found;
    const top = stack.at(-1) ?? root;
    addText(top, text.slice(textStart, found.index));
    textStart = piece.lastIndex;
    if (whole === "<![CDATA[") {
      const end = text.indexOf("]]>", textStart);
      if (end === -1) return { elements: root.children, problem: "a CDATA section does not end: `]]>` is missing" };
      top.pieces.push({ text: text.slice(textStart, end), isExact: true });
      textStart = piece.lastIndex = end + 3;
    } else if (whole === "<!--")
      return {
        elements: root.children,
        problem: "comments are not allowed in a call; leave `<!--` out, or put the text into CDATA",
      };
    else if (withAttributes !== undefined)
      return {
        elements: root.children,
        problem: `\`<${withAttributes}>\` must not have attributes; a value goes between the tags, and text that holds tags goes into CDATA`,
      };
    else if (slash === "/") {
      if (stack.length === 1 || top.name !== name)
        return { elements: root.children, problem: closingProblem(top.name, name ?? "") };
      stack.pop();
      (stack.at(-1) ?? root).children.push(closed(top));
    } else {
      if (++elements > ELEMENTS_MAX)
        return {
          elements: root.children,
          problem: `there are more than ${ELEMENTS_MAX} elements; send the arguments as JSON`,
        };
      if (stack.length > DEPTH_MAX)
        return {
          elements: root.children,
          problem: `elements are nested deeper than ${DEPTH_MAX} levels; send the arguments as JSON`,
        };
      const element = opened(name ?? "");
      if (selfClosing === "/") top.children.push(closed(element));
      else stack.push(element);
    }
  }
  const last = stack.at(-1) ?? root;
  addText(last, text.slice(textStart));
  if (stack.length > 1)
    return {
      elements: root.children,
      problem: `\`<${last.name}>\` is not closed; text that holds tags goes into CDATA`,
    };
  const stray = closed(root);
  return { elements: root.children, ...(stray.problem === undefined ? {} : { problem: stray.problem }) };
}

interface Open {
  readonly name: string;
  readonly pieces: { readonly text: string; readonly isExact: boolean }[];
  readonly children: (XmlElement & { readonly problem?: string })[];
}

function opened(name: string): Open {
  return { name, pieces: [], children: [] };
}

function closed({ name, pieces, children }: Open): XmlElement & { readonly problem?: string } {
  const first = pieces.findIndex(({ text, isExact }) => isExact || text.trim() !== "");
  const last = pieces.findLastIndex(({ text, isExact }) => isExact || text.trim() !== "");
  const shown = pieces.slice(first === -1 ? pieces.length : first, last + 1).map(({ text, isExact }, index, all) => {
    if (isExact) return text;
    const start = index === 0 ? text.trimStart() : text;
    return decoded(index === all.length - 1 ? start.trimEnd() : start);
  });
  const blanks = pieces.map((piece) => piece.text).join("");
  // A line break is the layout of the call.
  const isBlank = children.length === 0 && /^[ \t]+$/.test(blanks);
  const text = isBlank ? blanks : shown.join("");
  // A value is either text or elements; with both, the meaning is unclear.
  const within = children.find(({ problem }) => problem !== undefined)?.problem;
  const mixed =
    children.length > 0 && text !== ""
      ? `${name === "" ? "the call" : `\`<${name}>\``} has text beside elements; text that holds tags goes into CDATA`
      : undefined;
  const problem = within ?? mixed;
  return {
    name,
    text: children.length > 0 ? "" : text,
    ...(pieces.some(({ isExact }) => isExact) ? { isExact: true } : {}),
    children,
    ...(problem === undefined ? {} : { problem }),
  };
}

function addText(element: Open, text: string): void {
  if (text !== "") element.pieces.push({ text, isExact: false });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes references; other text stays as it is written. */
function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});/g, (whole, name: string) => {
    if (!name.startsWith("#")) return rowOf(entities, name) ?? whole;
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

function closingProblem(open: string, name: string): string {
  return open === ""
    ? `\`</${name}>\` has no opening tag`
    : `\`</${name}>\` is not the expected \`</${open}>\`; text that holds tags goes into CDATA`;
}
