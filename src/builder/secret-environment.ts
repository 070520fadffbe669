// `@env X=secret:NAME`: the secret is fetched for each call, masked in all output, and never a part of the shown call.
import { namedSecret } from "../base/named-secret.ts";
import { failed } from "../tool/base-tool.ts";
import type { Outcome } from "../tool/call.ts";
import type { Surroundings } from "../tool/definition.ts";
import type { ToolContext } from "../tool/tool.ts";

export type SecretEnvironment =
  | { readonly environment: Readonly<Record<string, string>> }
  | { readonly outcome: Outcome };

export async function secretEnvironment(
  secrets: NonNullable<Surroundings["secrets"]>,
  context: ToolContext,
): Promise<SecretEnvironment> {
  const environment: Record<string, string> = {};
  for (const { variable, secret } of secrets) {
    const found = await namedSecret(secret, context);
    if (found.kind === "cancelled") return { outcome: failed({ kind: "cancelled" }) };
    if (found.kind === "missing")
      return {
        outcome: failed({
          kind: "unavailable",
          tool: context.path.at(-1) ?? "",
          reasons: [`the secret \`${secret}\` is missing: ${found.reason}`],
          help: [found.help],
        }),
      };
    environment[variable] = found.value;
  }
  await context.hide(Object.values(environment));
  return { environment };
}
