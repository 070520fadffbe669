// The one filter of addresses in texts that leave this machine or are stored: locks, bundles, messages, logs.
import { soundsSecret } from "./secret-names.ts";

/** What is before the last `@` of a host: RFC 3986 allows `$&'();,` there, and programs allow `{`, `<` and more. */
const USER_INFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)([^/?#\s"`\\]*)@/gi;
/** A quote behind a value is that of the text. */
const QUERY_VALUE = /([?&;#][^?&;#=\s"'`<>\\]+)=([^&#\s"`\\]+?)(?='?(?:[&#\s"`\\]|$))/g;
const SIGNATURE = /(?:^|[-_])sig(?:nature)?$/i;
const PASSWORD = /(?:^|[-_.[])pwd\]?$/i;
/** A value that is filled in later is no secret. */
const FILLED_IN = /^(?:\$\w+|\$?\{\w[\w.-]*\})$/;
/** These log in with keys, so the name of a user alone is no secret; a token is not written like one. */
const BY_KEY = /^(?:[a-z]+\+)?s(?:sh|ftp):/i;
const USER = /^[a-z_][a-z0-9._-]{0,23}$/;
/** The addresses of pages and files have one host; those of databases and queues may have several. */
const ONE_HOST = /^(?:[a-z]+\+)?(?:https?|ftps?|wss?|git|ssh|sftp):/i;
const FURTHER_HOST = /@((?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?,)/gi;
/** Stands for the value of a secret. */
export const HIDDEN_VALUE = "•••";

/** Returns the text without users and passwords before hosts, and with dots for secrets in queries. */
export function withoutCredentials(text: string): string {
  if (!text.includes("://")) return text;
  const left = text
    .replaceAll(USER_INFO, (all, scheme: string, info: string) => {
      const [user = "", ...password] = info.split(":");
      const secret = password.length === 0 ? user : password.join(":");
      if (FILLED_IN.test(secret)) return all;
      const hosts = ONE_HOST.test(scheme) ? [] : [...info.matchAll(FURTHER_HOST)].map(([, host]) => host);
      return BY_KEY.test(scheme) && USER.test(user) ? `${scheme}${user}@` : scheme + hosts.join("");
    })
    .replaceAll(QUERY_VALUE, (all, name: string, value: string) =>
      isSecretQuery(decoded(name.slice(1))) && !FILLED_IN.test(decoded(value)) ? `${name}=${HIDDEN_VALUE}` : all,
    );
  return /^\S+$/.test(left) ? withoutLogin(left) : left;
}

/** Takes the login out of a text that is one address, where a `"` or the like belongs to the password too. */
function withoutLogin(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.password === "" || FILLED_IN.test(decoded(url.password))) return address;
  [url.username, url.password] = ["", ""];
  return url.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hasCredentials(text: string): boolean {
  return withoutCredentials(text) !== text;
}

function isSecretQuery(name: string): boolean {
  return soundsSecret(name) || SIGNATURE.test(name) || PASSWORD.test(name);
}

/** No tool accepts values as deep as this. */
const DEPTH_MAX = 500;

/** Returns the value with each of its texts without credentials. A value of a program may hold itself. */
export function valueWithoutCredentials<Value>(value: Value): Value {
  const copies = new Map<unknown, unknown>();
  const left = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return withoutCredentials(one);
    const isList = Array.isArray(one);
    const isObject = typeof one === "object" && one !== null && Object.getPrototypeOf(one) === Object.prototype;
    if (!isList && !isObject) return one;
    if (depth > DEPTH_MAX) return HIDDEN_VALUE;
    if (copies.has(one)) return copies.get(one);
    const copy: Record<string, unknown> | unknown[] = isList ? [] : {};
    copies.set(one, copy);
    for (const [name, item] of Object.entries(one))
      Object.defineProperty(copy, name, {
        value: left(item, depth + 1),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    return copy;
  };
  return left(value, 0) as Value;
}

/** A replacer for `JSON.stringify`, so that no field is forgotten. */
export function replacingCredentials(_key: string, value: unknown): unknown {
  return typeof value === "string" ? withoutCredentials(value) : value;
}
