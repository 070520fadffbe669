// The files that interpreters try for the name of a script or a module.
import { projectRunners } from "../../generated/project-runners.ts";
import type { Host } from "../tool/host.ts";
import type { ProjectRunner } from "./files-rows.ts";

const LOADERS = "-r -l --require --import --loader --experimental-loader --preload --test-reporter".split(" ");
const NODE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.ts", "/package.json"];

/** Returns whether the option loads a file before the script, which still runs. `program` is its name in the tables. */
export function isPreload(program: string, option: string): boolean {
  if (/^(?:node|nodejs|bun|tsx|ts-node|ruby|lua|luajit)$/.test(program)) return LOADERS.includes(option);
  return /^(?:perl -[MmFd]|php (?:-d|-z|--define|--zend-extension))$/.test(`${program} ${option}`);
}

export function isPython(program: string): boolean {
  return /^(?:python|pypy)/.test(program);
}

/** Returns further paths that it may be, without the word itself. */
export function scriptForms(program: string, script: string): readonly string[] {
  if (isPython(program)) return [`${script}/__main__.py`];
  return /^(?:node|nodejs|bun|tsx|ts-node)$/.test(program) ? NODE_ENDINGS.map((ending) => script + ending) : [];
}

/** Returns the paths for `python -m a.b`. */
export function moduleForms(module: string): readonly string[] {
  const path = module.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
}

const IMPORTED_MAX = 100;

/** Returns the paths of modules that program text may load from the working folder. */
export function importedModules(program: string, text: string): readonly string[] {
  if (isPython(program)) {
    const statements = text.match(/\b(?:from|import)\b[^;\n)]*/g) ?? [];
    const names = statements.flatMap((statement) => statement.match(/[A-Za-z_][\w.]*/g) ?? []);
    return names.slice(0, IMPORTED_MAX).flatMap(moduleForms);
  }
  const quoted = [...text.matchAll(/(["'`])([\w@./-]+)\1/g)].map(([, , name = ""]) => name).slice(0, IMPORTED_MAX);
  if (!/^(?:node|nodejs|bun|tsx|ts-node)$/.test(program)) {
    return quoted.flatMap((name) =>
      /\.(?:rb|php|pl|pm|lua|inc)$/.test(name) ? [name] : ["rb", "lua"].map((end) => `${name}.${end}`),
    );
  }
  return quoted.flatMap((name) =>
    /^[./]/.test(name)
      ? [...(/\.[cm]?[jt]s$|\.node$|\.json$/.test(name) ? [name] : []), ...NODE_ENDINGS.map((ending) => name + ending)]
      : [`node_modules/${name}/package.json`, `node_modules/${name}/index.js`, `node_modules/${name}.js`],
  );
}

let lazyRunners: ReadonlyMap<string, readonly ProjectRunner[]> | undefined;

/** `name` is the name of a program in the tables. */
export function runnersOf(name: string): readonly ProjectRunner[] {
  lazyRunners ??= byName();
  return lazyRunners.get(name) ?? [];
}

function byName(): ReadonlyMap<string, readonly ProjectRunner[]> {
  const known = new Map<string, ProjectRunner[]>();
  for (const runner of projectRunners) {
    for (const name of runner.names.split(" ")) known.set(name, [...(known.get(name) ?? []), runner]);
  }
  return known;
}

const SCRIPT_BYTES_MAX = 256 * 1024;
/** Matches a first line that names a shell. */
export const SHELL_START = /^#!.*\b(?:ba|da|z|k|a)?sh\b/;

/** A shell reads every file that it is given as its script, whatever the name and the first line. */
export function shellScript(file: string, isGiven: boolean, { instant }: Host): string | undefined {
  try {
    const stat = instant.stat(file);
    if (stat?.kind !== "file" || stat.sizeBytes > SCRIPT_BYTES_MAX) return undefined;
    const text = new TextDecoder().decode(instant.readBytes(file, stat.sizeBytes));
    const isScript = text.startsWith("#!") ? SHELL_START.test(text) : /\.(?:ba|z|k)?sh$|\/[^./]+$/.test(file);
    return (isGiven || isScript) && !text.includes("\0") ? text : undefined;
  } catch {
    return undefined;
  }
}
