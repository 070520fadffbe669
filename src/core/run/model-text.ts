// A result as one text for a model: the content, then the failure.
import type { Content, ToolResult } from "../tool/call.ts";

/** `isInText` is for a model that writes its calls into its text. */
export async function modelText(
  result: ToolResult,
  { isInText = false }: { readonly isInText?: boolean } = {},
): Promise<string> {
  let content = contentText(result.content);
  if (result.status === "ok" && content.trim() === "") content = `${nothingText(result)}\n`;
  if (hasSandboxNote(result)) content += (await import("./sandbox-note.ts")).sandboxNote(result, "model");
  if (result.status === "ok") return content;
  const { failureText } = await import("./failure-text.ts");
  return `${content}${failureText(result.failure, { audience: "model", tool: result.call.tool, isInText })}\n`;
}

/** Says that a success shows nothing. Without a text, some models believe that the call did not run. */
export function nothingText({ content, process }: ToolResult): string {
  const nothing = contentText(content) === "" ? "nothing" : "only white space";
  return process ? `(the command printed ${nothing})` : `(the tool returned ${nothing})`;
}

/** Whether a text is of `nothingText`. */
export function saysNothing(text: string): boolean {
  return /^\(the (?:command printed|tool returned) (?:nothing|only white space)\)$/.test(text);
}

/** Whether ./sandbox-note.ts has something to say, which loads for that. */
export function hasSandboxNote({ sandbox, process }: Pick<ToolResult, "sandbox" | "process">): boolean {
  const ran = sandbox ?? process;
  return (ran?.missing ?? ran?.withheld ?? ran?.blocked) !== undefined;
}

/** Returns the pieces as text; each ends its line. */
export function contentText(content: readonly Content[]): string {
  return content
    .map(pieceText)
    .filter((text) => text !== "")
    .map((text) => (text.endsWith("\n") ? text : `${text}\n`))
    .join("");
}

function pieceText(piece: Content): string {
  switch (piece.type) {
    case "text":
    case "resource":
      return piece.text;
    case "json":
      return JSON.stringify(piece.value, null, 2);
    case "image":
      return `(an image: ${piece.mediaType})`;
    case "audio":
      return `(audio: ${piece.mediaType})`;
    case "file":
      return `(${piece.sizeBytes} bytes of ${piece.mediaType}${piece.sha256 === undefined ? "" : `, sha256 ${piece.sha256}`}${piece.handle === undefined ? "" : `; read_output with handle ${piece.handle}`})`;
  }
}
