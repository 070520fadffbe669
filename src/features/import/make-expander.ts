// Expands `$(X)` in the recipes of a makefile, where the value does not depend on the machine.
import type { Parameter } from "../../core/schema/parameter.ts";
import { Expansions } from "./expansions.ts";
import { merged, type Part, stringParameter, wordsParameter } from "./imported-tool.ts";
import type { Makefile } from "./makefile.ts";

/** What a recipe may use without a definition in the file. */
const implied: ReadonlyMap<string, string> = new Map([
  ["MAKE", "make"],
  ["RM", "rm -f"],
  ["CC", "cc"],
  ["CXX", "g++"],
  ["AR", "ar"],
]);
const OWN = /^(?:MAKE\w+|CURDIR|SHELL|\.\w+|VPATH|SUFFIXES)$/;
const VARIABLES_WITHIN_MAX = 30;

export class MakeExpander {
  readonly #file: Makefile;
  readonly #documented: ReadonlySet<string>;
  readonly #parameters = new Map<string, Parameter>();
  readonly #expansions = new Expansions();
  /** The variables within which this one is expanded: a value within itself, only make can tell. */
  readonly #open = new Set<string>();

  /** `doc` describes the target: `NAME=…` in it is for the caller, however the file sets it. */
  constructor(file: Makefile, doc = "") {
    this.#file = file;
    this.#documented = new Set([...doc.matchAll(/\b([A-Z][A-Z0-9_]*)=/g)].flatMap(([, name]) => name ?? []));
    // What the file does not set may be for a program: make passes on what its caller says.
    for (const name of this.#documented) if (!file.variables.has(name)) this.#asked(name, undefined);
  }

  /** What the texts expanded so far ask a caller for. */
  parameters(): readonly Parameter[] {
    return [...this.#parameters.values()];
  }

  /** Returns undefined if only make can tell. All of the text is read, so that its parameters are known. */
  expand(text: string, target: string): readonly Part[] | undefined {
    this.#expansions.take(text);
    let isKnown = true;
    const parts: Part[] = [];
    for (const piece of text.split(/(\$(?:\$|\([^()$]*\)|\{[^{}$]*\}|.))/s)) {
      const value = piece.startsWith("$") ? this.#reference(piece, target) : [piece];
      if (!value) isKnown = false;
      for (const part of value ?? []) parts.push(part);
    }
    return isKnown ? merged(parts) : undefined;
  }

  #reference(piece: string, target: string): readonly Part[] | undefined {
    if (piece === "$$") return ["$"];
    const name = piece.replace(/^\$[({]?/, "").replace(/[)}]$/, "");
    if (name === "@") return [target];
    if (!/^[A-Za-z_][\w-]*$/.test(name) || OWN.test(name)) return undefined;
    const variable = this.#file.variables.get(name);
    if (!variable) return this.#unset(name);
    const isDefault = variable.isDefault || this.#documented.has(name);
    // A file that is included may set it, and so may the caller.
    if (isDefault && this.#file.isPartlyRead) {
      this.#asked(name, undefined);
      return undefined;
    }
    if (variable.isUncertain || this.#open.has(name) || this.#open.size >= VARIABLES_WITHIN_MAX) return undefined;
    this.#open.add(name);
    const value = this.expand(variable.value, target);
    this.#open.delete(name);
    const isPlain = isDefault && value?.every((part) => typeof part === "string");
    // A default of several words is split by the shell, which no value is.
    if (!isPlain || /[\s'"\\$`*?;|&<>()]/.test((value ?? []).join(""))) return value;
    // Only `?=` gives way to the environment.
    return this.#asked(name, (value ?? []).join(""), variable.isDefault);
  }

  /** The caller sets it on make's command line or in the environment; otherwise it is empty. */
  #unset(name: string): readonly Part[] | undefined {
    const known = implied.get(name);
    if (known !== undefined) return [known];
    return this.#file.isPartlyRead && !this.#documented.has(name) ? undefined : this.#asked(name, undefined);
  }

  #asked(name: string, given: string | undefined, isInherited = true): readonly Part[] {
    const more = {
      ...(isInherited ? { environment: name } : {}),
      ...(given === undefined || given === "" ? {} : { default: given }),
    };
    const isList = given === undefined && /(?:ARGS?|FLAGS|OPTS|OPTIONS|FILES)$/.test(name);
    const declared = isList ? wordsParameter(name, "Words for the command") : stringParameter(name, "", more);
    this.#parameters.set(name, declared);
    return [{ parameter: name }];
  }
}
