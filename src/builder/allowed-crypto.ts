// Hashes, HMAC and random ids for JavaScript in the sandbox. Random ids follow from the seed of a run that can be
// repeated.
import type { SandboxFunction } from "../sandbox/run-sandboxed.ts";
import type { Json } from "../schema/json.ts";
import type { ToolContext } from "../tool/tool.ts";

const algorithms = ["sha-1", "sha-256", "sha-384", "sha-512"] as const;
type Algorithm = (typeof algorithms)[number];

export function cryptoFunctions({ host, repeatable }: ToolContext): Readonly<Record<string, SandboxFunction>> {
  let made = 0;
  const randomHex = (): string =>
    repeatable ? host.sha256(`${repeatable.seed} ${++made}`).slice(0, 32) : host.randomId();
  return {
    "crypto.hash": async ([algorithm, text]) =>
      hexOf(await crypto.subtle.digest(algorithmIn(algorithm), bytesIn(text, "crypto.hash"))),
    "crypto.hmac": async ([algorithm, key, text]) =>
      hexOf(await hmac(algorithmIn(algorithm), bytesIn(key, "crypto.hmac"), bytesIn(text, "crypto.hmac"))),
    "crypto.randomUUID": async () => uuidOf(randomHex()),
  };
}

function algorithmIn(value: Json | undefined): Algorithm {
  const written = String(value)
    .toLowerCase()
    .replace(/^sha-?/, "sha-");
  const algorithm = typeof value === "string" ? algorithms.find((one) => one === written) : undefined;
  if (!algorithm) throw new Error(`there is no hash \`${String(value)}\`; the hashes are ${algorithms.join(", ")}`);
  return algorithm;
}

function bytesIn(value: Json | undefined, name: string): Uint8Array<ArrayBuffer> {
  if (typeof value !== "string") throw new Error(`\`${name}\` expects texts`);
  return new TextEncoder().encode(value);
}

async function hmac(
  hash: Algorithm,
  key: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
): Promise<ArrayBuffer> {
  // No key is the same as one of zeros (RFC 2104), and Web Crypto takes only the latter.
  const raw = key.length === 0 ? new Uint8Array(1) : key;
  const imported = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash }, false, ["sign"]);
  return crypto.subtle.sign("HMAC", imported, text);
}

function hexOf(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** RFC 9562, version 4. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3] ?? "8";
  const whole = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`;
  return [whole.slice(0, 8), whole.slice(8, 12), whole.slice(12, 16), whole.slice(16, 20), whole.slice(20)].join("-");
}
