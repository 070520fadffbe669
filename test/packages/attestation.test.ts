// A provenance that npm's registry has, verified by what is in the executable: nothing on this machine made it.
import { readFileSync } from "node:fs";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { verifyAttestation } from "../../src/features/packages/attestation.ts";
import { readTrustedRoots } from "../../src/features/packages/trusted-roots.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";

const test = suite("packages/attestation");

const { bundle } = JSON.parse(readFileSync(new URL("data/sigstore-0.4.0.json", import.meta.url), "utf8")) as {
  readonly bundle: JsonObject;
};
const host = createNodeHost();
const trusted = await readTrustedRoots({ ...host, folders: { ...host.folders, config: "/nowhere" } });

test("the embedded trusted root verifies a public provenance, and its certificate names the build", () => {
  const verdict = verifyAttestation(bundle, trusted);
  assert.equal(verdict.kind === "verified" ? verdict.build : verdict, {
    repository: "https://github.com/sigstore/sigstore-js",
    commit: "8a2ee2fd20dda58ffa4a8d808a65cb1e04711c03",
    workflow: ".github/workflows/publish.yml",
  });
});

test("a change anywhere in it is found, apart from what nobody reads", () => {
  const kinds = textsIn(bundle).map((keys) => {
    const { kind } = verifyAttestation(changedAt(bundle, keys) as Json, trusted);
    return `${keys.join(".")}: ${kind}`;
  });
  const [entry, certificates] = [
    "verificationMaterial.tlogEntries.0",
    "verificationMaterial.x509CertificateChain.certificates",
  ];
  assert.equal(kinds, [
    "mediaType: unverified",
    `${certificates}.0.rawBytes: false`,
    // The authority's certificates are those of the trusted root.
    `${certificates}.1.rawBytes: verified`,
    `${certificates}.2.rawBytes: verified`,
    `${entry}.logIndex: false`,
    `${entry}.logId.keyId: unverified`,
    `${entry}.kindVersion.kind: false`,
    `${entry}.kindVersion.version: false`,
    `${entry}.integratedTime: false`,
    `${entry}.inclusionPromise.signedEntryTimestamp: false`,
    `${entry}.canonicalizedBody: false`,
    "dsseEnvelope.payload: false",
    "dsseEnvelope.payloadType: false",
    "dsseEnvelope.signatures.0.sig: false",
    "dsseEnvelope.signatures.0.keyid: verified",
  ]);
});

/** Returns the ways to all texts. */
function textsIn(json: Json, above: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof json === "string") return [above];
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([key, value]) => textsIn(value as Json, [...above, key]));
}

/** Changes one character in the middle of a text. */
function changedAt(json: Json, [key = "", ...rest]: readonly string[]): unknown {
  const copy = structuredClone(json) as Record<string, Json>;
  const value = copy[key] as Json;
  if (rest.length > 0) copy[key] = changedAt(value, rest) as Json;
  else {
    const text = String(value);
    const at = Math.floor(text.length / 2);
    const other = /\d/.test(text[at] ?? "") ? ((Number(text[at]) + 1) % 10).toString() : text[at] === "A" ? "B" : "A";
    copy[key] = text.slice(0, at) + other + text.slice(at + 1);
  }
  return Array.isArray(json) ? Object.values(copy) : copy;
}

test.run();
