// Names of variables and settings that hold secrets.

const SECRET_NAMES: readonly RegExp[] = [
  /tokens?(?![a-z])|secret|passw|passphrase|credential|authorization|cookie/i,
  /(?:api|private|access|signing|encryption)[_-]?key/i,
  // As separate words only: `MONKEY`, `XAUTHORITY` and `PWD` do not count.
  /(?:^|[_-])(?:key|keys|pass|auth|pat|creds|jwt|dsn)(?:$|[_-])|[_-]pwd$/i,
  // Open vaults of the commands of Bitwarden and 1Password.
  /^(?:bw|op)_session/i,
];
// The path of a key agent's socket is not a key.
const SOCKET = /_SOCK$/i;
// Matches `postgres://user:password@host`: the addresses of databases and queues often contain a password.
const ADDRESS_WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s:]*:[^/?#@\s]+@/i;
const PROXY = /_proxy$/i;

export function soundsSecret(name: string): boolean {
  return SECRET_NAMES.some((pattern) => pattern.test(name)) && !SOCKET.test(name);
}

/** Whether an environment variable holds a secret, by its name or because its value is an address with a password. */
export function isSecretVariable(name: string, value: string): boolean {
  // Programs that get all variables need the proxy to reach the network.
  return soundsSecret(name) || (ADDRESS_WITH_PASSWORD.test(value) && !PROXY.test(name));
}
