// How tools go through a folder, and what they say of what they did not see: files that a model may only read if a person
// approves that very call, and folders that could not be entered.
import type { WalkOptions } from "../../core/tool/host.ts";
import type { GuardedReading, ToolContext } from "../../core/tool/tool.ts";
import { shownName } from "../../core/base/shown-name.ts";

const SHOWN_MAX = 5;

export interface Walk {
  readonly options: WalkOptions;
  /** Whether the file or folder at this path, from the folder, is left unread. Records it if so. */
  isPassed(path: string): boolean;
  /** Returns lines for the result. */
  notes(): readonly string[];
}

interface Walked {
  readonly hidden: boolean;
  readonly ignored: boolean;
  readonly depthMax: number;
  /** Absent: nothing below the folder is named or read. */
  readonly reads: GuardedReading | undefined;
}

/** `folder` is absolute. */
export async function walkBelow(
  folder: string,
  { hidden, ignored, depthMax, reads }: Walked,
  { guardedBelow, signal }: ToolContext,
): Promise<Walk> {
  const isGuarded = reads && (await guardedBelow?.(folder, reads));
  const passed = new Set<string>();
  const unread: string[] = [];
  const isPassed = (path: string): boolean => {
    const isOne = isGuarded?.(path) === true;
    if (isOne) passed.add(path);
    return isOne;
  };
  return {
    options: {
      includesHidden: hidden,
      honoursIgnoreFiles: !ignored,
      depthMax,
      signal,
      ...(isGuarded ? { passesOver: isPassed } : {}),
      onUnreadable: (path) => void unread.push(path),
    },
    isPassed,
    notes: () => [
      ...(passed.size === 0
        ? []
        : [`skipped: ${shownPaths([...passed])}, because each needs approval; a call that names one asks for it`]),
      ...(unread.length === 0
        ? []
        : [
            `${unread.length === 1 ? "a folder" : `${unread.length} folders`} could not be read: ${shownPaths(unread)}`,
          ]),
    ],
  };
}

function shownPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, SHOWN_MAX).map((path) => `\`${shownName(path)}\``);
  return `${shown.join(", ")}${paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : ""}`;
}
