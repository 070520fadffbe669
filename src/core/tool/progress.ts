// Progress as one line for a person.
import type { ToolEvent } from "./tool.ts";

export function progressText({ text, done, all }: Extract<ToolEvent, { kind: "progress" }>): string {
  const amount = done === undefined ? "" : all === undefined ? String(done) : `${done}/${all}`;
  return [text, amount].filter((part) => part !== "").join(" ");
}
