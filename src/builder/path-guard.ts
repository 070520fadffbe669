// Checks a value within a path of the definition, such as `notes/{name}.txt`: it must not lead out of the author's
// folder.
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { valueText } from "../schema/describe.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { Template } from "../tool/template.ts";
import { isPath, placeholdersOf } from "./placed-texts.ts";

const SEPARATOR = /[\\/]/;

/**
 * `own` are the parameters of the definition. A parameter of type `path` may contain folders, and if it comes first, it
 * is the start of the path.
 */
export function pathIssues(template: Template, args: JsonObject, own: readonly Parameter[]): readonly ArgumentIssue[] {
  const wide = new Set(own.filter(({ schema }) => isPath(schema)).map(({ name }) => name));
  const names = [...new Set(placeholdersOf(template))];
  const textOf = (name: string): string => String(args[name] ?? "");
  const issue = (name: string): ArgumentIssue => {
    const wanted = wide.has(name) ? "a path below the folder before it" : "a name";
    return {
      path: name,
      message: `expected ${wanted}, got ${valueText(args[name])}, which would lead out of the path around it`,
    };
  };
  const leading = names.filter((name) => !wide.has(name) && SEPARATOR.test(textOf(name)));
  if (leading.length > 0) return leading.map(issue);
  const written = template.parts.map((part) => (typeof part === "string" ? part : "x")).join("");
  const filled = template.parts
    .map((part, index) =>
      typeof part === "string" ? part : index === 0 && wide.has(part.placeholder) ? "x" : textOf(part.placeholder),
    )
    .join("");
  if (stepsUp(filled) <= stepsUp(written)) return [];
  const dotted = names.filter((name) => textOf(name).includes("."));
  return (dotted.length > 0 ? dotted : names).map(issue);
}

function stepsUp(path: string): number {
  return path.split(SEPARATOR).filter((segment) => segment === "..").length;
}
