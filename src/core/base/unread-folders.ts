// The folders that a walk could not enter, as a line for the result: what was looked through is not all that is there.
import { shownName } from "./shown-name.ts";

const SHOWN_MAX = 5;

export interface UnreadFolders {
  onUnreadable(path: string): void;
  /** Undefined if every folder was read. */
  note(): string | undefined;
}

export function unreadFolders(): UnreadFolders {
  const paths: string[] = [];
  return {
    onUnreadable: (path) => void paths.push(path),
    note: () => {
      if (paths.length === 0) return undefined;
      const shown = paths.slice(0, SHOWN_MAX).map((path) => `\`${shownName(path)}\``);
      const more = paths.length > SHOWN_MAX ? ` and ${paths.length - SHOWN_MAX} more` : "";
      return `${paths.length === 1 ? "a folder" : `${paths.length} folders`} could not be read: ${shown.join(", ")}${more}`;
    },
  };
}
