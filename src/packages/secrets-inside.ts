// Secrets in files that are about to be published, where nothing can take them back.
import { basename } from "node:path";
import { secretVariables } from "../base/process-environment.ts";
import type { Host } from "../tool/host.ts";
import type { PackedFile } from "../tool/host-packages.ts";

const SECRET_CHARACTERS_MIN = 12;
const KEY_FILE =
  /^(?:\.env(?:\..*)?|\.npmrc|\.netrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$/i;
/** Forms of tokens, as their issuers document them for scanners. */
const TOKENS: readonly (readonly [what: string, form: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50})/],
  ["a GitLab token", /\bglpat-[\w-]{20}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}|:_authToken\s*=\s*[^\s${]/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[\w-]{35}/],
  ["a Slack token", /\bxox[abeoprs]-[\w-]{10}/],
  ["a Stripe key", /\b[rs]k_live_[A-Za-z0-9]{20}/],
  ["a key of a model provider", /\bsk-(?:ant-|proj-)?[\w-]{32}/],
];

/** Returns what looks like a secret, without its text: `PATH: what`. */
export function secretsInside(files: readonly PackedFile[], host: Host): readonly string[] {
  const own = secretVariables(host).flatMap((name) => {
    const value = host.environment(name) ?? "";
    return value.length < SECRET_CHARACTERS_MIN ? [] : [{ name, value }];
  });
  return files.flatMap(({ path, bytes }) => {
    const text = new TextDecoder().decode(bytes);
    return [
      ...(KEY_FILE.test(basename(path)) ? [`${path}: a file for secrets, by its name`] : []),
      ...TOKENS.filter(([, form]) => form.test(text)).map(([what]) => `${path}: ${what}`),
      ...own
        .filter(({ value }) => text.includes(value))
        .map(({ name }) => `${path}: the value of your variable ${name}`),
    ];
  });
}
