// A folder with a home, in which the program runs again and again from the same state.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";

export function createBench({ program, scenario }) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-faults-")));
  const folder = join(root, "now");
  const saved = join(root, "saved");
  for (const name of ["home", "tmp"]) mkdirSync(join(folder, name), { recursive: true });
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(scenario.files)) write(path, text);
  const environment = {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: join(dirname(program), "cache"),
  };
  if (scenario.isTrusted) trust(folder);
  return {
    root,
    folder,
    environment,
    write,
    run: (words, stdin = "") =>
      spawnSync(process.execPath, [program, ...words], {
        cwd: folder,
        env: environment,
        input: stdin,
        encoding: "utf8",
      }),
    save: () => cpSync(folder, saved, { recursive: true, preserveTimestamps: true }),
    restore: () => {
      rmSync(folder, { recursive: true, force: true });
      cpSync(saved, folder, { recursive: true, preserveTimestamps: true });
    },
    files: () => filesBelow(folder),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function trust(folder) {
  const host = createNodeHost();
  const own = {
    ...host,
    folders: { ...host.folders, state: join(folder, "home/.local/state/dottool"), temporary: tmpdir() },
  };
  trustContent(readContent(join(folder, ".tools"), own), own);
}

/** Returns texts by path; folders have none. */
function filesBelow(folder) {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [relative(folder, path), entry.isFile() ? readFileSync(path, "latin1") : ""];
      }),
  );
}
