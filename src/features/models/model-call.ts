// Finds the provider for a question. The first call of `ask_model` loads it, with YAML and other modules.
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { ModelQuestion } from "./model-answer.ts";
import { PROVIDERS_EXAMPLE } from "./model-example.ts";
import { type ModelSettings, type Provider, readModelSettings } from "./model-settings.ts";

interface ModelArguments {
  readonly prompt: string;
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly system: string | undefined;
  readonly max_tokens: number | undefined;
  readonly temperature: number | undefined;
}

export async function callModel(args: ModelArguments, context: ToolContext): Promise<Outcome> {
  const settings = readModelSettings(context.host);
  const chosen = chooseProvider(args.provider, settings);
  if (chosen.kind === "failed") return chosen.outcome;
  const question: ModelQuestion = {
    provider: chosen.name,
    configPath: settings.path,
    prompt: args.prompt,
    ...(args.system === undefined ? {} : { system: args.system }),
    ...(args.model === undefined ? {} : { model: args.model }),
    ...(args.max_tokens === undefined ? {} : { maxTokens: args.max_tokens }),
    ...(args.temperature === undefined ? {} : { temperature: args.temperature }),
  };
  return askProvider(chosen.provider, question, context);
}

async function askProvider(provider: Provider, question: ModelQuestion, context: ToolContext): Promise<Outcome> {
  switch (provider.kind) {
    case "command":
      return (await import("./model-command.ts")).askCommand(question, { provider, context });
    case "openai":
    case "anthropic":
      return (await import("./model-api.ts")).askModelApi(question, { provider, context });
    case "mock":
      return (await import("./model-mock.ts")).askMock(question, context);
  }
}

/** Returns why the provider cannot be asked, or undefined if it can, as far as the configuration tells. */
export function providerFailure(name: string, host: ToolContext["host"]): Failure | undefined {
  const chosen = chooseProvider(name, readModelSettings(host));
  return chosen.kind === "failed" && chosen.outcome.status === "failed" ? chosen.outcome.failure : undefined;
}

export type Chosen =
  | { readonly kind: "chosen"; readonly name: string; readonly provider: Provider }
  | { readonly kind: "failed"; readonly outcome: Outcome };

interface Asker {
  readonly tool: string;
  readonly option: string;
  /** An example of providers that it can use. */
  readonly example: string;
}

const ASK_MODEL: Asker = { tool: "ask_model", option: "provider", example: PROVIDERS_EXAMPLE };

/** Chooses a provider. `asker.option` is what the caller passes to name one. */
export function chooseProvider(wanted: string | undefined, settings: ModelSettings, asker: Asker = ASK_MODEL): Chosen {
  const { path, providers, problems } = settings;
  const names = [...providers.keys()];
  const unavailable = (reasons: readonly string[], ...help: readonly string[]): Chosen => ({
    kind: "failed",
    outcome: failed({ kind: "unavailable", tool: asker.tool, reasons, help }),
  });
  const name = wanted ?? settings.default;
  if (names.length === 0)
    return problems.length > 0
      ? unavailable(problems, REPAIR_HELP)
      : unavailable(["no model is configured"], `add your models to \`${path}\`, for example:\n\n${asker.example}`);
  if (name === undefined)
    return unavailable(
      problems.length > 0 ? problems : ["there are several providers, and no default"],
      `pass \`${asker.option}\` (${quoted(names)}), or write \`default: ${names[0]}\` below \`providers:\` in \`${path}\``,
    );
  const found = providers.get(name);
  if (!found)
    return unavailable(
      [`there is no provider \`${name}\`${didYouMean(name, names)}`],
      `providers in \`${path}\`: ${quoted(names)}`,
    );
  return found.kind === "sound"
    ? { kind: "chosen", name, provider: found.provider }
    : unavailable(found.problems, REPAIR_HELP);
}

const REPAIR_HELP = "fix it there; `dottool doctor` checks all providers";

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
