// The state of reading a script: the open frames, what they hold, and the parts whose ends are known beforehand.
import { CommandFrame, type FrameOptions } from "./frame.ts";
import { type HereDocument, hereDocumentBody } from "./here-document.ts";
import { ScriptParts } from "./parts.ts";
import type { CommandGroup, CommandPiece, PlaceholderPiece, Region, SimpleCommand } from "./pieces.ts";
import type { PlaceholderPosition } from "./positions.ts";
import { REGION_NESTING_MAX, decodedAnsi, regionAt } from "./regions.ts";

/** The part that cannot be read, and where it begins. */
export interface Trouble {
  readonly kind: "unclosed" | "too-deep";
  readonly start: number;
  readonly opener: string;
}

export interface ScanOptions {
  /** Whether `[[ … ]]` is read as bash and zsh do. */
  readonly knowsTests: boolean;
  /** Whether `$a[…]` is read as zsh does. */
  readonly knowsSubscripts?: boolean;
}

/** A region whose text is being read. */
interface OpenRegion {
  readonly region: Region;
  readonly opener: string;
  /** The offset where its text ends, before the closing characters. */
  readonly end: number;
  readonly frame: CommandFrame;
  /** Collects the text of a here-document. */
  readonly document?: CommandPiece[];
}

type OpenedFrame = Pick<FrameOptions, "closer" | "start" | "opener" | "isList" | "isText" | "joins" | "isQuoted"> & {
  readonly group?: CommandGroup;
};

type ScanFrame = CommandFrame | { readonly kind: "double"; readonly start: number };

export class ScanState {
  readonly text: string;
  readonly parts: ScriptParts;
  readonly commands: SimpleCommand[] = [];
  readonly regions: Region[] = [];
  readonly positions = new Map<PlaceholderPiece, PlaceholderPosition>();
  readonly functions = new Set<string>();
  readonly frames: ScanFrame[] = [];
  readonly hereDocuments: { readonly document: HereDocument; readonly pieces: CommandPiece[] }[] = [];
  readonly openRegions: OpenRegion[] = [];
  trouble: Trouble | undefined;
  at = 0;
  readonly options: ScanOptions;
  feedsInput = false;

  constructor(text: string, options: ScanOptions) {
    this.options = options;
    this.text = text;
    this.parts = new ScriptParts(text);
  }

  /** Opens a frame. `group` is a new group for the commands of a substitution. */
  open(options: OpenedFrame): CommandFrame {
    if (this.frames.length >= REGION_NESTING_MAX)
      this.trouble = { kind: "too-deep", start: options.start, opener: options.opener ?? "" };
    const groups = options.joins?.groups;
    const outer = options.isText || options.isList ? groups?.current : groups?.substitution(options.opener);
    const group: CommandGroup = options.group ?? outer ?? { kind: "group", redirections: [] };
    const { commands, positions, functions } = this;
    const { knowsTests, knowsSubscripts: knowsShortForms = false } = this.options;
    const frame = new CommandFrame({
      ...options,
      group,
      at: () => this.at,
      knowsTests,
      knowsShortForms,
      commands,
      positions,
      functions,
    });
    this.frames.push(frame);
    return frame;
  }

  /** Returns the frame of the commands that this place belongs to; quotes are skipped. */
  commandsFrame(): CommandFrame {
    for (let index = this.frames.length - 1; index >= 0; index--) {
      const frame = this.frames[index];
      if (frame?.kind === "commands") return frame;
    }
    throw new Error("the outermost frame holds commands");
  }

  takePlaceholder(quoting: PlaceholderPiece["quoting"]): boolean {
    const found = this.parts.take(this.at, quoting);
    if (!found) return false;
    const frame = this.commandsFrame();
    if (typeof found.taken === "string") frame.add(found.taken);
    else frame.addPlaceholder(found.taken);
    this.at = found.end;
    return true;
  }

  takeRegion(opener: string, isInDouble: boolean): boolean {
    const region = regionAt(this.text, { start: this.at, opener, isInDouble });
    if (region.kind === "unclosed" || region.kind === "too-deep") {
      this.trouble = { kind: region.kind, start: region.start, opener };
      return true;
    }
    const outer = this.commandsFrame();
    if (region.kind === "ANSI-C quotes") {
      this.regions.push(region);
      outer.addQuote(decodedAnsi(this.text.slice(region.start + 2, region.end - 1)));
      this.at = region.end;
      return true;
    }
    // `((…))` is a command, and not a word of one.
    if (opener === "((") outer.endCommand();
    const frame = this.open({
      closer: "",
      start: region.start,
      opener,
      isText: region.kind !== "backquotes",
      isQuoted: isInDouble,
      ...(opener === "((" ? {} : { joins: outer }),
    });
    this.openRegions.push({ region, opener, end: region.end - (opener.endsWith("((") ? 2 : 1), frame });
    this.at = region.start + opener.length;
    return true;
  }

  closeRegion(open: OpenRegion): void {
    const { region, frame, document } = open;
    if (this.frames.at(-1) !== frame || this.at > open.end) {
      this.trouble ??= { kind: "unclosed", start: region.start, opener: open.opener };
      return;
    }
    this.openRegions.pop();
    this.frames.pop();
    const inside = frame.isText ? frame.takeWord() : undefined;
    if (inside) {
      this.regions.push({ ...region, inside });
      document?.push(...inside.pieces);
    } else {
      frame.endCommand();
      this.regions.push(region);
    }
    frame.joinOuter(this.text.slice(region.start, region.end), inside);
    this.at = region.end;
    if (document) this.takeDocument();
  }

  /** Reads the here-documents that begin on the line before, up to one that holds more than text. */
  takeDocument(): void {
    for (let next = this.hereDocuments.shift(); next && !this.trouble; next = this.hereDocuments.shift()) {
      const { document, pieces } = next;
      const body = hereDocumentBody(this.text, this.at, document);
      const region: Region = { kind: "here-document", start: this.at, end: body.end };
      if (!body.isClosed) this.trouble = { kind: "unclosed", start: document.start, opener: "<<" };
      else if (!document.isLiteral) {
        const frame = this.open({ closer: "", start: this.at, opener: "<<", isText: true });
        this.openRegions.push({ region, opener: "<<", end: body.end, frame, document: pieces });
        return;
      }
      pieces.push({ kind: "text", text: this.text.slice(this.at, body.end) });
      this.regions.push(region);
      this.at = body.end;
    }
  }
}
