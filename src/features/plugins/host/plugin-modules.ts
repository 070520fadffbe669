// Loads TypeScript modules of plugins into the running program: Node strips the types, `dottool` means the program's
// own API, relative imports find `.ts` files, packages beside the module resolve as usual. Deno strips types itself.
import nodeModule from "node:module";
import process from "node:process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { HostModules, TrustedModules } from "../../../core/tool/host.ts";
import { guardEnding } from "../../../core/host/processes/end-program.ts";
import {
  hasSyntaxToTransform,
  syntaxErrorIn,
  transformTypeScript,
} from "../../javascript/host/transform-typescript.ts";
import type { LoadFnOutput } from "node:module";

type Api = Readonly<Record<string, unknown>>;

const API_NAME = "dottool";
const API_URL = "dottool:api";
const API_KEY = Symbol.for("dottool.api");
const isDeno = "deno" in process.versions;

export function createModules(cacheFolder: string): HostModules {
  return {
    load: async (path, api, trusted) => {
      // Packages are found by their real path.
      for (const folder of trusted ? [trusted.folder, realpathSync.native(trusted.folder)] : [])
        trustedFolders.set(folder, { folder, sums: trusted?.sums ?? new Map() });
      install(api, cacheFolder);
      if (hasChanged()) {
        generation++;
        readFiles.clear();
      }
      const url = pathToFileURL(path).href;
      folders.add(new URL(".", url).href);
      guardEnding((stack) => loading > 0 || [...folders].some((folder) => stack.includes(folder)));
      loading++;
      try {
        // A program that is one file remembers what an address led to.
        return (await import(generation > 0 ? `${url}?${generation}` : url)) as Api;
      } catch (error) {
        throw syntaxErrorAmong([...readFiles], error) ?? error;
      } finally {
        loading--;
      }
    },
  };
}

/**
 * What was read of plugins, by path. If any of it has changed, the next `load` reads everything again, under URLs of the
 * next generation; packages and CommonJS stay as they are. The old modules stay in memory.
 */
const readFiles = new Map<string, string>();
let generation = 0;

function hasChanged(): boolean {
  return [...readFiles].some(([path, text]) => !existsSync(path) || readFileSync(path, "utf8") !== text);
}

/** Returns the URL of a module of a plugin in this generation. */
function ofGeneration(url: string): string {
  return generation > 0 && isOfPlugin(url) ? `${url.replace(/\?\d+$/, "")}?${generation}` : url;
}

/** The program's own modules pass the same hooks. */
function isOfPlugin(url: string): boolean {
  if (!url.startsWith("file:") || isInPackage(url)) return false;
  return [...folders].some((folder) => url.startsWith(folder)) || folderOf(fileURLToPath(url)) !== undefined;
}

/** Node's own errors of syntax have no column, and amaro's are no errors. */
function syntaxErrorAmong(
  files: readonly (readonly [path: string, text: string])[],
  error: unknown,
): Error | undefined {
  if (!(error instanceof SyntaxError) && error instanceof Error) return undefined;
  for (const [path, text] of files.toReversed()) {
    const found = /\.m?ts$/.test(path) ? syntaxErrorIn(text, path) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Folders of plugins, as URLs: files beside a plugin are a part of it. */
const folders = new Set<string>();
let loading = 0;

let isInstalled = false;

/** Installs hooks for the life of the process, because a plugin may import more while it runs. */
function install(api: Api, cacheFolder: string): void {
  if (isInstalled) return;
  isInstalled = true;
  // A Node bug hangs on a compile cache below /proc; an unwritable one only costs time.
  if (!cacheFolder.startsWith("/proc/")) nodeModule.enableCompileCache?.(join(cacheFolder, "compiled-plugins"));
  Object.defineProperty(globalThis, API_KEY, { value: api, configurable: true });
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === API_NAME) return { url: API_URL, format: "module", shortCircuit: true };
      const file = typeScriptFile(specifier, context.parentURL);
      if (file === undefined || isDeno) {
        const found = next(file ?? specifier, context);
        requireTrusted(found.url, context.parentURL);
        // A program that is one file imports from no file, so that the plugin itself is found here, in TypeScript too.
        const isReloaded = !isDeno && /^(?:module(?:-typescript)?|json)$/.test(found.format ?? "");
        return isReloaded ? { ...found, url: ofGeneration(found.url) } : found;
      }
      requireTrusted(file, context.parentURL);
      return {
        url: ofGeneration(file),
        format: file.endsWith(".cts") ? "commonjs-typescript" : "module-typescript",
        shortCircuit: true,
      };
    },
    load: (url, context, next) => {
      if (url === API_URL) return { format: "module", source: apiModule(api), shortCircuit: true };
      // With any hook here, Deno reads the JSON of CommonJS packages as JavaScript.
      if (isDeno && url.endsWith(".json"))
        return { format: "json", source: readFileSync(fileURLToPath(url), "utf8"), shortCircuit: true };
      if (isDeno) return next(url, context);
      const isFile = url.startsWith("file:");
      const path = isFile ? fileURLToPath(url) : "";
      if (!/\.m?ts$/.test(path)) {
        if (isOfPlugin(url)) readFiles.set(path, readFileSync(path, "utf8"));
        return verified(url, next(url, context));
      }
      const code = readFileSync(path, "utf8");
      if (isOfPlugin(url)) readFiles.set(path, code);
      requireContent(url, code);
      if (!hasSyntaxToTransform(code) && !isInPackage(url))
        return { format: "module-typescript", source: code, shortCircuit: true };
      return { format: "module", source: transformTypeScript(code, path, cacheFolder), shortCircuit: true };
    },
  });
}

