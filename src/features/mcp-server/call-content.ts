// A result of the gate in the form of MCP: content blocks, structured content, and links to output that is too long to
// send.
import { apiName, inApiNames } from "../../core/tool/api-name.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { nothingText } from "../../core/run/model-text.ts";
import { sandboxNote } from "../../core/run/sandbox-note.ts";
import { isJsonObject, mappedTexts } from "../../core/schema/json.ts";
import type { Content, ToolResult } from "../../core/tool/call.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { handlePattern } from "../../core/output/kept-file.ts";
import type { CallToolResult, ContentBlock } from "./protocol.ts";

/** Converts a result, with the names under which clients are offered the tools; `named` if it is another one. */
export function toCallResult(own: ToolResult, named?: string, hasArgumentsAlone = false): CallToolResult {
  const result = inApiNames(own, named);
  const note = sandboxNote(result, "model").trimEnd();
  const content: ContentBlock[] = [
    ...result.content.filter((piece) => !isSaid(piece)).map(toBlock),
    ...(note === "" ? [] : [{ type: "text", text: note } as const]),
  ];
  if (result.status === "failed") {
    const text = failureText(result.failure, {
      audience: "model",
      tool: named ?? apiName(result.call.tool),
      hasArgumentsAlone,
    });
    return { content: [...content, { type: "text", text }], isError: true };
  }
  const structured = structuredOf(result.content);
  if (!structured.structuredContent && !result.content.some((piece) => !isSaid(piece)))
    content.unshift({ type: "text", text: nothingText(result) });
  return { content, ...structured };
}

export function toBlock(piece: Content): ContentBlock {
  switch (piece.type) {
    case "text":
      return piece.link
        ? (mappedTexts(piece.link, forModels) as unknown as ContentBlock)
        : { type: "text", text: forModels(piece.text) };
    case "json":
      return { type: "text", text: piece.sent ?? JSON.stringify(piece.value) };
    case "image":
    case "audio":
      return { type: piece.type, data: piece.base64, mimeType: piece.mediaType };
    case "resource":
      return { type: "resource", resource: { uri: piece.uri, mimeType: piece.mediaType, text: forModels(piece.text) } };
    case "file": {
      const { mediaType, sizeBytes, sha256, handle } = piece;
      if (handle !== undefined)
        return {
          type: "resource_link",
          uri: outputUri(handle),
          name: `output ${handle}`,
          description: "the whole output, which is cut above",
          mimeType: mediaType,
          size: sizeBytes,
        };
      return {
        type: "text",
        text: `(${sizeBytes} bytes of ${mediaType}${sha256 === undefined ? "" : `, sha256 ${sha256}`})`,
      };
    }
  }
}

/** Whether a client needs no block for it: an empty text, which some APIs refuse, or what other texts say. */
function isSaid(piece: Content): boolean {
  return (
    (piece.type === "text" && !piece.link && piece.text.trim() === "") || (piece.type === "json" && piece.sent === "")
  );
}

/**
 * Returns the structured value: that of an MCP server, or the only piece. MCP has one for each result, so a result of
 * several own pieces has none.
 */
function structuredOf(content: readonly Content[]): Pick<CallToolResult, "structuredContent"> {
  const piece = content.find((one) => one.type === "json" && (one.sent !== undefined || content.length === 1));
  return piece?.type === "json" && isJsonObject(piece.value) ? { structuredContent: piece.value } : {};
}

const START = "dottool://output/";
export const OUTPUT_URI_TEMPLATE = `${START}{handle}`;
const uriPattern = new RegExp(`^${START}(${handlePattern.source})$`);

function outputUri(handle: string): string {
  return START + handle;
}

/** Returns the handle, or undefined if the address is of something else. */
export function handleOf(uri: string): string | undefined {
  return uriPattern.exec(uri)?.[1];
}
