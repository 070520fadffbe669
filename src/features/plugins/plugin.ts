// A plugin is a module whose default export is made by `definePlugin`. It returns data; the loader checks it whole and
// takes all of it or nothing.
import type { BaseTool } from "../../core/tool/tool.ts";
import type { ForgeJudgeSpec } from "../../core/tool/forge-judge.ts";
import type { PluginOffers } from "../../core/tool/plugin-offers.ts";
import type { PolicyRule } from "../../core/tool/policy-rule.ts";

export interface Plugin {
  readonly name: string;
  /** The version of this contract. */
  readonly api: 1;
  contribute(): Contribution | Promise<Contribution>;
}

export interface Contribution {
  readonly baseTools?: readonly BaseTool[];
  /** Folders of `.tool` files, relative to the plugin. */
  readonly toolFolders?: readonly string[];
  /** Can only make policy stricter: `deny` over `ask` over `allow`. */
  readonly policyRules?: readonly PolicyRule[];
  /** Prompts for clients of the Model Context Protocol. */
  readonly prompts?: PluginOffers["prompts"];
  readonly resources?: PluginOffers["resources"];
  /** Forms of `dottool export`. */
  readonly exporters?: PluginOffers["exporters"];
  /** Formats of `dottool import`. */
  readonly importers?: PluginOffers["importers"];
  /** Judge the tools that models make. They can only refuse, or lower the confidence. */
  readonly forgeJudges?: readonly ForgeJudgeSpec[];
}