/** Node refuses to strip types there, and an exported package is there with its plugins. */
function isInPackage(url: string): boolean {
  return url.includes("/node_modules/");
}

/** Re-exports the running program's API, so that a plugin and the program share one copy. */
function apiModule(api: Api): string {
  const names = Object.keys(api).map((name) => `export const ${name} = api.${name};`);
  return [`const api = globalThis[Symbol.for(${JSON.stringify(API_KEY.description)})];`, ...names, ""].join("\n");
}

/** Finds a TypeScript file: `./x`, `./x.js` and `./x.ts` may all mean `x.ts`, as in compilers. */
function typeScriptFile(specifier: string, parentUrl: string | undefined): string | undefined {
  if (!/^(\.\.?\/|\/|file:)/.test(specifier) || !(parentUrl?.startsWith("file:") ?? specifier.startsWith("file:")))
    return undefined;
  const url = new URL(specifier, parentUrl).href.replace(/\?\d+$/, "");
  if (/\.[mc]?ts$/.test(url)) return url;
  if (existsSync(fileURLToPath(url)) && /\.[a-z]+$/.test(url)) return undefined;
  return [`${url}.ts`, url.replace(/\.([mc]?)js$/, ".$1ts"), `${url}/index.ts`].find(
    (candidate) => /\.[mc]?ts$/.test(candidate) && existsSync(fileURLToPath(candidate)),
  );
}

// Checks that modules of a trusted folder have the trusted content: every file that becomes a part of a plugin must be
// in that folder and have the content that a person trusted, when it is read to be run. Limits: the system opens a
// native addon after the check, Deno reads a file a second time and has no hook for `require`, and a plugin may itself
// read and evaluate other files, because it is a trusted program.
const trustedFolders = new Map<string, TrustedModules>();

/** Throws if an import is not a part of the trusted content. `url`: the resolved import. */
function requireTrusted(url: string, parentUrl: string | undefined): void {
  if (trustedFolders.size === 0 || /^(?:node|data|dottool):/.test(url)) return;
  const importer = parentUrl?.startsWith("file:") ? folderOf(fileURLToPath(parentUrl)) : undefined;
  const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  const owner = path === undefined ? undefined : folderOf(path);
  if (importer && owner?.sums !== importer.sums)
    throw new Error(
      `it imports \`${path ?? url}\`, which is outside \`${importer.folder}\`, so trust does not cover it; move it into that folder`,
    );
  // `load` reads and checks the others.
  if (path !== undefined && owner && (path.endsWith(".node") || "deno" in process.versions))
    requireSum(path, readFileSync(path), owner);
}

/** Throws if it is a file of a trusted folder with other content. */
function requireContent(url: string, content: string | Uint8Array): void {
  const path = fileURLToPath(url);
  const owner = folderOf(path);
  if (owner) requireSum(path, content, owner);
}

/** Returns the same result with the checked source. */
function verified(url: string, loaded: LoadFnOutput): LoadFnOutput {
  if (trustedFolders.size === 0 || !url.startsWith("file:") || !folderOf(fileURLToPath(url))) return loaded;
  const source = loaded.source ?? readFileSync(fileURLToPath(url));
  requireContent(
    url,
    typeof source === "string"
      ? source
      : new Uint8Array(
          ArrayBuffer.isView(source)
            ? source.buffer.slice(source.byteOffset, source.byteOffset + source.byteLength)
            : source,
        ),
  );
  return { ...loaded, source };
}

function folderOf(path: string): TrustedModules | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const trusted = trustedFolders.get(folder);
    if (trusted) return trusted;
  }
  return undefined;
}

function requireSum(path: string, content: string | Uint8Array, { folder, sums }: TrustedModules): void {
  const sum = process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
  const inside = path.slice(folder.length + 1).replaceAll(sep, "/");
  if (sums.get(inside) !== sum) throw new Error(`\`${path}\` has changed since it was trusted`);
}
