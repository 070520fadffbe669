// Texts that are passed on from one place to another: which of them begin with a value, and which contain one.
import type { PlaceholderPiece } from "./pieces.ts";
import { type Transfer, isPiece, type Source, type Text } from "./text.ts";

/** Returns a value that the source holds, or begins with, depending on the question. */
type Witness = (source: Source) => PlaceholderPiece | undefined;

export class TextGraph {
  readonly #transfers: readonly Transfer[];
  readonly #byTarget = new Map<Source, Text[]>();

  constructor(transfers: readonly Transfer[]) {
    this.#transfers = transfers;
    for (const { target, text } of transfers) append(this.#byTarget, target, text);
  }

  /** Returns every value that one of the texts may begin with unchanged, with the first such text. */
  beginnings<T>(texts: readonly { readonly text: Text; readonly of: T }[]): ReadonlyMap<PlaceholderPiece, T> {
    const found = new Map<Source, T>();
    const pending = texts.map(({ text, of }) => ({ text, of }));
    for (let next = pending.pop(); next; next = pending.pop()) {
      for (const { source, isCut } of next.text.starts) {
        if (isCut || found.has(source)) continue;
        found.set(source, next.of);
        for (const text of this.#byTarget.get(source) ?? []) pending.push({ text, of: next.of });
      }
    }
    return new Map([...found].flatMap(([source, of]) => (isPiece(source) ? [[source, of] as const] : [])));
  }

  /** Finds a counted value anywhere in the text of a source. */
  holding(counts: (piece: PlaceholderPiece) => boolean): Witness {
    const own: Witness = (source) => (isPiece(source) && counts(source) ? source : undefined);
    const found = lazily(() => {
      const seeds = this.#transfers.flatMap(({ target, text }) =>
        text.holds.flatMap((source) => seed(target, own(source))),
      );
      return spread(this.#heldBy(), seeds);
    });
    return (source) => own(source) ?? found().get(source);
  }

  #edges: Map<Source, Source[]> | undefined;

  /** Returns what holds each source. */
  #heldBy(): ReadonlyMap<Source, readonly Source[]> {
    if (this.#edges) return this.#edges;
    this.#edges = new Map();
    for (const { target, text } of this.#transfers)
      for (const source of text.holds) append(this.#edges, source, target);
    return this.#edges;
  }

  /** Finds a value of which a part may begin the text of a source. `held` finds a value that a source holds. */
  cut(held: Witness): Witness {
    const found = lazily(() => {
      const edges = new Map<Source, Source[]>();
      for (const { target, text } of this.#transfers)
        for (const { source, isCut } of text.starts) if (!isCut) append(edges, source, target);
      const seeds = this.#transfers.flatMap(({ target, text }) =>
        text.starts.flatMap(({ source, isCut }) => (isCut ? seed(target, held(source)) : [])),
      );
      return spread(edges, seeds);
    });
    return (source) => found().get(source);
  }
}

type Seed = readonly [Source, PlaceholderPiece];

function seed(target: Source, piece: PlaceholderPiece | undefined): readonly Seed[] {
  return piece ? [[target, piece]] : [];
}

/** Most questions are never asked. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function spread(
  edges: ReadonlyMap<Source, readonly Source[]>,
  seeds: readonly Seed[],
): ReadonlyMap<Source, PlaceholderPiece> {
  const found = new Map<Source, PlaceholderPiece>();
  const pending = [...seeds];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [source, piece] = next;
    if (found.has(source)) continue;
    found.set(source, piece);
    for (const target of edges.get(source) ?? []) pending.push([target, piece]);
  }
  return found;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
