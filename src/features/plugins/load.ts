import type { Diagnostic } from "../../core/text/diagnostic.ts";
import { positionOf, type Span } from "../../core/text/source.ts";
import type { Host } from "../../core/tool/host.ts";
import type { BaseTool } from "../../core/tool/tool.ts";
import { thrownError } from "../../core/tool/thrown-error.ts";
import { basename, dirname, resolve } from "node:path";
import { readDefinitionBytes, shownPathOf } from "../../core/catalog/load.ts";
import type { PolicyRule } from "../../core/tool/policy-rule.ts";
import type { LoadedPlugins, PluginDiagnostic, TrustedPlugin } from "../../core/tool/loaded-plugins.ts";
import { noteRunning } from "../../core/tool/loaded-plugins.ts";
import * as api from "./api.ts";
import { type CheckedContribution, checkContribution, checkPlugin } from "./check-contribution.ts";
import type { ForgeJudgeSpec } from "../../core/tool/forge-judge.ts";
import type { PluginOffers } from "../../core/tool/plugin-offers.ts";

interface LoadPluginsOptions {
  readonly host: Host;
  /** Absolute: paths are shown relative to it. */
  readonly cwd: string;
  /** More names for `import … from "dottool"`, from a layer above this one. */
  readonly more?: Readonly<Record<string, unknown>>;
  /**
   * A plugin that has not answered by then is broken. Nothing stops one that never lets go of the thread. Default:
   * 10,000.
   */
  readonly loadMsMax?: number;
}

const LOAD_MS_MAX = 10_000;

/** One after the other, in the order given, so that the result does not depend on their speed. */
export async function loadPlugins(
  plugins: readonly TrustedPlugin[],
  options: LoadPluginsOptions,
): Promise<LoadedPlugins> {
  const tools: BaseTool[] = [];
  const toolFolders: LoadedPlugins["toolFolders"][number][] = [];
  const policyRules: PolicyRule[] = [];
  const forgeJudges: ForgeJudgeSpec[] = [];
  const diagnostics: PluginDiagnostic[] = [];
  const prompts: PluginOffers["prompts"][number][] = [];
  const resources: PluginOffers["resources"][number][] = [];
  const exporters: PluginOffers["exporters"][number][] = [];
  const importers: PluginOffers["importers"][number][] = [];
  for (const plugin of plugins) {
    const { path } = plugin;
    const loaded = await loadOne(plugin, options);
    if ("problem" in loaded) {
      diagnostics.push({ ...loaded.problem, plugin: path });
      continue;
    }
    tools.push(...loaded.tools);
    toolFolders.push(...loaded.toolFolders.map((folder) => ({ path: resolve(dirname(path), folder), plugin: path })));
    policyRules.push(...loaded.policyRules);
    forgeJudges.push(
      ...loaded.forgeJudges.map((spec) => ({
        name: `${loaded.name}/${spec.name}`,
        judge: (...asked: Parameters<ForgeJudgeSpec["judge"]>) => spec.judge(...asked),
      })),
    );
    prompts.push(...loaded.prompts);
    resources.push(...loaded.resources);
    exporters.push(...loaded.exporters);
    importers.push(...loaded.importers);
  }
  return { tools, toolFolders, policyRules, forgeJudges, prompts, resources, exporters, importers, diagnostics };
}

