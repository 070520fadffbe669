// Variables from which a shell or a program takes what it runs: those of grammar/programs.yaml.
import { variables } from "../../generated/program-words.ts";

let lazyPattern: RegExp | undefined;

export function isSpecialVariable(name: string): boolean {
  lazyPattern ??= new RegExp(`^(?:${variables.replaceAll(" ", "|").replaceAll("*", ".*")})$`);
  return lazyPattern.test(name);
}
