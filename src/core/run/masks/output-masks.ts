// Masks two streams as they come: each alone, and both mixed as a terminal shows them. Bytes that may become a secret
// are held back until the next bytes decide.
import { Buffer } from "node:buffer";
import type { OutputStream, ProcessReport } from "../../tool/call.ts";
import type { SecretForms } from "./secret-forms.ts";
import { MaskedPieces } from "./masked-pieces.ts";
import { HELD_BYTES_MAX, SecretSearch } from "./secret-search.ts";
import type { ToolEvent } from "../../tool/tool.ts";

interface Piece {
  readonly stream: OutputStream;
  readonly bytes: Uint8Array;
}

interface Held {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

interface ShownPiece extends Piece, Held {}

interface Side {
  readonly search: SecretSearch;
  readonly pieces: MaskedPieces;
  held: Held[];
  heldBytes: number;
}

class OutputMasks {
  readonly #forms: SecretForms;
  readonly #sides = new Map<OutputStream, Side>();
  /** The search over both streams, once there are two. */
  #both: SecretSearch | undefined;
  #offset = 0;

  constructor(forms: SecretForms) {
    this.#forms = forms;
  }

  /** Takes bytes and returns what can be shown now. */
  write({ stream, bytes }: Piece): readonly ShownPiece[] {
    const side = this.#sideOf(stream);
    const offset = this.#offset;
    this.#offset += bytes.length;
    side.held.push({ bytes, offset });
    side.heldBytes += bytes.length;
    side.pieces.add(side.search.read(bytes, offset));
    if (this.#both) this.#readBoth({ bytes, offset });
    return this.#shown(false);
  }

  /** Ends the input and returns the rest. */
  end(): readonly ShownPiece[] {
    const shown = this.#shown(true);
    this.#sides.clear();
    this.#both = undefined;
    return shown;
  }

  #sideOf(stream: OutputStream): Side {
    const known = this.#sides.get(stream);
    if (known) return known;
    const side: Side = { search: new SecretSearch(this.#forms), pieces: new MaskedPieces(), held: [], heldBytes: 0 };
    this.#sides.set(stream, side);
    const [other] = this.#sides.values();
    if (other && other !== side) {
      this.#both = new SecretSearch(this.#forms);
      for (const held of other.held) this.#readBoth(held);
    }
    return side;
  }

  #readBoth({ bytes, offset }: Held): void {
    const ranges = this.#both?.read(bytes, offset) ?? [];
    for (const { pieces } of this.#sides.values()) pieces.add(ranges);
  }

  /** Returns what can be shown, in the order in which it came as far as the streams allow. */
  #shown(isAll: boolean): readonly ShownPiece[] {
    const shown = [...this.#sides].flatMap(([stream, side]) => {
      const openFrom = isAll ? Infinity : Math.min(side.search.openFrom, this.#both?.openFrom ?? Infinity);
      return released(side, openFrom).map(({ bytes, offset }) => ({
        stream,
        offset,
        bytes: side.pieces.masked(bytes, offset),
      }));
    });
    return shown.filter(({ bytes }) => bytes.length > 0).sort((one, other) => one.offset - other.offset);
  }
}

function released(side: Side, openFrom: number): readonly Held[] {
  const out: Held[] = [];
  while (side.held.length > 0) {
    const [first] = side.held;
    if (!first) break;
    const { bytes, offset } = first;
    const isTooMuch = side.heldBytes > HELD_BYTES_MAX;
    const count = isTooMuch ? bytes.length : Math.min(bytes.length, Math.max(0, openFrom - offset));
    if (count === 0) break;
    out.push({ bytes: bytes.subarray(0, count), offset });
    side.heldBytes -= count;
    if (count === bytes.length) side.held.shift();
    else side.held[0] = { bytes: bytes.subarray(count), offset: offset + count };
  }
  return out;
}

/** Masks pieces of two streams, in their order. */
export function maskedTranscript(pieces: ProcessReport["transcript"], forms: SecretForms): ProcessReport["transcript"] {
  const output = new OutputMasks(forms);
  const shown = pieces.flatMap(({ stream, text }) => output.write({ stream, bytes: Buffer.from(text) }));
  const joined: { readonly stream: OutputStream; text: string }[] = [];
  for (const { stream, bytes } of [...shown, ...output.end()].sort((one, other) => one.offset - other.offset)) {
    const [last, text] = [joined.at(-1), Buffer.from(bytes).toString()];
    if (last?.stream === stream) last.text += text;
    else joined.push({ stream, text });
  }
  return joined;
}

interface StreamMask {
  readonly forms: SecretForms;
  readonly text: (text: string) => string;
}

type Emit = (event: ToolEvent) => void | Promise<void>;

export function maskStream(emit: Emit, { forms, text }: StreamMask): { readonly emit: Emit; flush(): Promise<void> } {
  const output = new OutputMasks(forms);
  return {
    emit: (event) => {
      switch (event.kind) {
        case "progress":
        case "log":
          return emit({ ...event, text: text(event.text) });
        case "resource-changed":
          return emit({ ...event, uri: text(event.uri) });
        case "step":
          return emit(event);
        case "output":
          return hand(output.write(event), emit);
      }
    },
    flush: async () => hand(output.end(), emit),
  };
}

/** Passes on pieces. Returns a promise if the reader is slow. */
function hand([first, ...rest]: readonly Piece[], emit: Emit): void | Promise<void> {
  if (!first) return undefined;
  const wait = emit({ kind: "output", ...pieceOf(first) });
  if (rest.length === 0) return wait;
  return wait === undefined ? hand(rest, emit) : wait.then(() => hand(rest, emit));
}

function pieceOf({ stream, bytes }: Piece): Piece {
  return { stream, bytes };
}
