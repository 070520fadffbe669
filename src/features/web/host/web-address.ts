// Checks the text of an address before it is fetched. The WHATWG parser turns every notation of an IP
// address (decimal, octal, hexadecimal, short, full-width) into the usual one, so there is one notation left to judge.
import { isIPv6 } from "node:net";

export interface WebAddress {
  readonly kind: "address";
  readonly url: URL;
  /** Whether the user has configured it, so that private addresses are allowed. */
  readonly isAllowedPrivate: boolean;
}

export interface WebRefusal {
  readonly kind: "refused";
  readonly reason: string;
  readonly help: readonly string[];
}

const ADDRESS_CHARACTERS_MAX = 16_384;
const SHOWN_CHARACTERS_MAX = 200;

/** The "bad ports" of the WHATWG fetch standard: other services that can be made to obey an HTTP request. */
const OTHER_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export function judgeAddress(text: string, allowedHosts: readonly string[]): WebAddress | WebRefusal {
  if (text.length > ADDRESS_CHARACTERS_MAX)
    return refusal(`the address has ${text.length} characters; the limit is ${ADDRESS_CHARACTERS_MAX}`);
  if (!URL.canParse(text))
    return refusal(
      `\`${shown(text)}\` is not a web address`,
      "write the whole address, such as `https://example.com/page`",
    );
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refusal(`\`${shown(url.protocol)}\` addresses are not supported`, "use `https:` or `http:`");
  if (/^https?$/.test(url.hostname) && url.pathname.startsWith("//"))
    return refusal("the address has two schemes", `leave out the first \`${url.protocol}//\``);
  if (url.username !== "" || url.password !== "")
    return refusal(`the address of \`${url.host}\` holds a user name or a password`, "remove the part before the `@`");
  if (OTHER_PORTS.has(portOf(url)))
    return refusal(`port ${url.port} is blocked, because it belongs to a service other than the web`);
  return { kind: "address", url, isAllowedPrivate: allowedHosts.some((entry) => namesHost(entry, url)) };
}

export function refusal(reason: string, ...help: readonly string[]): WebRefusal {
  return { kind: "refused", reason, help };
}

/** Returns the host without brackets and without the final dot of a full name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Returns `name:port`, always with the port: what a user writes to allow exactly this server. */
export function hostAndPort(url: URL): string {
  return `${url.hostname.replace(/\.$/, "")}:${portOf(url)}`;
}

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** `entry` is `name` for every port, or `name:port`. One that cannot be parsed allows nothing. */
function namesHost(entry: string, url: URL): boolean {
  const trimmed = entry.trim();
  const [, name = "", port] = isIPv6(trimmed)
    ? [trimmed, `[${trimmed}]`]
    : (/^(\[[^\]]*\]|[^:/?#@[\]]+)(?::(\d+))?$/.exec(trimmed) ?? []);
  const canonical = name !== "" && URL.canParse(`http://${name}/`) ? hostOf(new URL(`http://${name}/`)) : undefined;
  return canonical === hostOf(url) && (port === undefined || Number(port) === portOf(url));
}

function shown(text: string): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "\u{FFFD}");
  return clean.length > SHOWN_CHARACTERS_MAX ? `${clean.slice(0, SHOWN_CHARACTERS_MAX)}…` : clean;
}
