// A tool that reads a whole folder skips files that a model may only read if a person approves that very call.
import type { GuardedReading, ToolContext } from "../tool/tool.ts";
import { shownName } from "./shown-name.ts";

const SHOWN_MAX = 5;

export interface PassedOver {
  /** Whether the file or folder at this path, from the folder, is left unread. Records it if so. */
  isPassed(path: string): boolean;
  /** Returns a line for the result, or undefined if nothing was left unread. */
  note(): string | undefined;
}

/** Returns undefined if everything below the folder may be read. `folder` is absolute. */
export async function passedOver(
  folder: string,
  reads: GuardedReading,
  context: ToolContext,
): Promise<PassedOver | undefined> {
  const isGuarded = await context.guardedBelow?.(folder, reads);
  if (!isGuarded) return undefined;
  const passed = new Set<string>();
  return {
    isPassed: (path) => {
      const isOne = isGuarded(path);
      if (isOne) passed.add(path);
      return isOne;
    },
    note: () => {
      if (passed.size === 0) return undefined;
      const shown = [...passed]
        .slice(0, SHOWN_MAX)
        .map((path) => `\`${shownName(path)}\``)
        .join(", ");
      const more = passed.size > SHOWN_MAX ? ` and ${passed.size - SHOWN_MAX} more` : "";
      return `skipped: ${shown}${more}, because each needs approval; a call that names one asks for it`;
    },
  };
}
