// The options that choose the tools for clients of `dottool mcp` and the model of `dottool agent`.
import type { Forging } from "../../core/session/assemble.ts";
import type { OfferChoice } from "../../core/session/offered-names.ts";
import type { CommandInput } from "../command.ts";
import type { OptionRow } from "./option-words.ts";

export const offerOptions: readonly OptionRow[] = [
  {
    name: "bundled",
    does: "also offer the tools that come with dottool; without tools of your own, it offers them anyway",
  },
  {
    name: "only",
    value: "WORD",
    does: "offer only tools with this name or tag, and tools that do no more than this effect, such as `read` (repeatable)",
  },
  {
    name: "except",
    value: "WORD",
    does: "do not offer tools with this name, tag or effect, such as `run` (repeatable)",
  },
];

export const forgeOption: OptionRow = {
  name: "allow-forge",
  does: "let the model make tools while it works, with `forge_tool` and `run_forged`; `forge: {allow: true}` in config.yaml does so always",
};

/** Returns whether models may forge, by the options of a command that serves models. */
export function forgingOf(input: CommandInput): Forging {
  return input.has("allow-forge") ? "allowed" : "if-set";
}

export function offerChoiceOf(input: CommandInput): OfferChoice {
  return { only: input.values("only"), except: input.values("except"), isBundled: input.has("bundled") };
}
