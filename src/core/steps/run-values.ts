// The values of references during one run: arguments, earlier steps, folders, the item.
import type { Json, JsonObject } from "../schema/json.ts";
import { parseReference, type Reference, referencedValue, valueAt } from "../tool/reference.ts";
import type { Step } from "../tool/step.ts";
import type { Template } from "../tool/template.ts";
import type { StepValues } from "./plan.ts";
import { partOfRecord, recordsOf, type StepRecord } from "./step-record.ts";

export interface Item {
  readonly value: Json;
  /** Counted from 0. */
  readonly index: number;
}

export class RunValues {
  readonly #args: JsonObject;
  readonly #places: Readonly<Record<string, string>>;
  readonly #parameters: ReadonlySet<string>;
  readonly #records = new Map<string, StepRecord>();

  /**
   * `places` are WORKSPACE and the like. A parameter with such a name, or called `item`, hides what has it, also in a
   * call without a value for it.
   */
  constructor(args: JsonObject, places: Readonly<Record<string, string>>, parameters: readonly string[]) {
    this.#args = args;
    this.#parameters = new Set(parameters);
    this.#places = places;
  }

  get args(): JsonObject {
    return this.#args;
  }

  record(step: Step, record: StepRecord): void {
    for (const [name, own] of recordsOf(step, record)) this.#records.set(name, own);
  }

  recordOf(step: string): StepRecord | undefined {
    return this.#records.get(step);
  }

  valueOf(reference: Reference, item?: Item): Json | undefined {
    return referencedValue(reference, (root, path) => this.#found(root, path, item));
  }

  #found(root: string, path: Reference["path"], item: Item | undefined): Json | undefined {
    if (Object.hasOwn(this.#args, root)) return valueAt(this.#args[root], path);
    const record = this.#records.get(root);
    if (record) return partOfRecord(record, path);
    if (this.#parameters.has(root)) return undefined;
    if (root === "item" && item) return valueAt(item.value, path);
    if (root === "index" && item) return item.index;
    return Object.hasOwn(this.#places, root) ? this.#places[root] : undefined;
  }

  /** Returns an output that is read as text but is not text, or undefined. */
  unreadable(references: readonly Reference[]): string | undefined {
    for (const { root, path } of references) {
      const record = Object.hasOwn(this.#args, root) ? undefined : this.#records.get(root);
      const isText = path[0] === "stderr" || path[0] === "exit-code" || path[0] === "ok";
      if (record?.noText !== undefined && !isText) return `the output of \`${root}\`, ${record.noText}`;
    }
    return undefined;
  }

  stepValues(references: readonly Reference[], item?: Item): StepValues {
    const values = references.flatMap((reference): (readonly [string, Json])[] => {
      const value = this.valueOf(reference, item);
      return value === undefined ? [] : [[reference.text, value]];
    });
    // An output may be called `__proto__`, which an assignment would not add.
    return { read: Object.fromEntries(values), everything: () => this.#everything(item) };
  }

  #everything(item: Item | undefined): JsonObject {
    const steps = [...this.#records].map(
      ([name, { output, stdout, stderr, exitCode, ok, noText }]) =>
        [
          name,
          noText === undefined
            ? { output, stdout, stderr, exitCode, ok }
            : { output: null, stdout: null, stderr, exitCode, ok },
        ] as const,
    );
    return {
      args: this.#args,
      steps: Object.fromEntries(steps),
      ...(item && !this.#parameters.has("item") ? { item: item.value } : {}),
      ...(item && !this.#parameters.has("index") ? { index: item.index } : {}),
    };
  }

  /** Fills a template: absent values become empty; lists and objects are JSON. */
  filled(template: Template): string {
    return template.parts.map((part) => (typeof part === "string" ? part : this.#text(part.placeholder))).join("");
  }

  #text(written: string): string {
    const reference = parseReference(written);
    const value = reference && this.valueOf(reference);
    return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  }

  /**
   * Returns the items of a list, also of JSON's text of one. Any other text becomes its lines without the empty ones.
   */
  items(template: Template): readonly Json[] {
    const [only, ...others] = template.parts;
    const reference =
      only !== undefined && typeof only !== "string" && others.length === 0
        ? parseReference(only.placeholder)
        : undefined;
    const value = reference ? this.valueOf(reference) : this.filled(template);
    if (isList(value)) return value;
    if (typeof value !== "string") return value === undefined || value === null ? [] : [value];
    return listIn(value) ?? value.split(/\r?\n/).filter((line) => line !== "");
  }
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function listIn(text: string): readonly Json[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return isList(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
