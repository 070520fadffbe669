// The key of a provider, read when it is needed and hidden from then on.
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import type { ModelQuestion } from "./model-answer.ts";
import { readSecret, type SecretSource, sourceText } from "../../core/base/secret-source.ts";

export interface ModelKey {
  readonly kind: "key";
  /** Absent if the provider has none. */
  readonly value?: string;
  /** The source of the key, for messages. */
  readonly from?: string;
}

type KeyAnswer = ModelKey | { readonly kind: "failed"; readonly outcome: Outcome };

export async function keyOf(
  source: SecretSource | undefined,
  { provider, configPath }: Pick<ModelQuestion, "provider" | "configPath">,
  context: Pick<ToolContext, "host" | "signal" | "hide">,
): Promise<KeyAnswer> {
  if (source === undefined) return { kind: "key" };
  const secret = await readSecret(source, context);
  switch (secret.kind) {
    case "secret":
      await context.hide([secret.value]);
      return { kind: "key", value: secret.value, from: sourceText(source) };
    case "missing":
      return {
        kind: "failed",
        outcome: failed({
          kind: "unavailable",
          tool: "ask_model",
          reasons: [`the key of \`${provider}\` is missing: ${secret.reason}`],
          help: [secret.help, `or name another place for it in \`${configPath}\``],
        }),
      };
    case "cancelled":
      return { kind: "failed", outcome: failed({ kind: "cancelled" }) };
  }
}
