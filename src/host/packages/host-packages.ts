// Packages of tools, as the host reaches them.
import { createHash, createPublicKey, verify } from "node:crypto";
import type { HostPackages } from "../../tool/host-packages.ts";
import { pack } from "./pack.ts";
import { packedPaths } from "./packed-paths.ts";
import { askRegistry, registryOf } from "./registry.ts";
import { unpack } from "./unpack.ts";

export const hostPackages: HostPackages = {
  registryOf,
  askRegistry,
  unpack,
  pack,
  sha1Of: (archive) => createHash("sha1").update(archive).digest("hex"),
  integrityOf: (archive) => `sha512-${createHash("sha512").update(archive).digest("base64")}`,
  isSigned,
  packedPaths,
};

function isSigned(message: string, { key, signature }: { readonly key: string; readonly signature: string }): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    return verify("sha256", Buffer.from(message), publicKey, Buffer.from(signature, "base64"));
  } catch {
    // It is not a key.
    return false;
  }
}