async function loadOne(
  { path, modules }: TrustedPlugin,
  options: LoadPluginsOptions,
): Promise<CheckedContribution | { readonly problem: Diagnostic }> {
  const { host } = options;
  const found = host.instant.stat(path);
  // Opening a FIFO would wait for a writer, and reading a device might never end.
  if (found?.kind !== "file")
    return {
      problem: broken(path, found ? "it is not a regular file" : "it does not exist, or is a dangling link", options),
    };
  noteRunning(path);
  const onEveryObject = Object.keys(Object.prototype);
  try {
    const exports = await inTime(host.modules.load(path, { ...api, ...options.more }, modules), options);
    const added = takeBackAdditions(onEveryObject);
    if (added.length > 0)
      return {
        problem: broken(
          path,
          `it adds ${added.map((name) => `\`${name}\``).join(", ")} to every object of the program`,
          options,
        ),
      };
    const plugin = checkPlugin(exports["default"]);
    if ("fault" in plugin) return { problem: broken(path, plugin.fault, options) };
    const contribution = checkContribution(plugin.name, await inTime(Promise.resolve(plugin.contribute()), options));
    if ("fault" in contribution) return { problem: broken(path, contribution.fault, options) };
    return { ...contribution, tools: contribution.tools.map((tool) => stamped(tool, contribution.name, path)) };
  } catch (error) {
    return { problem: broken(path, thrownError(error), options) };
  }
}

/**
 * A property that a module adds to `Object.prototype` would be read as an option of every tool. A non-enumerable one
 * does no harm.
 */
function takeBackAdditions(before: readonly string[]): readonly string[] {
  return Object.keys(Object.prototype).filter(
    (name) => !before.includes(name) && Reflect.deleteProperty(Object.prototype, name),
  );
}

async function inTime<T>(promise: Promise<T>, { host, loadMsMax = LOAD_MS_MAX }: LoadPluginsOptions): Promise<T> {
  const done = new AbortController();
  const late = host.sleep(loadMsMax, done.signal).then(() => {
    if (!done.signal.aborted) throw new Error(`it did not load within ${loadMsMax / 1000} s`);
    return promise;
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
}

function stamped(tool: BaseTool, plugin: string, path: string): BaseTool {
  return Object.freeze<BaseTool>({
    ...tool,
    definition: { ...tool.definition, origin: { kind: "plugin", plugin, path } },
  });
}

/** `why` is the end of a sentence that begins with the plugin, or what it threw. */
function broken(path: string, why: string | Error, options: LoadPluginsOptions): Diagnostic {
  const shown = shownPathOf(path, options.cwd);
  const reason = typeof why === "string" ? why : (why.message.split("\n")[0] ?? "");
  const span = typeof why === "string" ? undefined : placeOf(why, path, options);
  return {
    code: "broken-plugin",
    severity: "error",
    message: `the plugin \`${shown}\` cannot be used: ${reason}`,
    ...(span ? { at: { span, text: "" } } : {}),
    related: [],
    help: ["the other tools keep working; `plugins/README.md` shows a whole plugin"],
  };
}

type PlaceOptions = Pick<LoadPluginsOptions, "host" | "cwd">;

/** Returns the place in the plugin, or in the file beside it that cannot be read, from the stack of an error. */
function placeOf(error: Error, path: string, { host, cwd }: PlaceOptions): Span | undefined {
  const stack = error.stack ?? "";
  const inFile = (name: string): RegExpExecArray | null =>
    new RegExp(`(${name})(?:\\?\\d+)?:(\\d+)(?::(\\d+))?`).exec(stack);
  const escaped = (text: string): string => text.replaceAll(/[^\w]/g, "\\$&");
  const own = inFile(escaped(basename(path)));
  const place = own ?? (error.name === "SyntaxError" ? inFile(`${escaped(dirname(path))}[^\\n?:]*`) : null);
  if (!place) return undefined;
  const file = own ? path : (place[1] ?? path);
  const bytes = readDefinitionBytes(file, file, { host });
  if ("code" in bytes) return undefined;
  const source = { path: shownPathOf(file, cwd), text: new TextDecoder().decode(bytes) };
  const lines = source.text.split("\n").slice(0, Number(place[2]) - 1);
  const start = lines.reduce((offset, line) => offset + line.length + 1, 0) + Number(place[3] ?? 1) - 1;
  // A place at the end is that of the last character.
  const last = source.text.length - 1;
  return start <= last + 1 ? { source, start: Math.min(start, last), end: Math.min(start, last) + 1 } : undefined;
}

/** Returns `PATH:LINE:COLUMN: `; empty if the place is unknown. */
export function placeTextOf(error: Error, path: string, options: PlaceOptions): string {
  const span = placeOf(error, path, options);
  if (!span) return "";
  const { line, column } = positionOf(span.source, span.start);
  return `${span.source.path}:${line}:${column}: `;
}
