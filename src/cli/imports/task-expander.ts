// Expands `{{.X}}` of a Taskfile, where the value does not depend on the machine. Of the templates of Go, it reads
// variables and `default`.
import type { Parameter } from "../../schema/parameter.ts";
import { merged, type Part, stringParameter, wordsParameter } from "./imported-tool.ts";
import { scalarOf, type SourceMap } from "./source-data.ts";

const REFERENCE = /^-?\s*\.([A-Za-z_]\w*)\s*(?:\|\s*default\s+(?:"([^"\\]*)"|'([^']*)'|(\d+))\s*)?-?$/;
const DEFAULT_FIRST = /^-?\s*default\s+(?:"([^"\\]*)"|'([^']*)'|(\d+))\s+\.([A-Za-z_]\w*)\s*-?$/;
const DEPTH_MAX = 20;

export class TaskExpander {
  readonly #variables: SourceMap;
  readonly #parameters: Map<string, Parameter>;
  /** Values that a task gets from the one that calls it. */
  readonly #bound: ReadonlyMap<string, readonly Part[]>;

  constructor(
    variables: SourceMap,
    bound: ReadonlyMap<string, readonly Part[]> = new Map(),
    parameters = new Map<string, Parameter>(),
  ) {
    this.#variables = variables;
    this.#bound = bound;
    this.#parameters = parameters;
  }

  /** The same for a task with variables of its own; what it asks for is asked of the same caller. */
  within(variables: SourceMap, bound: ReadonlyMap<string, readonly Part[]>): TaskExpander {
    return new TaskExpander({ ...this.#variables, ...variables }, bound, this.#parameters);
  }

  parameters(): readonly Parameter[] {
    return [...this.#parameters.values()];
  }

  /** Returns undefined if only task can tell. All of the text is read, so that its parameters are known. */
  expand(text: string, depth = 0): readonly Part[] | undefined {
    let isKnown = depth <= DEPTH_MAX;
    const parts: Part[] = [];
    for (const piece of isKnown ? text.split(/(\{\{[^]*?\}\})/) : []) {
      const value = /^\{\{[^]*\}\}$/.test(piece) ? this.#reference(piece.slice(2, -2).trim(), depth) : [piece];
      if (value) parts.push(...value);
      else isKnown = false;
    }
    return isKnown ? merged(parts) : undefined;
  }

  #reference(text: string, depth: number): readonly Part[] | undefined {
    // A dash trims white space, which can change the words.
    if (/^-|-$/.test(text)) return undefined;
    const [, behind, ...afters] = REFERENCE.exec(text) ?? [];
    const [, first, second, third, before] = DEFAULT_FIRST.exec(text) ?? [];
    const name = behind ?? before;
    if (name === undefined) return undefined;
    const given = [...afters, first, second, third].find((one) => one !== undefined);
    const bound = this.#bound.get(name);
    if (bound) return bound;
    const own = this.#variables[name];
    if (own === undefined) return this.#asked(name, given);
    const value = scalarOf(own);
    // `X: '{{.X | default "y"}}'` lets the caller decide.
    const isAsked = value !== undefined && new RegExp(`^\\{\\{[^}]*\\.${name}\\b[^}]*\\}\\}$`).test(value.trim());
    if (isAsked)
      return this.within({ [name]: undefined }, this.#bound).#referenceWithout(value.trim().slice(2, -2).trim(), name);
    return value === undefined ? undefined : this.expand(value, depth + 1);
  }

  #referenceWithout(text: string, name: string): readonly Part[] | undefined {
    const [, , ...afters] = REFERENCE.exec(text) ?? [];
    const [, first, second, third] = DEFAULT_FIRST.exec(text) ?? [];
    const isRead = REFERENCE.test(text) || DEFAULT_FIRST.test(text);
    return isRead
      ? this.#asked(
          name,
          [...afters, first, second, third].find((one) => one !== undefined),
        )
      : undefined;
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
