// A certificate authority for one call, trusted only by what runs in its sandbox. Its key never leaves this process.
import { Buffer } from "node:buffer";
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import { AsnConvert, OctetString } from "@peculiar/asn1-schema";
import * as x509 from "@peculiar/asn1-x509";

interface Certified {
  /** In PEM. */
  readonly cert: string;
  readonly key: string;
}

interface CallAuthority {
  /** Its own certificate, in PEM. */
  readonly cert: string;
  /** Makes a certificate for a server, which is a name or an address of IPv4. */
  certify(server: string): Certified;
}

const HOUR_MS = 3_600_000;
/** Before now: clocks differ. After it: no call is longer. */
const VALID_MS = { before: HOUR_MS, after: 30 * 24 * HOUR_MS };
const COMMON_NAME = "2.5.4.3";
const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";

export function openAuthority(): CallAuthority {
  const own = newKeys();
  const authority = nameOf("dottool, the authority of one call");
  const ownId = keyId(own.publicKey);
  const certified = (subject: x509.Name, publicKey: KeyObject, extensions: readonly x509.Extension[]): string =>
    pemOf(signed({ subject, publicKey, issuer: authority, signer: own.privateKey, extensions }));
  return {
    cert: certified(authority, own.publicKey, [
      extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.keyCertSign), true),
      extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(ownId)),
    ]),
    certify: (server) => {
      const keys = newKeys();
      const alternative = new x509.GeneralName(isIPv4(server) ? { iPAddress: server } : { dNSName: server });
      return {
        key: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        cert: certified(nameOf("dottool, a host of one call"), keys.publicKey, [
          extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: false }), true),
          extension(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature), true),
          extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
          extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName([alternative])),
          extension(x509.id_ce_subjectKeyIdentifier, new x509.SubjectKeyIdentifier(keyId(keys.publicKey))),
          extension(
            x509.id_ce_authorityKeyIdentifier,
            new x509.AuthorityKeyIdentifier({ keyIdentifier: new x509.KeyIdentifier(ownId) }),
          ),
        ]),
      };
    },
  };
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

interface Unsigned {
  readonly subject: x509.Name;
  readonly publicKey: KeyObject;
  readonly issuer: x509.Name;
  readonly signer: KeyObject;
  readonly extensions: readonly x509.Extension[];
}

function signed({ subject, publicKey, issuer, signer, extensions }: Unsigned): ArrayBuffer {
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const now = Date.now();
  const serial = randomBytes(16);
  // The number must be positive, and its first byte not zero.
  serial[0] = 0x40 | ((serial[0] ?? 0) & 0x3f);
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bufferOf(serial),
    signature: algorithm,
    issuer,
    validity: new x509.Validity({
      notBefore: new Date(now - VALID_MS.before),
      notAfter: new Date(now + VALID_MS.after),
    }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(publicKey), x509.SubjectPublicKeyInfo),
    extensions: new x509.Extensions([...extensions]),
  });
  const bytes = Buffer.from(AsnConvert.serialize(tbsCertificate));
  return AsnConvert.serialize(
    new x509.Certificate({
      tbsCertificate,
      signatureAlgorithm: algorithm,
      signatureValue: bufferOf(sign("sha256", bytes, signer)),
    }),
  );
}

function nameOf(commonName: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String: commonName });
  return new x509.Name([
    new x509.RelativeDistinguishedName([new x509.AttributeTypeAndValue({ type: COMMON_NAME, value })]),
  ]);
}

function extension(extnID: string, value: object, critical = false): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function keyId(publicKey: KeyObject): ArrayBuffer {
  return bufferOf(createHash("sha256").update(spkiOf(publicKey)).digest().subarray(0, 20));
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: "spki", format: "der" });
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function pemOf(certificate: ArrayBuffer): string {
  const lines =
    Buffer.from(certificate)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
