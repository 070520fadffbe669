// The files that interpreters try for the name of a script or a module.

const LOADERS = "-r -l --require --import --loader --experimental-loader --preload --test-reporter".split(" ");
const NODE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.ts", "/package.json"];

/** Returns whether the option loads a file before the script, which still runs. `program` is its name in the tables. */
export function isPreload(program: string, option: string): boolean {
  if (/^(?:node|nodejs|bun|tsx|ts-node|ruby|lua|luajit)$/.test(program)) return LOADERS.includes(option);
  return /^(?:perl -[MmFd]|php (?:-d|-z|--define|--zend-extension))$/.test(`${program} ${option}`);
}

/** Returns further paths that it may be, without the word itself. */
export function scriptForms(program: string, script: string): readonly string[] {
  if (/^(?:python|pypy)/.test(program)) return [`${script}/__main__.py`];
  return /^(?:node|nodejs|bun|tsx|ts-node)$/.test(program) ? NODE_ENDINGS.map((ending) => script + ending) : [];
}

/** Returns the paths for `python -m a.b`. */
export function moduleForms(module: string): readonly string[] {
  const path = module.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
}
