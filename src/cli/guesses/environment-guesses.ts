// Finds the variables of the caller's environment that a script reads: a tool gets none of them, so each becomes a
// parameter that is read from the environment.
import { soundsSecret } from "../../base/secret-names.ts";

// Variables that are passed anyway, set by the shell itself, or never passed.
const NOT_ASKED =
  /^(PATH|HOME|LANG|LC_.*|TERM|TMPDIR|USER|LOGNAME|SHELL|TZ|_+|PWD|OLDPWD|IFS|RANDOM|SECONDS|LINENO|PPID|UID|EUID|HOSTNAME|SHLVL|OPTARG|OPTIND|OPTERR|REPLY|ENV|(LD|DYLD|BASH|GIT|DOTTOOL)_.*)$/;

/** Returns the names of the variables; lower-case names are taken to be the script's own. */
export function environmentNames(script: string): ReadonlySet<string> {
  // The shell does not expand text in single quotes or after a backslash.
  const read = script.replaceAll(/\\.|"(?:\\.|[^"\\])*"|'[^']*'/gs, (part) =>
    part.startsWith('"') ? part.replaceAll(/\\./gs, "") : "",
  );
  return new Set(
    [...read.matchAll(/\$\{?([A-Z_][A-Z0-9_]*)/g)].flatMap(([, name]) =>
      name === undefined || NOT_ASKED.test(name) || isAssigned(name, script) ? [] : [name],
    ),
  );
}

/** Returns lines of a definition. */
export function environmentLines(names: ReadonlySet<string>): readonly string[] {
  return [...names].flatMap((name) => {
    const parameter = name.toLowerCase();
    return [
      `@env ${name}={${parameter}}`,
      `@param ${parameter} {string} [required${soundsSecret(name) ? ", secret" : ""}, env=${name}] From the environment`,
    ];
  });
}

function isAssigned(name: string, script: string): boolean {
  return new RegExp(`\\b${name}\\+?=|\\b(?:for|read|export|local)\\b[^;|&]*\\b${name}\\b|\\$\\{${name}:?[-=]`).test(
    script,
  );
}
