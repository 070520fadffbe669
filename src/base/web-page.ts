// An HTML page as Markdown or as plain text: its main content, or all of it where that is next to nothing.
import type { ElementNode, TransformPlugin } from "@mdream/js";

export interface PageOptions {
  readonly format: "markdown" | "text";
  /** Where the page came from: relative links become whole ones. */
  readonly url: string;
}

/** A page whose main content is shorter than this probably keeps it where nobody looks for it. */
const MAIN_CHARACTERS_MIN = 200;
/** What stands in the main content and is not part of it. */
const NOT_CONTENT = ["nav", "aside", "footer", "button", "select", "input", "textarea", "iframe", "object", "embed", "svg"];
/** Script in an address, or a whole file. */
const NOT_A_PLACE = /^\s*(?:javascript|vbscript|data):/i;

export async function convertPage(html: string, options: PageOptions): Promise<string> {
  const { htmlToMarkdown } = await import("@mdream/js");
  const clean = { emptyLinks: true, emptyLinkText: true, emptyImages: true, selfLinkHeadings: true, redundantLinks: true };
  const convert = (plugins: object): string => htmlToMarkdown(html, { format: options.format, clean, plugins, hooks: [wholeAddresses(options.url)] }).trim();
  const main = convert({ isolateMain: true, filter: { exclude: NOT_CONTENT } });
  return main.length >= MAIN_CHARACTERS_MIN ? main : convert({});
}

/** Makes addresses absolute as browsers do, with `<base>`, and removes those that lead nowhere. */
function wholeAddresses(pageUrl: string): TransformPlugin {
  let base = pageUrl;
  const whole = (address: string): string => {
    if (NOT_A_PLACE.test(address)) return "";
    return address.startsWith("#") || !URL.canParse(address, base) ? address : new URL(address, base).href;
  };
  return {
    processAttributes: (node: ElementNode) => {
      const { href, src } = node.attributes;
      if (node.name === "base") {
        if (href !== undefined && URL.canParse(href, pageUrl)) base = new URL(href, pageUrl).href;
        return;
      }
      if (href !== undefined) node.attributes["href"] = whole(href);
      if (src !== undefined) node.attributes["src"] = whole(src);
    },
  };
}
