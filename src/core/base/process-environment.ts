// The environment that a process gets: a short list that every program needs, declared variables, and for a person's
// call whatever else is set here and is no secret.
import type { Host } from "../tool/host.ts";
import { isSpecialVariable } from "../shell/environment.ts";
import { isSecretVariable } from "../text/secret-names.ts";
import { readUserConfig } from "./user-config.ts";

interface EnvironmentOptions {
  /** Variables that are set as they are and override all others. */
  readonly declared: Readonly<Record<string, string>>;
  /**
   * Set by `@env-inherit yes`, and for what a person calls: everything that is set here is passed, except secrets and
   * what slips code or options into other programs.
   */
  readonly inherits: boolean;
  /** Variables that are passed on by name. */
  readonly passed?: readonly string[];
  /** Leaves out variables from which programs take commands or options, unless they are declared or passed by name. */
  readonly isPlain?: boolean;
  /** Variables that are passed on unless they hold a secret or slip in code. */
  readonly needed?: readonly string[];
  /** Set for a program of the user's own, such as a key store, which may need secrets to find others. */
  readonly takesSecrets?: true;
}

const passedNames = new Set(["PATH", "HOME", "LANG", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL", "TZ"]);
// Most Windows programs need these to start, and to find the system's and the user's folders.
const passedWindowsNames = new Set([
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "TEMP",
  "TMP",
  "USERPROFILE",
  "USERNAME",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE",
  "OS",
]);
const passedPrefixes = ["LC_"];

// Variables that make a program load other code, take other options or read its script differently than its command
// line says.
const withheldNames = new Set([
  "ENV",
  "IFS",
  "PS4",
  "SHELLOPTS",
  "BASHOPTS",
  "PROMPT_COMMAND",
  "CDPATH",
  "GLOBIGNORE",
  "ZDOTDIR",
  "LESSOPEN",
  "LESSCLOSE",
  "GCONV_PATH",
  "GLIBC_TUNABLES",
  "NODE_OPTIONS",
  "PERL5OPT",
  "PERL5DB",
  "PYTHONSTARTUP",
  "PYTHONINSPECT",
  "RUBYOPT",
  "JAVA_TOOL_OPTIONS",
  "JDK_JAVA_OPTIONS",
  "_JAVA_OPTIONS",
]);
// GIT_DIR, GIT_SSH_COMMAND and similar, which a hook that runs us sets too. DOTTOOL_TRUST must not reach a tool.
const withheldPrefixes = ["LD_", "DYLD_", "BASH_", "GIT_", "DOTTOOL_"];
const givenPrefixes = ["GIT_AUTHOR_", "GIT_COMMITTER_"];

/** The folders that `execvp` and most shells use when PATH is not set. */
const PATH_DEFAULT = "/usr/local/bin:/usr/bin:/bin";

export function processEnvironment(host: Host, options: EnvironmentOptions): Readonly<Record<string, string>> {
  const isWindows = host.platform === "windows";
  const environment: Record<string, string> = {};
  const passed = new Set((options.passed ?? []).map((name) => (isWindows ? name.toUpperCase() : name)));
  const needed = new Set(options.needed);
  const asks = options.inherits || needed.size > 0;
  const withheld = new Set(asks && !options.takesSecrets ? secretVariables(host) : []);
  for (const name of host.environmentNames()) {
    const key = isWindows ? name.toUpperCase() : name;
    const isInherited =
      (needed.has(name) || (options.inherits && !(options.isPlain && isSpecialVariable(name)))) &&
      !isWithheld(key) &&
      !withheld.has(name);
    // A value is only asked for if it is passed on: see features/resident/host/call-host.ts.
    const value = isPassed(key, isWindows) || isInherited || passed.has(key) ? host.environment(name) : undefined;
    if (value !== undefined) environment[key === "PATH" ? "PATH" : name] = value;
  }
  for (const [name, value] of Object.entries(options.declared)) {
    // Windows ignores the case of names.
    if (isWindows)
      for (const other of Object.keys(environment))
        if (other.toUpperCase() === name.toUpperCase()) delete environment[other];
    environment[name] = value;
  }
  const path = cleanPath(environment["PATH"] ?? "", isWindows);
  if (path !== "" || !isWindows) environment["PATH"] = path === "" ? PATH_DEFAULT : path;
  return environment;
}

/**
 * Returns variables that a process only gets by name: those that sound like a secret, and those from which
 * `config.yaml` takes one.
 */
export function secretVariables(host: Host): readonly string[] {
  const named = new Set(
    [...readUserConfig(host).text.matchAll(/\benv:\s*([A-Za-z_][A-Za-z0-9_]*)/g)].map(([, name]) => name),
  );
  return host
    .environmentNames()
    .filter((name) => named.has(name) || isSecretVariable(name, host.environment(name) ?? ""));
}

function isPassed(name: string, isWindows: boolean): boolean {
  return (
    passedNames.has(name) ||
    passedPrefixes.some((prefix) => name.startsWith(prefix)) ||
    (isWindows && passedWindowsNames.has(name))
  );
}

function isWithheld(name: string): boolean {
  if (givenPrefixes.some((prefix) => name.startsWith(prefix))) return false;
  return withheldNames.has(name) || withheldPrefixes.some((prefix) => name.startsWith(prefix));
}

/**
 * Removes empty and relative entries of PATH. They mean the working folder, where a repository may have put a program.
 */
function cleanPath(path: string, isWindows: boolean): string {
  const isAbsolute = isWindows ? /^([a-z]:[\\/]|\\\\)/i : /^\//;
  const separator = isWindows ? ";" : ":";
  return path
    .split(separator)
    .filter((entry) => isAbsolute.test(entry))
    .join(separator);
}
