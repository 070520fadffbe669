// What the interpreters find for a script or a module that is named: more than the word says.

const LOADERS = "-r -l --require --import --loader --experimental-loader --preload --test-reporter".split(" ");
const NODE_ENDINGS = [".js", ".mjs", ".cjs", ".ts", ".json", "/index.js", "/index.ts", "/package.json"];

/** Whether the option loads something before the script, which runs all the same. `program`: as in the tables. */
export function isPreload(program: string, option: string): boolean {
  if (/^(?:node|nodejs|bun|tsx|ts-node|ruby|lua|luajit)$/.test(program)) return LOADERS.includes(option);
  return /^(?:perl -[MmFd]|php (?:-d|-z|--define|--zend-extension))$/.test(`${program} ${option}`);
}

/** Paths that it may be, without the word itself. */
export function scriptForms(program: string, script: string): readonly string[] {
  if (/^(?:python|pypy)/.test(program)) return [`${script}/__main__.py`];
  return /^(?:node|nodejs|bun|tsx|ts-node)$/.test(program) ? NODE_ENDINGS.map((ending) => script + ending) : [];
}

/** Of `python -m a.b`. */
export function moduleForms(module: string): readonly string[] {
  const path = module.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
}
