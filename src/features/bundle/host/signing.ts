// Signatures of releases: Ed25519, with keys in the forms that OpenSSL writes too.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";

/** Returns a new private key as PEM. */
export function newSigningKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

/** Returns undefined if it is not the PEM of a private Ed25519 key without a passphrase. */
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

/** `key` is a public half. */
export function isSignatureOf(message: string, signature: string, key: string): boolean {
  const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
  return verify(null, Buffer.from(message), publicKey, Buffer.from(signature, "base64"));
}
