// An instance of sigstore on this machine: an authority, its certificate log and a transparency log, which issue and log
// what a build signs as the public ones do, by sigstore's own client.
import { createHash, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bundleToJSON } from "@sigstore/bundle";
import { fulcioHandler, initializeCA, initializeCTLog } from "@sigstore/mock/dist/fulcio/index.js";
import type { HandlerFn } from "@sigstore/mock";
import { initializeTLog, rekorHandler } from "@sigstore/mock/dist/rekor/index.js";
import { DSSEBundleBuilder, FulcioSigner, RekorWitness } from "@sigstore/sign";

/** What a build service says of a build: the claims of its token, as GitHub names them. */
export interface BuildClaims {
  readonly sub: string;
  readonly repository?: string;
  readonly sha?: string;
  readonly workflow_ref?: string;
}

export interface SigstoreFixture {
  /** Where both logs and the authority answer. */
  readonly url: string;
  /** As its TUF repository would have it. */
  readonly trustedRoot: object;
  /** Returns the bundle of a statement that is signed and logged, as JSON. */
  attest(statement: object, claims: BuildClaims): Promise<SigstoreBundle>;
}

export interface SigstoreBundle {
  readonly dsseEnvelope: { payload: string; readonly signatures: { sig: string }[] };
  readonly verificationMaterial: { tlogEntries: { canonicalizedBody: string; logIndex: string }[] };
}

const STARTED = "2020-01-01T00:00:00Z";
const TOKEN_HEAD = "eyJhbGciOiJub25lIn0";

/** It ends with the process of the tests. */
export async function startSigstore(): Promise<SigstoreFixture> {
  const certificateLog = await initializeCTLog(pairOf());
  const authority = await initializeCA(pairOf(), certificateLog);
  let handlers: readonly { readonly path: string; readonly fn: HandlerFn }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await handlers.find(({ path }) => path === request.url)?.fn(Buffer.concat(chunks).toString());
      response.writeHead(answer?.statusCode ?? 404, { "content-type": answer?.contentType ?? "text/plain" });
      response.end(answer?.response ?? "");
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = await initializeTLog(url, pairOf());
  handlers = [fulcioHandler(authority), rekorHandler(log)];
  return {
    url,
    trustedRoot: {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [logOf(url, log.publicKey, createHash("sha256").update(log.publicKey).digest())],
      ctlogs: [logOf(url, certificateLog.publicKey, bytesOf(certificateLog.logID))],
      certificateAuthorities: [
        {
          subject: { organization: "sigstore.mock", commonName: "sigstore" },
          uri: url,
          certChain: { certificates: [{ rawBytes: bytesOf(authority.rootCertificate).toString("base64") }] },
          validFor: { start: STARTED },
        },
      ],
      timestampAuthorities: [],
    },
    attest: async (statement, claims) => {
      const signer = new FulcioSigner({
        fulcioBaseURL: url,
        identityProvider: { getToken: () => Promise.resolve(tokenOf(claims)) },
      });
      const witnesses = [new RekorWitness({ rekorBaseURL: url, entryType: "intoto" })];
      const bundle = await new DSSEBundleBuilder({ signer, witnesses }).create({
        data: Buffer.from(JSON.stringify(statement)),
        type: "application/vnd.in-toto+json",
      });
      return bundleToJSON(bundle) as unknown as SigstoreBundle;
    },
  };
}

/** Returns the token of a build, which nobody signs: the authority here believes it. */
export function tokenOf(claims: BuildClaims): string {
  return `${TOKEN_HEAD}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
}

function pairOf() {
  return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

function logOf(baseUrl: string, publicKey: Buffer, id: Buffer): object {
  return {
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: publicKey.toString("base64"),
      keyDetails: "PKIX_ECDSA_P256_SHA_256",
      validFor: { start: STARTED },
    },
    logId: { keyId: id.toString("base64") },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
