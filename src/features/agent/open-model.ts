// Opens the model that `--model` names.
import { type ApiModel, createApiModel } from "../models/api-model.ts";
import { chooseProvider } from "../models/model-call.ts";
import { API_PROVIDERS_EXAMPLE } from "../models/model-example.ts";
import { keyOf } from "../models/model-key.ts";
import { type ApiProvider, MODEL_NAME, readModelSettings } from "../models/model-settings.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";

type OpenedModel = { readonly model: ApiModel; readonly secrets: readonly string[] } | { readonly failure: Failure };

/** Sent if neither the SDK nor the configuration has a limit for the model; the Messages API requires one. */
const TOKENS_DEFAULT = 16_384;

/** `wanted`: a provider, or `PROVIDER/MODEL`; absent: the default. */
export async function openModel(wanted: string | undefined, host: Host, signal: AbortSignal): Promise<OpenedModel> {
  const settings = readModelSettings(host);
  const split = splitWanted(wanted, [...settings.providers.keys()]);
  const chosen = chooseProvider(split.provider, settings, {
    tool: "agent",
    option: "--model",
    example: API_PROVIDERS_EXAMPLE,
  });
  if (chosen.kind === "failed")
    return { failure: chosen.outcome.status === "failed" ? chosen.outcome.failure : { kind: "cancelled" } };
  const { name, provider } = chosen;
  const configPath = settings.path;
  if (provider.kind === "command" || provider.kind === "mock")
    return unavailable(`\`${name}\` is of kind \`${provider.kind}\`, which cannot call tools`, usable(settings));
  const model = split.model ?? provider.model;
  if (model === undefined)
    return unavailable(
      `\`${name}\` has no model`,
      `write \`--model ${name}/MODEL\`, or \`model: NAME\` for \`${name}\` in \`${configPath}\``,
    );
  if (!MODEL_NAME.test(model))
    return unavailable(
      `\`${model}\` is not a model name`,
      "use letters, digits and `. _ : / @ + -`, starting with a letter or digit",
    );
  const secrets: string[] = [];
  const key = await keyOf(
    provider.key,
    { provider: name, configPath },
    { host, signal, hide: async (values) => void secrets.push(...values) },
  );
  if (key.kind === "failed")
    return { failure: failureOf(key.outcome.status === "failed" ? key.outcome.failure : { kind: "cancelled" }) };
  const asked = { name, configPath, provider, model, key, host };
  return { model: createApiModel({ ...asked, tokensDefault: TOKENS_DEFAULT, countsTokens: true }), secrets };
}

/** Names of models may contain slashes, names of providers do not. */
function splitWanted(
  wanted: string | undefined,
  providers: readonly string[],
): { readonly provider?: string; readonly model?: string } {
  if (wanted === undefined) return {};
  const slash = wanted.indexOf("/");
  if (slash === -1 || providers.includes(wanted)) return { provider: wanted };
  return { provider: wanted.slice(0, slash), model: wanted.slice(slash + 1) };
}

function usable({ providers, path }: ReturnType<typeof readModelSettings>): string {
  const names = [...providers].flatMap(([name, found]) =>
    found.kind === "sound" && isApi(found.provider) ? [`\`${name}\``] : [],
  );
  return names.length === 0
    ? `add a provider of kind \`openai\` or \`anthropic\` to \`${path}\``
    : `pass \`--model NAME\`; the providers that can: ${names.join(", ")}`;
}

function isApi(provider: { readonly kind: string }): provider is ApiProvider {
  return provider.kind === "openai" || provider.kind === "anthropic";
}

function failureOf(failure: Failure): Failure {
  return failure.kind === "unavailable" ? { ...failure, tool: "agent" } : failure;
}

function unavailable(reason: string, help: string): OpenedModel {
  return { failure: { kind: "unavailable", tool: "agent", reasons: [reason], help: [help] } };
}
