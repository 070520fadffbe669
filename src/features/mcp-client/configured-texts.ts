// The variables and headers that a server gets. Secrets in them are read here, and remembered so that they can be
// hidden.
import { readSecret } from "../../core/base/secret-source.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ConfiguredText } from "./server-settings.ts";
import { NotConnected } from "./server-trouble.ts";

/** Returns the texts, and adds each secret that was read to `secrets`. Throws `NotConnected` if a secret is missing. */
export async function textsOf(
  texts: ReadonlyMap<string, ConfiguredText>,
  { host, secrets }: { readonly host: Host; readonly secrets: string[] },
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  for (const [name, text] of texts) {
    if (text.kind === "plain") {
      found[name] = text.text;
      continue;
    }
    const secret = await readSecret(text.source, { host, signal: new AbortController().signal });
    if (secret.kind !== "secret")
      throw new NotConnected(
        new Error(
          `the secret for \`${name}\` is missing${secret.kind === "missing" ? `: ${secret.reason}; ${secret.help}` : ""}`,
        ),
        { isOpen: true, said: [] },
        secrets,
      );
    secrets.push(secret.value);
    found[name] = `${text.before}${secret.value}`;
  }
  return found;
}
