// Secrets in files that are about to be published, where nothing can take them back.
import { basename } from "node:path";
import { secretVariables } from "../base/process-environment.ts";
import { secretIn } from "../text/secret-texts.ts";
import type { Host } from "../tool/host.ts";
import type { PackedFile } from "../tool/host-packages.ts";

const SECRET_CHARACTERS_MIN = 12;
const KEY_FILE =
  /^(?:\.env(?:\..*)?|\.npmrc|\.netrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$/i;
/** Returns what looks like a secret, without its text: `PATH: what`. */
export function secretsInside(files: readonly PackedFile[], host: Host): readonly string[] {
  const own = secretVariables(host).flatMap((name) => {
    const value = host.environment(name) ?? "";
    return value.length < SECRET_CHARACTERS_MIN ? [] : [{ name, value }];
  });
  return files.flatMap(({ path, bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const found = secretIn(text);
    return [
      ...(KEY_FILE.test(basename(path)) ? [`${path}: a file for secrets, by its name`] : []),
      ...(found ? [`${path}:${found.line}: ${found.is}`] : []),
      ...own
        .filter(({ value }) => text.includes(value))
        .map(({ name }) => `${path}: the value of your variable ${name}`),
    ];
  });
}
