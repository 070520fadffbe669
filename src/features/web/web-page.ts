// An HTML page as Markdown or as plain text: its main content, or all of it if that is almost empty.
import type { ElementNode, Node, TransformPlugin } from "@mdream/js";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";

interface PageOptions {
  readonly format: "markdown" | "text";
  /** The page's address, which makes relative links complete. */
  readonly url: string;
  readonly host: Pick<Host, "runBounded">;
}

/**
 * The limit of a conversion, which takes 0.2 s for each million characters. Only a page made to be slow takes longer.
 */
export const CONVERSION_MS_MAX = 10_000;

/** If the main content is shorter than this, the page probably has its content elsewhere. */
const MAIN_CHARACTERS_MIN = 200;
/** Elements within the main content that are not part of it. */
const NOT_CONTENT = [
  "nav",
  "aside",
  "footer",
  "button",
  "select",
  "input",
  "textarea",
  "iframe",
  "object",
  "embed",
  "svg",
];
/** Matches addresses that are a script or a whole file. */
const NOT_A_PLACE = /^\s*(?:javascript|vbscript|data):/i;

/** Returns undefined after `CONVERSION_MS_MAX`. While it works the program does nothing else; Ctrl-C waits. */
export async function convertPage(html: string, options: PageOptions): Promise<string | undefined> {
  const { htmlToMarkdown } = await import("@mdream/js");
  // The plugin `clean` is left out: its time grows with the square of the number of `[](` in a page.
  const convert = (plugins: object): string =>
    htmlToMarkdown(html, { format: options.format, plugins, hooks: [wholeAddresses(options.url)] }).trim();
  try {
    return options.host.runBounded(() => {
      const main = convert({ isolateMain: true, filter: { exclude: NOT_CONTENT } });
      return main.length >= MAIN_CHARACTERS_MIN ? main : convert({});
    }, CONVERSION_MS_MAX);
  } catch (error) {
    if (codeOf(error) === "ETIMEDOUT") return undefined;
    throw error;
  }
}

/**
 * Makes addresses absolute as browsers do, with `<base>`. Links without a target become their text, and images without
 * content are removed.
 */
function wholeAddresses(pageUrl: string): TransformPlugin {
  let base = pageUrl;
  const whole = (address: string): string =>
    address.startsWith("#") || !URL.canParse(address, base) ? address : new URL(address, base).href;
  return {
    beforeNodeProcess: ({ node }) => {
      const image = isElement(node) && node.name === "img" ? node.attributes : undefined;
      return image && (NOT_A_PLACE.test(image["src"] ?? "") || !image["alt"]) ? { skip: true } : undefined;
    },
    processAttributes: ({ name, attributes }) => {
      const { href, src } = attributes;
      if (name === "base" && href !== undefined && URL.canParse(href, pageUrl)) base = new URL(href, pageUrl).href;
      if (href !== undefined && NOT_A_PLACE.test(href)) delete attributes["href"];
      else if (href !== undefined) attributes["href"] = whole(href);
      if (src !== undefined) attributes["src"] = whole(src);
    },
  };
}

function isElement(node: Node): node is ElementNode {
  return "attributes" in node;
}
