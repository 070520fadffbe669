// The one filter of addresses in texts that leave this machine or are stored: locks, bundles, messages, logs.
import { soundsSecret } from "./secret-names.ts";

/** The part before `@`, which a path cannot have. Braces and `$` stand for values that are filled in later. */
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^/?#\s"'`<>\\${}]*)@/gi;
/** A value that is filled in later is no secret. */
const QUERY_VALUE = /([?&;#])([\w.~%[\]-]{1,100})=(?!\$|\{|%7b)[^&;#\s"'`<>\\]+/gi;
const SIGNATURE = /(?:^|[-_])sig(?:nature)?$/i;
/** These log in with keys, so a user alone is no secret. */
const BY_KEY = /^(?:[a-z]+\+)?s(?:sh|ftp):/i;
/** Stands for the value of a secret. */
export const HIDDEN_VALUE = "•••";

/** Returns the text without users and passwords before hosts, and with dots for secrets in queries. */
export function withoutCredentials(text: string): string {
  if (!text.includes("://")) return text;
  return text
    .replaceAll(USER_INFO, (all, scheme: string, info: string) => {
      const [user = ""] = info.split(":");
      if (!BY_KEY.test(scheme)) return scheme;
      return info === user ? all : `${scheme}${user}@`;
    })
    .replaceAll(QUERY_VALUE, (all, sign: string, name: string) =>
      isSecretQuery(name) ? `${sign}${name}=${HIDDEN_VALUE}` : all,
    );
}

export function hasCredentials(text: string): boolean {
  return withoutCredentials(text) !== text;
}

function isSecretQuery(name: string): boolean {
  return soundsSecret(name) || SIGNATURE.test(name);
}

/** For `JSON.stringify`, so that no field is forgotten. */
export function replacingCredentials(_key: string, value: unknown): unknown {
  return typeof value === "string" ? withoutCredentials(value) : value;
}
