// The variables of a script that is read without a shell.
import type { Host } from "../tool/host.ts";

const VALUE_CHARACTERS_MAX = 65_536;

/** The variables of a script; those that it does not set have their values of the environment. */
export class EnvironmentVariables extends Map<string, string | undefined> {
  readonly #host: Host;

  constructor(host: Host, entries: Iterable<readonly [string, string | undefined]> = []) {
    super(entries);
    this.#host = host;
  }

  override get(name: string): string | undefined {
    return this.has(name) ? super.get(name) : this.#host.environment(name);
  }

  /** A text that doubles with each assignment is not known. */
  override set(name: string, value: string | undefined): this {
    return super.set(name, value !== undefined && value.length > VALUE_CHARACTERS_MAX ? undefined : value);
  }

  copy(): EnvironmentVariables {
    return new EnvironmentVariables(this.#host, this);
  }
}

export function copiedVariables(variables: Map<string, string | undefined>): Map<string, string | undefined> {
  return variables instanceof EnvironmentVariables ? variables.copy() : new Map(variables);
}
