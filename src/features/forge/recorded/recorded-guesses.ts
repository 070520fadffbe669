// Which parts of recorded calls may be values: words of commands that look like some, what the person named, and
// secrets.
import { soundsSecret } from "../../../core/text/secret-names.ts";
import { MASK } from "../../../core/schema/describe.ts";
import type { Json, JsonObject } from "../../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../../core/schema/parameter.ts";
import { ParameterGuesses } from "../../new/parameter-guesses.ts";
import type { Candidate, Segment, Use } from "./recorded-marks.ts";
import { withoutSecrets } from "../../new/secret-guesses.ts";
import { pipedLine } from "../../new/starter.ts";

export interface GuessedValue {
  readonly text: string;
  readonly use: Use;
}

interface GuessedWord extends GuessedValue {
  /** The index among the words of the whole line. */
  readonly index: number;
}

const FILE = /[^/.]\.[A-Za-z]\w*$/;

export function guessedWords({ command, argv }: JsonObject): readonly GuessedWord[] {
  const commands =
    typeof command === "string"
      ? (pipedLine(command) ?? [])
      : [
          (Array.isArray(argv) ? (argv as readonly Json[]) : []).map((word) => ({
            text: String(word),
            isQuoted: false,
          })),
        ];
  let offset = 0;
  return commands.flatMap((line) => {
    const guesses = new ParameterGuesses(line, [], offset);
    for (const index of line.keys()) if (index > 0) guesses.placeholderFor(index);
    offset += line.length;
    return guesses.parameters.map(({ name, type, value, description, word }) => {
      const text = String(value);
      const plain = name.replace(/\d+$/, "") || name;
      // What a command searches may be a file as well.
      const use =
        plain === "folder" && FILE.test(text) ? { name: "file", description: "" } : { name: plain, description };
      return { text, use: { ...use, schema: schemaOf(type) }, index: word };
    });
  });
}

/**
 * Returns the values in the person's words that may be parts of other texts: addresses, files, numbers, quoted texts.
 */
export function saidValues(prompts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const prompt of prompts) {
    for (const [, one = ""] of prompt.matchAll(/(?<![A-Za-z0-9])["'`‘“]([^"'`’”\n]{2,200})["'`’”](?![A-Za-z0-9])/g))
      found.add(one);
    for (const word of prompt.split(/\s+/)) {
      const bare = word.replace(/^["'`‘“([{<]+/, "").replace(/["'`’”)\]}>.,;:!?]+$/, "");
      if (bare.length >= 2 && (/[\d./_@:-]/.test(bare) || /^[A-Z]{3,}$/.test(bare))) found.add(bare);
    }
  }
  return [...found];
}

/**
 * Secrets that the line itself shows to be some, such as an `Authorization` header. `new --from` finds them in the same
 * way.
 */
export function secretsIn(texts: readonly string[], tool: string): readonly Candidate[] {
  const all = texts.flatMap((text) => withoutSecrets(text, { tool, taken: new Set() }).secrets);
  const found = new Map(all.reverse().flatMap(({ text, name }) => (text === MASK ? [] : [[text, name] as const])));
  return [...found]
    .reverse()
    .map(([text, name]) => ({ source: { kind: "secret", text, use: textUse(name.replace(/\d+$/, "")) } }));
}

export function holdsSecret(name: string, parameter: Parameter | undefined, path: readonly Segment[]): boolean {
  return (
    (path.length === 1 && parameter?.secret === true) ||
    (soundsSecret(name) && !/^keys?$|[_-](?:file|path|name|id|dir)$/i.test(name))
  );
}

export function textUse(name: string): Use {
  return { name, schema: { type: "string" }, description: "" };
}

export function schemaOf(type: "string" | "path" | "url" | "integer"): ParameterSchema {
  return type === "integer" ? { type } : type === "string" ? { type } : { type: "string", format: type };
}
