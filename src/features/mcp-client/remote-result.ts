// A server's answer to a call, as an outcome. It is untrusted text, so nothing in it controls a terminal or is
// invisible.
import { Buffer } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject, mappedTexts } from "../../core/schema/json.ts";
import { printable } from "../../core/text/display.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import type { Content, Outcome } from "../../core/tool/call.ts";
import type { Host } from "../../core/tool/host.ts";

interface RemoteResultOptions {
  readonly server: string;
  readonly tool: string;
  readonly host: Host;
  readonly outputBytesMax: number;
}

export function remoteOutcome(
  result: CallToolResult,
  { server, tool, host, outputBytesMax }: RemoteResultOptions,
): Outcome {
  const given = result.structuredContent as Json | undefined;
  const structured = given === undefined ? undefined : mappedTexts(given, forModels);
  const pieces = result.content
    .flatMap((block) => contentOf(block, host) ?? [])
    .filter((piece) => piece.type !== "text" || piece.text !== "");
  const content = structured === undefined ? pieces : withStructured(pieces, structured);
  const sizeBytes = content.reduce((sum, piece) => sum + sizeOf(piece), 0);
  if (sizeBytes > outputBytesMax)
    return {
      status: "failed",
      content: [],
      failure: {
        kind: "limit",
        limit: outputBytesMax,
        unit: "bytes of output",
        help: ["ask for less, or raise `@limit`"],
      },
      isUntrusted: true,
    };
  if (result.isError !== true) return { status: "ok", content, isUntrusted: true };
  return {
    status: "failed",
    content,
    failure: { kind: "rejected", reason: `\`${tool}\` of the MCP server \`${server}\` reports a failure`, help: [] },
    isUntrusted: true,
  };
}

/** Puts the structured value at the place of the text that repeats it, or after texts that say something else. */
function withStructured(pieces: readonly Content[], value: Json): readonly Content[] {
  const same = pieces.find((piece) => piece.type === "text" && isSameJson(piece.text, value));
  if (same?.type === "text")
    return pieces.map((piece) => (piece === same ? { type: "json", value, sent: same.text } : piece));
  return [...pieces, { type: "json", value, ...(pieces.length === 0 ? {} : { sent: "" }) }];
}

type Block = CallToolResult["content"][number];

function contentOf(block: Block, host: Host): Content | undefined {
  switch (block.type) {
    case "text":
      return { type: "text", text: forModels(block.text) };
    case "image":
      return { type: "image", mediaType: printable(block.mimeType), base64: block.data };
    case "audio":
      return { type: "audio", mediaType: printable(block.mimeType), base64: block.data };
    case "resource_link": {
      const facts = [block.title ?? block.name, block.mimeType, block.description].filter(
        (fact) => fact !== undefined && fact !== "",
      );
      return {
        type: "text",
        text: forModels(`${block.uri} (${facts.join(", ")})`),
        link: mappedTexts(linkOf(block), forModels) as JsonObject,
      };
    }
    case "resource": {
      const { resource } = block;
      if ("text" in resource)
        return {
          type: "resource",
          uri: printable(resource.uri),
          mediaType: printable(resource.mimeType ?? "text/plain"),
          text: forModels(resource.text),
        };
      return fileOf(resource.blob, resource.mimeType ?? "application/octet-stream", host);
    }
    default:
      return undefined;
  }
}

/** Returns the fields of the protocol; a server's own ones stay behind. */
function linkOf(block: Block & { readonly type: "resource_link" }): JsonObject {
  const { type, uri, name, title, description, mimeType, size } = block;
  return JSON.parse(JSON.stringify({ type, uri, name, title, description, mimeType, size })) as JsonObject;
}

function fileOf(base64: string, mediaType: string, host: Host): Content {
  const bytes = Buffer.from(base64, "base64");
  return { type: "file", mediaType: printable(mediaType), sizeBytes: bytes.length, sha256: host.sha256(bytes) };
}

/** Whether the text only repeats the structured content, which servers do for clients that read nothing else. */
function isSameJson(text: string, value: Json): boolean {
  if (isJsonObject(value) && Object.keys(value).length === 1 && Object.values(value)[0] === text) return true;
  try {
    return isDeepStrictEqual(mappedTexts(JSON.parse(text) as Json, forModels), value);
  } catch {
    return false;
  }
}

function sizeOf(content: Content): number {
  switch (content.type) {
    case "text":
    case "resource":
      return Buffer.byteLength(content.text);
    case "json":
      return Buffer.byteLength(JSON.stringify(content.value));
    case "image":
    case "audio":
      return content.base64.length;
    case "file":
      return 0;
  }
}
