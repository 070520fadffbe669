// Expands `{{.X}}` of a Taskfile, where the value does not depend on the machine. Of the templates of Go, it reads
// variables and `default`.
import type { Parameter } from "../../core/schema/parameter.ts";
import { Expansions } from "./expansions.ts";
import { merged, type Part, stringParameter, wordsParameter } from "./imported-tool.ts";
import { scalarOf, type SourceMap } from "./source-data.ts";

/** `.X`, `.X | default "y"` and `default "y" .X`. A dash would trim white space, which can change the words. */
const REFERENCE = /^\.(?<name>[A-Za-z_]\w*)(?:\s*\|\s*default\s+(?:"(?<a>[^"\\]*)"|'(?<b>[^']*)'|(?<c>\d+)))?$/;
const DEFAULT_FIRST = /^default\s+(?:"(?<a>[^"\\]*)"|'(?<b>[^']*)'|(?<c>\d+))\s+\.(?<name>[A-Za-z_]\w*)$/;
const VARIABLES_WITHIN_MAX = 20;

export class TaskExpander {
  readonly #variables: SourceMap;
  readonly #parameters = new Map<string, Parameter>();
  readonly #expansions = new Expansions();

  constructor(variables: SourceMap) {
    this.#variables = variables;
  }

  parameters(): readonly Parameter[] {
    return [...this.#parameters.values()];
  }

  /** Returns undefined if only task can tell. All of the text is read, so that its parameters are known. */
  expand(text: string, depth = 0): readonly Part[] | undefined {
    this.#expansions.take(text);
    let isKnown = depth <= VARIABLES_WITHIN_MAX;
    const parts: Part[] = [];
    for (const piece of isKnown ? text.split(/(\{\{[^]*?\}\})/) : []) {
      const value = /^\{\{[^]*\}\}$/.test(piece) ? this.#reference(piece.slice(2, -2).trim(), depth) : [piece];
      if (!value) isKnown = false;
      for (const part of value ?? []) parts.push(part);
    }
    return isKnown ? merged(parts) : undefined;
  }

  #reference(text: string, depth: number): readonly Part[] | undefined {
    const reference = referenceIn(text);
    if (!reference) {
      // Only task can tell; what nothing in the file sets is for the caller.
      for (const [, name = ""] of text.matchAll(/(?<![\w.)\]"'])\.([A-Za-z_]\w*)/g))
        if (this.#variables[name] === undefined) this.#asked(name, undefined);
      return undefined;
    }
    const { name, given } = reference;
    const own = this.#variables[name];
    if (own === undefined) return this.#asked(name, given);
    const value = scalarOf(own)?.trim();
    // `X: '{{.X | default "y"}}'` lets the caller decide.
    if (value !== undefined && new RegExp(`^\\{\\{[^}]*\\.${name}\\b[^}]*\\}\\}$`).test(value)) {
      const asked = referenceIn(value.slice(2, -2).trim());
      return asked && this.#asked(name, asked.given);
    }
    return value === undefined ? undefined : this.expand(scalarOf(own) ?? "", depth + 1);
  }

  #asked(name: string, given: string | undefined): readonly Part[] | undefined {
    if (name === "CLI_ARGS") this.#parameters.set(name, wordsParameter(name, "Words for the end of the command"));
    // Task's own variables.
    else if (/^(?:CLI_|TASK|ROOT_|USER_WORKING_DIR|CHECKSUM|TIMESTAMP|ITEM|EXIT_CODE|MATCH|ALIAS)/.test(name))
      return undefined;
    else {
      const known = this.#parameters.get(name);
      const more = { environment: name, ...(given === undefined || given === "" ? {} : { default: given }) };
      if (!known || given !== undefined) this.#parameters.set(name, stringParameter(name, "", more));
    }
    return [{ parameter: name }];
  }
}

/** Returns undefined for a template of another form. */
function referenceIn(text: string): { readonly name: string; readonly given: string | undefined } | undefined {
  const { name, a, b, c } = (REFERENCE.exec(text) ?? DEFAULT_FIRST.exec(text))?.groups ?? {};
  return name === undefined ? undefined : { name, given: a ?? b ?? c };
}
