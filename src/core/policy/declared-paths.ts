// The files and hosts that a definition declares for its commands: `@writes`, `@network` and `@permissions`.
import { commandFolder } from "../base/command-folder.ts";
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { DeclaredSecurity } from "../tool/definition.ts";

type Place = Parameters<typeof commandFolder>[1];

/** As they are written: `{name}` stands for a value of a parameter. */
export function writtenReads(security: DeclaredSecurity | undefined): readonly string[] {
  return permitted(security, "filesystem:read");
}

/** As `writtenReads`. */
export function writtenWrites(security: DeclaredSecurity | undefined): readonly string[] {
  return [...(security?.writes ?? []), ...permitted(security, "filesystem:write")];
}

/** As `@network` names them. */
export function declaredHosts(security: DeclaredSecurity | undefined): readonly string[] {
  return [...(security?.hosts ?? []), ...permitted(security, "network:external")];
}

/** Returns the paths or hosts of permissions such as `filesystem:write:PATH`. */
function permitted(security: DeclaredSecurity | undefined, kind: string): readonly string[] {
  return (security?.permissions ?? []).flatMap((permission) =>
    permission.startsWith(`${kind}:`) ? [permission.slice(kind.length + 1)] : [],
  );
}

/** Returns the absolute paths of a call. A `/` at the end, of a folder that may be made, stays. */
export function pathsOfCall(written: readonly string[], args: JsonObject, place: Place): readonly string[] {
  const valuesOf = (name: string): readonly string[] => textsIn(args[name]);
  return written.flatMap((path) => filled(path, valuesOf)).map((path) => absolute(path, place));
}

/**
 * Returns what the paths of calls can be, for people: with the default of a `{name}`, which also a hidden parameter may
 * have, with each of its choices, and as written for whatever else a caller may give.
 */
export function possiblePaths(written: readonly string[], parameters: readonly Parameter[]): readonly string[] {
  const valuesOf = (name: string): readonly string[] => {
    const parameter = parameters.find((one) => one.name === name);
    if (!parameter) return [];
    return [...new Set([...textsIn(parameter.default), ...(choicesOf(parameter.schema) ?? [`{${name}}`])])];
  };
  return written.flatMap((path) => filled(path, valuesOf));
}

function choicesOf(schema: ParameterSchema): readonly string[] | undefined {
  if (schema.type === "array") return choicesOf(schema.items);
  return schema.type === "string" ? schema.choices : undefined;
}

function textsIn(value: Json | undefined): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}

/** Returns the path for each value; none if a value is missing. */
function filled(path: string, valuesOf: (name: string) => readonly string[]): readonly string[] {
  const match = /\{([^{}]*)\}/.exec(path);
  if (!match) return [path];
  const [before, after] = [path.slice(0, match.index), path.slice(match.index + match[0].length)];
  const rests = filled(after, valuesOf);
  return valuesOf(match[1] ?? "").flatMap((text) => rests.map((rest) => before + text + rest));
}

function absolute(path: string, place: Place): string {
  const full = commandFolder(path, place);
  return path.endsWith("/") && full !== "/" ? `${full}/` : full;
}
