// Colors for one stream: picocolors where it is a terminal that shows them, and nothing at all elsewhere.
import type { TerminalPort } from "../tool/terminal.ts";

type Brush = (text: string) => string;

export interface Paint {
  readonly bold: Brush;
  readonly dim: Brush;
  readonly red: Brush;
  readonly green: Brush;
  readonly yellow: Brush;
  readonly cyan: Brush;
}

const asIs: Brush = (text) => text;
export const plainPaint: Paint = { bold: asIs, dim: asIs, red: asIs, green: asIs, yellow: asIs, cyan: asIs };

export async function paintFor(port: TerminalPort): Promise<Paint> {
  if (!port.hasColor) return plainPaint;
  const { default: picocolors } = await import("picocolors");
  return picocolors.createColors(true);
}
