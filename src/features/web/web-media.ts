// The type of a body: the one that the server declares, compared with the bytes, because servers are often wrong.

interface MediaType {
  /** Lower case, without parameters. */
  readonly name: string;
  readonly charset?: string;
}

type BodyKind = "html" | "text" | "image" | "binary";

interface BodyType {
  readonly kind: BodyKind;
  readonly mediaType: string;
  readonly charset?: string;
}

/** The default. */
const UNKNOWN = "application/octet-stream";
const SNIFFED_BYTES = 8_192;

const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
const TEXT_TYPES = new Set([
  "application/json",
  "application/xml",
  "application/javascript",
  "application/ecmascript",
  "application/x-javascript",
  "application/typescript",
  "application/x-ndjson",
  "application/yaml",
  "application/x-yaml",
  "application/toml",
  "application/sql",
  "application/graphql",
  "application/x-sh",
  "application/x-www-form-urlencoded",
  "application/xml-dtd",
  "application/jsonlines",
  "application/json-seq",
  "message/rfc822",
  "message/http",
  "image/svg+xml",
]);

/** The images that models take, by their first bytes. */
const IMAGE_SIGNATURES: readonly (readonly [mediaType: string, signature: RegExp])[] = [
  ["image/png", /^\x89PNG\r\n\x1a\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF[^]{4}WEBP/],
];

export function typeOfBody(contentType: string | undefined, body: Uint8Array): BodyType {
  const declared = parseMediaType(contentType ?? "");
  const start = latin1(body.subarray(0, SNIFFED_BYTES));
  const image = IMAGE_SIGNATURES.find(([, signature]) => signature.test(start));
  if (image) return { kind: "image", mediaType: image[0] };
  const charset = declared?.charset === undefined ? {} : { charset: declared.charset };
  const kind = kindOf(declared?.name ?? UNKNOWN, start, body);
  const mediaType = declared?.name ?? (kind === "html" ? "text/html" : kind === "text" ? "text/plain" : UNKNOWN);
  const isWide = /^utf-?(16|32)|^ucs-?2|^unicode/i.test(declared?.charset ?? "") || /^(\xff\xfe|\xfe\xff)/.test(start);
  // Text has no zero bytes, except where every second one is: then it is UTF-16.
  if (kind !== "binary" && !isWide && start.includes("\0")) return { kind: "binary", mediaType };
  return { kind, mediaType, ...charset };
}

/** Returns undefined if it cannot be read as a media type. */
function parseMediaType(contentType: string): MediaType | undefined {
  const name = /^\s*([a-z0-9!#$&^_.+-]{1,63}\/[a-z0-9!#$&^_.+-]{1,63})\s*(?:;|,|$)/i
    .exec(contentType)?.[1]
    ?.toLowerCase();
  if (name === undefined) return undefined;
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]{0,64})"|([^\s;,"]{1,64}))/i.exec(contentType) ?? [];
  const charset = (quoted ?? plain)?.trim();
  return { name, ...(charset ? { charset } : {}) };
}

function kindOf(name: string, start: string, body: Uint8Array): "html" | "text" | "binary" {
  if (HTML_TYPES.has(name)) return "html";
  if (name.startsWith("text/") || name.endsWith("+json") || name.endsWith("+xml") || TEXT_TYPES.has(name))
    return "text";
  if (name !== UNKNOWN) return "binary";
  if (/^\s*(?:<!--[^]{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(start)) return "html";
  return isUtf8Text(body) ? "text" : "binary";
}

function isUtf8Text(body: Uint8Array): boolean {
  try {
    // With `stream`, a character cut at the end is not an error.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body.subarray(0, SNIFFED_BYTES), { stream: true });
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
