// `scripts` of package.json. A script is called by its package manager, not copied: npm sets variables that programs
// read without naming them, runs `pre` and `post` scripts, and follows each edit.
import {
  endWordsText,
  type ImportedSource,
  type ImportedTool,
  type Part,
  type SourceText,
  wordsParameter,
} from "./imported-tool.ts";
import { mapOf, parsedJson } from "./source-data.ts";

type Manager = "npm" | "pnpm" | "yarn" | "bun";

/** Hooks that a package manager runs by itself. */
const OWN_HOOKS =
  /^(?:pre|post)?(?:install|publish|pack|prepare|version|shrinkwrap|uninstall)$|^(?:prepublishOnly|prepack|postpack|dependencies|preprepare|postprepare)$/;

const lockFiles: readonly (readonly [file: string, manager: Manager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

export function readNpmScripts({ text, neighbours }: SourceText): ImportedSource {
  const data = mapOf(parsedJson(text));
  const scripts = mapOf(data["scripts"]);
  const manager = managerOf(data, neighbours);
  const names = new Set(Object.keys(scripts));
  const tools = Object.entries(scripts).flatMap(([name, script]) => {
    // JSON has no comments, so many write `"//": "…"`.
    if (name.startsWith("//")) return [];
    if (typeof script !== "string") return [{ name, candidates: [], leftOut: "it is not a text" }];
    // `prebuild` runs with `build`.
    const isHook = OWN_HOOKS.test(name) || (names.has(name.replace(/^(?:pre|post)/, "")) && /^(?:pre|post)/.test(name));
    return isHook ? [] : [{ name, candidates: [toolOf(name, script, manager)] }];
  });
  return { format: `npm scripts, run by ${manager}`, tools, notes: [] };
}

function toolOf(name: string, script: string, manager: Manager): ImportedTool {
  const line = script.replaceAll(/\s+/g, " ").trim();
  return {
    name,
    description: `Run the script \`${name}\` of package.json: \`${line}\`.`,
    parameters: [wordsParameter("args", endWordsText("script", [line]))],
    runs: { kind: "command", words: callWords(manager, name) },
    requires: [manager],
    notes: [],
  };
}

/** pnpm and yarn pass `--` on to the script; npm and bun need it for words that begin with a dash. */
function callWords(manager: Manager, name: string): readonly Part[] {
  const args = { parameter: "args" };
  switch (manager) {
    case "npm":
      return ["npm", "run", "--silent", name, "--", args];
    case "pnpm":
      return ["pnpm", "--silent", "run", name, args];
    case "yarn":
      return ["yarn", "run", name, args];
    case "bun":
      return ["bun", "run", "--silent", name, args];
  }
}

function managerOf(data: Readonly<Record<string, unknown>>, neighbours: ReadonlySet<string>): Manager {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(String(data["packageManager"] ?? ""))?.[1];
  if (named === "npm" || named === "pnpm" || named === "yarn" || named === "bun") return named;
  return lockFiles.find(([file]) => neighbours.has(file))?.[1] ?? "npm";
}
