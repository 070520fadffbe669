// Secrets in files that are about to be published, where nothing can take them back.
import { basename } from "node:path";
import { secretVariables } from "../../core/base/process-environment.ts";
import { keyFilesAtHome, keyFilesByName } from "../../generated/guarded-files.ts";
import { secretIn } from "../../core/text/secret-texts.ts";
import type { Host } from "../../core/tool/host.ts";
import type { PackedFile } from "./host/packed-file.ts";

const SECRET_CHARACTERS_MIN = 12;
const KEY_FILE =
  /^(?:\.env(?:\..*)?|\.npmrc|\.netrc|\.pypirc|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|p12|pfx|key|keystore|jks|kdbx))$/i;
/** Where a home has keys and passwords: no package has a reason to have a file there either. */
const KEY_PLACES = [...keyFilesByName, ...keyFilesAtHome].flatMap(({ paths }) =>
  paths.split(", ").map((pattern) => new RegExp(`(?:^|/)${patternText(pattern)}(?:/|$)`, "i")),
);

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
      ...(isForSecrets(path) ? [`${path}: a file for secrets, by its name`] : []),
      ...(found ? [`${path}:${found.line}: ${found.is}`] : []),
      ...own
        .filter(({ value }) => text.includes(value))
        .map(({ name }) => `${path}: the value of your variable ${name}`),
    ];
  });
}

function isForSecrets(path: string): boolean {
  return KEY_FILE.test(basename(path)) || KEY_PLACES.some((place) => place.test(path));
}

/** `*` stands for any part of a name, as in grammar/files.yaml. */
function patternText(pattern: string): string {
  return pattern
    .split("*")
    .map((part) => part.replaceAll(/[^\w/ -]/g, "\\$&"))
    .join("[^/]*");
}
