// How far a script for PowerShell or cmd.exe has been read, and what was found in it. Both readers share this state.
import type { Shell } from "../tool/command.ts";
import { ScriptParts } from "./parts.ts";
import type { CommandPiece, PlaceholderPiece, SimpleCommand } from "./pieces.ts";
import {
  inText,
  type SingleQuoted,
  type WindowsPlace,
  type WindowsScript,
  type WindowsTrouble,
} from "./windows-place.ts";
import { VariableValues } from "./windows-values.ts";

export class WindowsState {
  readonly text: string;
  readonly parts: ScriptParts;
  readonly commands: SimpleCommand[] = [];
  readonly places = new Map<PlaceholderPiece, WindowsPlace>();
  readonly placeholders: PlaceholderPiece[] = [];
  /** What has been read, in order: `$name` for a variable, `$(` for a command. */
  readonly tokens: string[] = [];
  readonly values = new VariableValues();
  readonly singles: SingleQuoted[] = [];
  trouble: WindowsTrouble | undefined;
  feedsInput = false;
  at = 0;

  constructor(text: string) {
    this.text = text;
    this.parts = new ScriptParts(text);
  }

  get character(): string {
    return this.text[this.at] ?? "";
  }

  /** Takes the text that the sticky pattern matches here. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at += found[0].length;
    return found;
  }

  /** Records the trouble; the text after it is not read. */
  fail(kind: WindowsTrouble["kind"], opener: string, start = this.at): void {
    this.trouble ??= { kind, start, opener };
    this.at = this.text.length;
  }

  /** Takes a placeholder, or a doubled one as text. */
  takePlaceholder(quoting: PlaceholderPiece["quoting"], place: WindowsPlace = inText): CommandPiece | undefined {
    const found = this.parts.take(this.at, quoting);
    if (!found) return undefined;
    this.at = found.end;
    if (typeof found.taken === "string") return { kind: "text", text: found.taken };
    this.placeholders.push(found.taken);
    this.places.set(found.taken, place);
    return found.taken;
  }

  /** Returns all that was found. */
  script(shell: Extract<Shell, "cmd" | "pwsh">): WindowsScript {
    const { commands, places, feedsInput, trouble } = this;
    const singles = [...new Map(this.singles.map((one) => [one.start, one])).values()].sort(
      (a, b) => a.start - b.start,
    );
    const found = { parts: this.parts.all(), commands, places, feedsInput, singles, regions: [], shell };
    return trouble ? { ...found, trouble } : found;
  }
}
