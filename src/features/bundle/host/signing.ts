// Signatures of releases: Ed25519 keys of Node, in the forms that OpenSSL writes too.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** Returns a new private key as PEM. */
export function newSigningKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

/** Returns undefined if the text is not a private Ed25519 key without a passphrase. */
export function readSigningKey(pem: Uint8Array): KeyObject | undefined {
  try {
    const key = createPrivateKey(Buffer.from(pem));
    return key.asymmetricKeyType === "ed25519" ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the public half, a SPKI in base 64. */
export function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}

/** In base 64. */
export function signatureOf(message: string, key: KeyObject): string {
  return sign(null, Buffer.from(message), key).toString("base64");
}
