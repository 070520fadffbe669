// Braces that are text in a template: `{{` and `}}` stand for one brace each, where they belong together.

/** Reads `{}`, `{{` and `}}` in the order written. In `{"a": {"b": 1}}` no `{{` is open, so `}}` is two braces. */
export class LiteralBraces {
  #open = 0;

  read(braces: string): string {
    if (braces === "{{") this.#open++;
    else if (braces === "{}" || this.#open === 0) return braces;
    else this.#open--;
    return braces.slice(1);
  }
}

const MARK = /\{\}|\{\{|\}\}|\{[A-Za-z_][A-Za-z0-9_-]*\}/g;

/** Takes a template in which each brace that is text is doubled, and returns the same one as it is read. */
export function withoutNeedless(template: string): string {
  let open = 0;
  return template.replaceAll(MARK, (mark) => {
    if (mark === "{{") open++;
    else if (mark === "}}" && open === 0) return "}";
    else if (mark === "}}") open--;
    return mark;
  });
}
