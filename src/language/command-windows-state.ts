// How far a script for PowerShell or cmd.exe has been read, and what has been found in it: what both readers share.
import type { Shell } from "../tool/command.ts";
import { ScriptParts } from "./command-parts.ts";
import type { CommandPiece, PlaceholderPiece, SimpleCommand } from "./command-pieces.ts";
import { inText, type WindowsPlace, type WindowsScript, type WindowsTrouble } from "./command-windows-place.ts";
import { VariableValues } from "./command-windows-values.ts";

export class WindowsState {
  readonly text: string;
  readonly parts: ScriptParts;
  readonly commands: SimpleCommand[] = [];
  readonly places = new Map<PlaceholderPiece, WindowsPlace>();
  readonly placeholders: PlaceholderPiece[] = [];
  /** Variables as `$name`, and `$(` for a command, in the order read. */
  readonly tokens: string[] = [];
  readonly values = new VariableValues();
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

  /** Takes what the sticky pattern finds. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at += found[0].length;
    return found;
  }

  /** Nothing behind it is read any more. */
  fail(kind: WindowsTrouble["kind"], opener: string, start = this.at): void {
    this.trouble ??= { kind, start, opener };
    this.at = this.text.length;
  }

  /** A placeholder, or the text of a doubled one. */
  takePlaceholder(quoting: PlaceholderPiece["quoting"], place: WindowsPlace = inText): CommandPiece | undefined {
    const found = this.parts.take(this.at, quoting);
    if (!found) return undefined;
    this.at = found.end;
    if (typeof found.taken === "string") return { kind: "text", text: found.taken };
    this.placeholders.push(found.taken);
    this.places.set(found.taken, place);
    return found.taken;
  }

  /** All that has been found. */
  script(shell: Extract<Shell, "cmd" | "pwsh">): WindowsScript {
    const { commands, places, feedsInput, trouble } = this;
    const found = { parts: this.parts.all(), commands, places, feedsInput, regions: [], shell };
    return trouble ? { ...found, trouble } : found;
  }
}
