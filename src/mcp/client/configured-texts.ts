// Variables and headers as a server gets them: the secrets in them are read now, and remembered to be hidden.
import { readSecret } from "../../base/secret-source.ts";
import type { Host } from "../../tool/host.ts";
import type { ConfiguredText } from "./server-settings.ts";
import { NotConnected } from "./server-trouble.ts";

/** `secrets` takes what was read. Throws `NotConnected` for a secret that is missing. */
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
