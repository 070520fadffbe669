// Colors for one stream: picocolors if it is a terminal that shows them, else none.
import type { Colors } from "./render.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";

export type Paint = Colors;

const asIs = (text: string): string => text;
export const plainPaint: Paint = { bold: asIs, dim: asIs, red: asIs, green: asIs, yellow: asIs, cyan: asIs };

export async function paintFor(port: TerminalPort): Promise<Paint> {
  if (!port.hasColor) return plainPaint;
  const { default: picocolors } = await import("picocolors");
  return picocolors.createColors(true);
}
