// Hashes, HMAC and random ids for JavaScript in the sandbox. Random ids follow from the seed of a run that can be
// repeated.
import type { SandboxFunction } from "../sandbox/run-sandboxed.ts";
import type { Json } from "../schema/json.ts";
import type { HashAlgorithm } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";

const algorithms: readonly HashAlgorithm[] = ["sha1", "sha256", "sha384", "sha512"];

export function cryptoFunctions({ host, repeatable }: ToolContext): Readonly<Record<string, SandboxFunction>> {
  let made = 0;
  const randomHex = (): string =>
    repeatable ? host.sha256(`${repeatable.seed} ${++made}`).slice(0, 32) : host.randomId();
  return {
    "crypto.hash": async ([algorithm, text]) => host.hash(algorithmIn(algorithm), textIn(text, "crypto.hash")),
    "crypto.hmac": async ([algorithm, key, text]) =>
      host.hash(algorithmIn(algorithm), textIn(text, "crypto.hmac"), textIn(key, "crypto.hmac")),
    "crypto.randomUUID": async () => uuidOf(randomHex()),
  };
}

function algorithmIn(value: Json | undefined): HashAlgorithm {
  const written = String(value).toLowerCase().replace(/^sha-/, "sha");
  const algorithm = typeof value === "string" ? algorithms.find((one) => one === written) : undefined;
  if (!algorithm)
    throw new Error(
      `there is no hash \`${String(value)}\`; there are ${algorithms.map((one) => `\`${one}\``).join(", ")}`,
    );
  return algorithm;
}

function textIn(value: Json | undefined, name: string): string {
  if (typeof value !== "string") throw new Error(`\`${name}\` expects texts`);
  return value;
}

/** RFC 9562, version 4. */
function uuidOf(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) & 3] ?? "8";
  const whole = `${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`;
  return [whole.slice(0, 8), whole.slice(8, 12), whole.slice(12, 16), whole.slice(16, 20), whole.slice(20)].join("-");
}
