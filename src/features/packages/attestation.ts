// Verifies the signature of an attestation with sigstore, and reads which build it is by. Only what the certificate says
// of the build counts: the authority has asked the build service for it, while anybody may write a statement.
import { Buffer } from "node:buffer";
import { bundleFromJSON } from "@sigstore/bundle";
import { type SignedEntity, toSignedEntity, type TrustMaterial, VerificationError, Verifier } from "@sigstore/verify";
import type { Json } from "../../core/schema/json.ts";
import { jsonOf } from "./registry-settings.ts";

/** What a build was made of. */
export interface Build {
  /** The address of a repository. */
  readonly repository: string;
  readonly commit: string;
  /** The path of the file that says how it was built. */
  readonly workflow?: string;
}

export type AttestationVerdict =
  | { readonly kind: "verified"; readonly statement: Json; readonly build: Build }
  /** It may be right: this dottool cannot know. `reason` is a sentence. */
  | { readonly kind: "unverified"; readonly statement: Json; readonly reason: string }
  /** Its signer is known and has not signed this. `reason` is a sentence. */
  | { readonly kind: "false"; readonly reason: string };

type Certificate = Extract<SignedEntity["key"], { $case: "certificate" }>["certificate"];

/** `bundle` is as the registry gives it. */
export function verifyAttestation(bundle: Json, trusted: TrustMaterial): AttestationVerdict {
  let entity: SignedEntity;
  let statement: Json = null;
  try {
    const read = bundleFromJSON(bundle);
    if (read.content.$case !== "dsseEnvelope") return unverified("it is not a statement about a build", null);
    statement = jsonOf(read.content.dsseEnvelope.payload);
    entity = toSignedEntity(read);
  } catch {
    return unverified("it has a form that this dottool does not know", statement);
  }
  if (entity.key.$case !== "certificate") return unverified("it is signed by a key, and not by a build", statement);
  const { certificate } = entity.key;
  const stranger = strangerIn(entity, certificate, trusted);
  if (stranger !== undefined) return unverified(stranger, statement);
  try {
    new Verifier(trusted).verify(entity);
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    const hasOtherClock = entity.timestamps.some(({ $case }) => $case === "timestamp-authority");
    return error.code === "TIMESTAMP_ERROR" && hasOtherClock
      ? unverified("none of the trusted roots has the authority of its time stamp", statement)
      : { kind: "false", reason: error.message };
  }
  const build = buildIn(certificate);
  return build
    ? { kind: "verified", statement, build }
    : unverified(`it is signed by ${certificate.subjectAltName ?? "a certificate"}, which is not a build`, statement);
}

function unverified(reason: string, statement: Json): AttestationVerdict {
  return { kind: "unverified", statement, reason };
}

/** Returns which authority is not known here, as a sentence: with later roots than ours the signature may be right. */
function strangerIn({ tlogEntries }: SignedEntity, leaf: Certificate, trusted: TrustMaterial): string | undefined {
  const { certificateAuthorities, tlogs, ctlogs } = trusted;
  const issuer = leaf.extAuthorityKeyID?.keyIdentifier;
  const isIssued = certificateAuthorities.some(({ certChain }) =>
    certChain.some((one) =>
      issuer ? one.extSubjectKeyID?.keyIdentifier.equals(issuer) : one.subject.equals(leaf.issuer),
    ),
  );
  if (!isIssued) return "none of the trusted roots has the authority of its certificate";
  const isLogged =
    tlogEntries.every(({ logId }) => tlogs.some(({ logID }) => logID.equals(logId.keyId))) &&
    (leaf.extSCT?.signedCertificateTimestamps ?? []).every((stamp) =>
      ctlogs.some(({ logID }) => logID.equals(stamp.logID)),
    );
  return isLogged ? undefined : "none of the trusted roots has the log that it names";
}

/** https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md */
const FULCIO = "1.3.6.1.4.1.57264.1.";
const [SOURCE_REPOSITORY, SOURCE_COMMIT, BUILD_CONFIGURATION] = ["12", "13", "18"];
/** What certificates had before 2023 of builds on GitHub alone. */
const [GITHUB_COMMIT, GITHUB_REPOSITORY] = ["3", "5"];

function buildIn(certificate: Certificate): Build | undefined {
  const repository = textIn(certificate, SOURCE_REPOSITORY);
  const commit = textIn(certificate, SOURCE_COMMIT);
  if (repository !== undefined && commit !== undefined)
    return built(repository, commit, textIn(certificate, BUILD_CONFIGURATION));
  const [name, sha] = [GITHUB_REPOSITORY, GITHUB_COMMIT].map((number) =>
    certificate.extension(FULCIO + number)?.value.toString(),
  );
  return name === undefined || sha === undefined
    ? undefined
    : built(`https://github.com/${name}`, sha, certificate.subjectAltName);
}

/** `configuration` is an address: the repository's, the path of a file, `@`, and a branch or tag. */
function built(repository: string, commit: string, configuration: string | undefined): Build {
  const [path = ""] = configuration?.startsWith(`${repository}/`)
    ? configuration.slice(repository.length + 1).split("@")
    : [];
  const workflow = path.replace(/^\/+/, "");
  return { repository, commit, ...(workflow === "" ? {} : { workflow }) };
}

/** Returns the text of an extension, which is UTF-8 in DER. */
function textIn(certificate: Certificate, number: string): string | undefined {
  const [text] = certificate.extension(FULCIO + number)?.valueObj.subs ?? [];
  return text === undefined ? undefined : Buffer.from(text.value).toString();
}
