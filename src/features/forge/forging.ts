// Whether models may make tools in this session, and with which tools.
import type { Judges } from "./second-judges.ts";
import type { ForgeToolsOptions } from "./tools.ts";
import type { BaseTool } from "../../core/tool/tool.ts";
import type { ToolSource } from "../../core/session/tool-source.ts";
import type { Forging } from "../../core/session/assemble.ts";
import { createSettings } from "../../core/session/settings.ts";

export interface ForgingOptions extends Omit<ForgeToolsOptions, "judges"> {
  source(): ToolSource;
}

export async function forgingTools(forging: Forging, options: ForgingOptions): Promise<readonly BaseTool[]> {
  if (forging === "if-set" && !(await isSet(options))) return [];
  // They load the language of definitions, which most servers never need.
  const [{ JUDGE_TAG }, { forgeTools }] = await Promise.all([import("./second-judges.ts"), import("./tools.ts")]);
  const judges = (): Judges => ({
    plugins: options.source().pluginJudges(),
    unloaded: options
      .source()
      .pluginDiagnostics()
      .flatMap(({ severity, message }) => (severity === "error" ? [message] : [])),
    tools: options
      .source()
      .catalogue()
      .entries.flatMap(({ name, tags, resolution }) =>
        resolution.kind === "used" && tags.includes(JUDGE_TAG) ? [name] : [],
      ),
  });
  return forgeTools({ ...options, judges });
}

/** Settings that cannot be read allow nothing; `doctor` reports them. */
async function isSet({ host }: ForgingOptions): Promise<boolean> {
  const setting = await createSettings(host)("forge.allow").catch(() => undefined);
  return setting === "true";
}
