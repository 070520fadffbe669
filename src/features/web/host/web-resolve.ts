// Resolves a host to the allowed addresses: all of them are checked, and only these are used, so that a later change of
// the name has no effect.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { specialRange } from "../../../core/host/address-ranges.ts";
import { hostAndPort, hostOf, refusal, type WebAddress, type WebRefusal } from "./web-address.ts";
import { unknownHost, unreachable, type WebTrouble } from "./web-trouble.ts";

export interface HostAddress {
  readonly address: string;
  /** 4 or 6. */
  readonly family: number;
}

/** Throws the errors of `node:dns`. */
export type ResolveName = (name: string) => Promise<readonly HostAddress[]>;

interface LocatedHost {
  readonly kind: "located";
  readonly addresses: readonly HostAddress[];
}

/** The resolver of the operating system, with its hosts file. */
export const resolveBySystem: ResolveName = (name) => lookup(name, { all: true, order: "verbatim" });

/** Throws the reason of `signal` if it is aborted. */
export async function locateHost(
  target: WebAddress,
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<LocatedHost | WebRefusal | WebTrouble> {
  const name = hostOf(target.url);
  let addresses: readonly HostAddress[];
  try {
    addresses = isIP(name) === 0 ? await orAborted(resolve(name), signal) : [{ address: name, family: isIP(name) }];
  } catch (error) {
    signal.throwIfAborted();
    return unreachable(error, name);
  }
  if (addresses.length === 0) return unknownHost(name);
  return target.isAllowedPrivate
    ? { kind: "located", addresses }
    : (refusalOf(addresses, target.url) ?? { kind: "located", addresses });
}

function refusalOf(addresses: readonly HostAddress[], url: URL): WebRefusal | undefined {
  for (const { address } of addresses) {
    const what = specialRange(address);
    if (what === undefined) continue;
    const name = hostOf(url);
    const article = /^[aeiou]/.test(what) ? "an" : "a";
    const is =
      name === address
        ? `\`${name}\` is ${article} ${what} address`
        : `\`${name}\` is ${address}, ${article} ${what} address`;
    const help = `if a person wants to allow this server: set WEB_ALLOW_HOSTS, or \`web.allow_hosts\` in \`config.yaml\`, to \`${hostAndPort(url)}\``;
    // There is no help for addresses that give out the credentials of a cloud machine.
    return refusal(`${is}, not one on the public internet`, ...(what === "cloud metadata" ? [] : [help]));
  }
  return undefined;
}

/** Stops waiting for a lookup, which itself cannot be stopped. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
