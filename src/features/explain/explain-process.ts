// The process that a call of `run_command` would start, as data. Pure except for the names of the environment.
import { commandFolder } from "../../core/base/command-folder.ts";
import { processEnvironment, secretVariables } from "../../core/base/process-environment.ts";
import { environmentGiven } from "../../core/run/call-tool.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Session } from "../../core/run/session.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";

export interface ProcessPlan {
  readonly argv: readonly string[];
  /** Present if `argv` is a shell with a script: its index in `argv`, and the values beside it. */
  readonly script?: { readonly index: number; readonly text: string; readonly values: readonly string[] };
  /** Absolute. */
  readonly cwd: string;
  /**
   * The names of variables that are passed unchanged; their values may be secrets of other programs. `withheld` are the
   * names of secrets that are left out when all other variables are passed.
   */
  readonly environment: {
    readonly set: Readonly<Record<string, string>>;
    readonly passed: readonly string[];
    readonly withheld?: readonly string[];
    /** The file whose variables are set too, with values that nobody is shown. */
    readonly file?: string;
    /** What a model's call passes instead, if that is less. */
    readonly toModel?: readonly string[];
    /** Variables that the script reads and that are not set here: it would end there. */
    readonly unset?: readonly string[];
  };
  readonly stdin?: string;
  /** The answer that the process gets without a terminal, and after how long. */
  readonly interactive?: JsonObject;
}

/** `args` are the arguments of `run_command`; `tool` is the one that is called, if nothing confines its processes. */
export function processPlan(args: JsonObject, session: Session, tool?: Tool): ProcessPlan {
  const { command, argv: given, working_dir: folder, stdin, interactive, env, inherit_env, pass_env } = args;
  const environment = tool && environmentGiven(session, tool).givesEnvironment;
  const inherits = inherit_env ?? environment !== undefined;
  const named = { passed: texts(pass_env), needed: texts(args["program_env"]) };
  const shell = session.host.platform === "windows" ? ["cmd.exe", "/d", "/s", "/c"] : ["sh", "-c"];
  const argv = typeof command === "string" ? [...shell, command] : texts(given);
  const declared = isJsonObject(env ?? null)
    ? Object.fromEntries(Object.entries(env as JsonObject).map(([name, value]) => [name, String(value)]))
    : {};
  const passedOn = (all: boolean): Readonly<Record<string, string>> =>
    processEnvironment(session.host, {
      declared,
      inherits: all,
      isPlain: environment === "plain" && inherit_env === undefined,
      ...named,
    });
  const whole = passedOn(inherits === true);
  const names = (environment: Readonly<Record<string, string>>): readonly string[] =>
    Object.keys(environment)
      .filter((name) => !Object.hasOwn(declared, name))
      .sort();
  const isFromFile = args["env_file"] !== undefined;
  const unset = isFromFile
    ? []
    : [...texts(args["read_env"]), ...texts(args["filled_env"])].filter((name) => !whole[name]);
  const withheld =
    inherits === true
      ? secretVariables(session.host)
          .filter((name) => !Object.hasOwn(whole, name))
          .sort()
      : [];
  const script = scriptOf(argv);
  return {
    argv,
    ...(script ? { script } : {}),
    cwd: commandFolder(typeof folder === "string" ? folder : ".", session),
    environment: {
      set: declared,
      passed: names(whole),
      ...(typeof args["env_file"] === "string" ? { file: args["env_file"] } : {}),
      ...(withheld.length === 0 ? {} : { withheld }),
      ...(inherits === true && inherit_env === undefined ? { toModel: names(passedOn(false)) } : {}),
      ...(unset.length === 0 ? {} : { unset }),
    },
    ...(typeof stdin === "string" ? { stdin } : {}),
    ...(isJsonObject(interactive) ? { interactive } : {}),
  };
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item: Json) => String(item)) : [];
}

/** `sh -c SCRIPT dottool VALUE…`, as core/base/bind-command.ts writes it. */
function scriptOf(argv: readonly string[]): ProcessPlan["script"] {
  const index = argv.findIndex((word) => /^(-c|-Command|\/c)$/i.test(word)) + 1;
  const text = argv[index];
  if (
    index === 0 ||
    text === undefined ||
    !/^(sh|bash|zsh|pwsh|cmd)(\.exe)?$/.test(argv[0]?.split(/[\\/]/).at(-1) ?? "")
  )
    return undefined;
  return { index, text, values: argv.slice(index + 2) };
}
