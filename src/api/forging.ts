// Whether models may make tools in this session, and with which tools.
import type { CatalogueEntry } from "../catalog/entry.ts";
import { JUDGE_TAG, type Judges } from "../forge/second-judges.ts";
import { forgeTools, type ForgeToolsOptions } from "../forge/tools.ts";
import type { ForgeJudgeSpec } from "../plugins/forge-judge.ts";
import type { PluginDiagnostic } from "../plugins/load.ts";
import type { BaseTool } from "../tool/tool.ts";
import type { Forging } from "./assemble.ts";
import { createSettings } from "./settings.ts";

export interface ForgingOptions extends Omit<ForgeToolsOptions, "judges"> {
  entries(): readonly CatalogueEntry[];
  pluginJudges(): readonly ForgeJudgeSpec[];
  pluginDiagnostics(): readonly PluginDiagnostic[];
}

export async function forgingTools(forging: Forging, options: ForgingOptions): Promise<readonly BaseTool[]> {
  if (forging === "if-set" && !(await isSet(options))) return [];
  const judges = (): Judges => ({
    plugins: options.pluginJudges(),
    unloaded: options.pluginDiagnostics().flatMap(({ severity, message }) => (severity === "error" ? [message] : [])),
    tools: options
      .entries()
      .flatMap(({ name, tags, resolution }) => (resolution.kind === "used" && tags.includes(JUDGE_TAG) ? [name] : [])),
  });
  return forgeTools({ ...options, judges });
}

/** Settings that cannot be read allow nothing; `doctor` reports them. */
async function isSet({ host }: ForgingOptions): Promise<boolean> {
  const setting = await createSettings(host)("forge.allow").catch(() => undefined);
  return setting === "true";
}
