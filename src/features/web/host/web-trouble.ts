// Messages for network failures, from the codes of Node's network, TLS, HTTP parser and decompression errors.
import { rowOf } from "../../../core/text/row-of.ts";
import { codeOf } from "../../../core/tool/error-code.ts";

export interface WebTrouble {
  readonly kind: "unreachable";
  readonly reason: string;
  readonly help: readonly string[];
  /** Whether a connection that there was broke. */
  readonly isLost?: true;
}

/** The limit of all headers of an answer together. */
export const HEADER_BYTES_MAX = 65_536;

const AUTHORITY_HELP =
  "if a person trusts it: put the certificate of its authority in a file, and set NODE_EXTRA_CA_CERTS to that file";

const REASONS: Readonly<Record<string, (host: string) => WebTrouble>> = {
  ENOTFOUND: (host) => trouble(`there is no host \`${host}\``, "check the spelling"),
  EAI_AGAIN: (host) => trouble(`the name server could not look up \`${host}\``, "try again later"),
  ECONNREFUSED: (host) => trouble(`nothing listens at \`${host}\``),
  ECONNRESET: closed,
  EPIPE: closed,
  ERR_STREAM_PREMATURE_CLOSE: closed,
  ETIMEDOUT: (host) => trouble(`\`${host}\` does not answer`, "try again later"),
  EHOSTUNREACH: (host) => trouble(`there is no route to \`${host}\``),
  ENETUNREACH: (host) => trouble(`there is no route to \`${host}\``),
  EADDRNOTAVAIL: (host) => trouble(`there is no route to \`${host}\``),
  HPE_HEADER_OVERFLOW: (host) => trouble(`\`${host}\` sent more than ${HEADER_BYTES_MAX} bytes of headers`),
  DEPTH_ZERO_SELF_SIGNED_CERT: (host) => trouble(`the certificate of \`${host}\` is self-signed`, AUTHORITY_HELP),
  SELF_SIGNED_CERT_IN_CHAIN: (host) =>
    trouble(`the certificate of \`${host}\` is from an unknown authority`, AUTHORITY_HELP),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: (host) =>
    trouble(`the certificate of \`${host}\` is from an unknown authority`, AUTHORITY_HELP),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: (host) =>
    trouble(`the certificate of \`${host}\` is from an unknown authority`, AUTHORITY_HELP),
  CERT_HAS_EXPIRED: (host) => trouble(`the certificate of \`${host}\` has expired`),
  CERT_NOT_YET_VALID: (host) =>
    trouble(`the certificate of \`${host}\` is not valid yet`, "check this machine's clock"),
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => trouble(`the certificate of \`${host}\` is for another name`),
};

/** Zlib (`Z_`), Brotli (`ERR__ERROR_FORMAT_`, `ERR_BROTLI_`) and Zstandard (`ZSTD_error_`). */
const DECOMPRESSION_CODE = /^(Z_|ERR__|ERR_BROTLI|ZSTD_|ERR_ZSTD)/;

export function unreachable(error: unknown, host: string): WebTrouble {
  const code = codeOf(error) ?? String(error);
  const known = rowOf(REASONS, code);
  if (known) return known(host);
  if (DECOMPRESSION_CODE.test(code))
    return trouble(`the compressed answer of \`${host}\` is damaged or ends early`, "try again later");
  if (code.startsWith("HPE_")) return trouble(`\`${host}\` does not speak HTTP (${code})`);
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return trouble(`\`${host}\` does not speak TLS`);
  return trouble(`\`${host}\` cannot be reached (${code})`);
}

/** Returns the failure of a name that exists but has no address. */
export function unknownHost(host: string): WebTrouble {
  return unreachable(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), host);
}

function closed(host: string): WebTrouble {
  return {
    ...trouble(`\`${host}\` closed the connection before its answer was whole`, "try again later"),
    isLost: true,
  };
}

function trouble(reason: string, ...help: readonly string[]): WebTrouble {
  return { kind: "unreachable", reason, help };
}
