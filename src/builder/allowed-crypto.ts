// Hashes, HMAC and random ids for JavaScript in the sandbox. Random ids follow from the seed of a run that can be
// repeated.
import type { SandboxFunction } from "../sandbox/run-sandboxed.ts";
import type { Json } from "../schema/json.ts";
import type { ToolContext } from "../tool/tool.ts";

const BLOCK_BYTES = 64;
const ALGORITHM = /^sha-?256$/i;

export function cryptoFunctions({ host, repeatable }: ToolContext): Readonly<Record<string, SandboxFunction>> {
  let made = 0;
  const randomHex = (): string =>
    repeatable ? host.sha256(`${repeatable.seed} ${++made}`).slice(0, 32) : host.randomId();
  return {
    "crypto.hash": async ([algorithm, text]) => {
      requireSha256(algorithm);
      return host.sha256(textIn(text, "crypto.hash"));
    },
    "crypto.hmac": async ([algorithm, key, text]) => {
      requireSha256(algorithm);
      return hmac(textIn(key, "crypto.hmac"), textIn(text, "crypto.hmac"), (bytes) => host.sha256(bytes));
    },
    "crypto.randomUUID": async () => uuidOf(randomHex()),
  };
}

function requireSha256(algorithm: Json | undefined): void {
  if (typeof algorithm !== "string" || !ALGORITHM.test(algorithm))
    throw new Error(`the only algorithm is \`sha256\`; got \`${String(algorithm)}\``);
}

function textIn(value: Json | undefined, name: string): string {
  if (typeof value !== "string") throw new Error(`\`${name}\` expects texts`);
  return value;
}

/** RFC 2104, in hexadecimal. */
function hmac(key: string, text: string, sha256: (bytes: Uint8Array) => string): string {
  const encoder = new TextEncoder();
  const own = encoder.encode(key);
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(own.length > BLOCK_BYTES ? bytesOf(sha256(own)) : own);
  const padded = (pad: number): Uint8Array => block.map((byte) => byte ^ pad);
  const inner = sha256(joined(padded(0x36), encoder.encode(text)));
  return sha256(joined(padded(0x5c), bytesOf(inner)));
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** RFC 9562, version 4. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3] ?? "8";
  const whole = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`;
  return [whole.slice(0, 8), whole.slice(8, 12), whole.slice(12, 16), whole.slice(16, 20), whole.slice(20)].join("-");
}
