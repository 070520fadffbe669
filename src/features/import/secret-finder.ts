// Takes the secrets out of an imported tool: each becomes a parameter that is read from the environment.
import { soundsSecret } from "../../core/text/secret-names.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { type GuessedSecret, hidden, isStandIn, withoutSecrets } from "../new/secret-guesses.ts";
import { merged, parameterNameOf, type Part } from "./imported-tool.ts";

export class SecretFinder {
  readonly #tool: string;
  readonly #taken: Set<string>;
  readonly #parameters = new Map<string, Parameter>();

  /** `taken` are the names of the tool's own parameters. */
  constructor(tool: string, taken: ReadonlySet<string>) {
    this.#tool = tool;
    this.#taken = new Set(taken);
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  found(): readonly Parameter[] {
    return [...this.#parameters.values()];
  }

  variables(): readonly string[] {
    return this.found().flatMap(({ environment }) => environment ?? []);
  }

  /** Returns the parts with a parameter in place of each secret in the literal text. */
  parts(parts: readonly Part[], isProse = false): readonly Part[] {
    return merged(merged(parts).flatMap((part) => (typeof part === "string" ? this.#split(part, isProse) : [part])));
  }

  /** Returns a template with a placeholder for each secret in its literal text. */
  template(text: string): string {
    return this.#split(text)
      .map((part) => (typeof part === "string" ? part : `{${part.parameter}}`))
      .join("");
  }

  /** Returns the value of a variable whose whole text is a secret. */
  named(variable: string): Part {
    const name = parameterNameOf(variable.toLowerCase());
    this.#add({ name, variable });
    return { parameter: name };
  }

  /** A default that is a secret is left out, and the value is then read from the environment. */
  parameter(parameter: Parameter): Parameter {
    const { default: given, example, ...others } = parameter;
    const isSecret =
      typeof given === "string" &&
      given !== "" &&
      !isStandIn(given) &&
      (soundsSecret(parameter.name) || this.hidden(`${parameter.name}=${given}`) !== `${parameter.name}=${given}`);
    const text = { ...parameter, description: this.hidden(parameter.description) };
    if (!isSecret) return text;
    const variable = `${this.#tool}_${parameter.name}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_");
    return {
      ...others,
      description: text.description,
      required: true,
      secret: true,
      environment: parameter.environment ?? variable,
    };
  }

  /** Returns text for people, with `…` in place of secrets. */
  hidden(text: string): string {
    return text
      .split("\n")
      .map((line) => {
        const { line: marked, secrets } = withoutSecrets(line, { tool: this.#tool, taken: new Set() });
        return hidden(marked, secrets);
      })
      .join("\n");
  }

  /** Line by line, because the forms of secrets are those of a line. */
  #split(text: string, isProse = false): readonly Part[] {
    return text
      .split("\n")
      .flatMap((line, index) => [...(index === 0 ? [] : ["\n"]), ...this.#splitLine(line, isProse)]);
  }

  #splitLine(line: string, isProse: boolean): readonly Part[] {
    const { line: marked, secrets } = withoutSecrets(line, { tool: this.#tool, taken: this.#taken, isProse });
    if (secrets.length === 0) return [line];
    for (const secret of secrets) this.#add(secret);
    const names = new Map(secrets.map(({ mark, name }) => [mark, name]));
    return marked
      .split(/(x0secret\d+0x)/)
      .filter((piece) => piece !== "")
      .map((piece) => {
        const name = names.get(piece);
        return name === undefined ? piece : { parameter: name };
      });
  }

  #add({ name, variable }: Pick<GuessedSecret, "name" | "variable">): void {
    this.#taken.add(name);
    this.#parameters.set(name, {
      name,
      description: `Read from \`${variable}\``,
      schema: { type: "string" },
      required: true,
      secret: true,
      environment: variable,
    });
  }
}
