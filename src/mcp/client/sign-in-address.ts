// The address at which a server wants a person to log in. The server chooses it, so it is offered only if it shows
// where it leads: https, or plain http on this machine, without text before the host that could be mistaken for it.

const CHARACTERS_MAX = 8_192;
/** Matches addresses of this machine, in the form that browsers give them. */
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|(?:.+\.)?localhost)$/;

export interface SignInAddress {
  /**
   * The host, with its port unless that is the usual one. Letters of other scripts than Latin are written as in DNS
   * (`xn--…`).
   */
  readonly host: string;
  readonly address: string;
}

/** Checks an address. Throws an error that says what is accepted. */
export function signInAddress(url: URL): SignInAddress {
  const problem = problemOf(url);
  if (problem !== undefined)
    throw new Error(
      `its login address ${problem}, so it is not opened; one begins with https:// and a host, or with http:// and a host of this machine`,
    );
  return { host: url.host, address: url.href };
}

function problemOf({ protocol, hostname, username, password, href }: URL): string | undefined {
  if (protocol !== "https:" && protocol !== "http:") return `begins with ${protocol.slice(0, 32)}`;
  if (hostname === "") return "has no host";
  if (username !== "" || password !== "") return "has a user name before its host";
  if (protocol === "http:" && !LOOPBACK.test(hostname)) return `uses plain HTTP to ${hostname}`;
  return href.length > CHARACTERS_MAX ? `has more than ${CHARACTERS_MAX.toLocaleString("en")} characters` : undefined;
}
