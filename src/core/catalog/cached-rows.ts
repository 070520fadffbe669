// The contents of a cache about its files, except their definitions, in columns: names and words as JSON, facts as
// numbers. Rows are made when they are read, since most of a thousand unchanged files are never looked at.
import type { DefinitionSummary } from "./entry.ts";

export interface CachedFile {
  readonly relativePath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** The wall clock before the file was read. */
  readonly checkedMs: number;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly name: string;
  readonly row: number;
}

export interface Names {
  readonly folder: string;
  readonly key: string;
  /** The paths, sorted. */
  readonly relativePaths: readonly string[];
  readonly names: readonly string[];
}

export interface Words {
  readonly titles: readonly string[];
  readonly summaries: readonly string[];
  /** Combinations that definitions share, each stored once. A fact holds the index. */
  readonly kinds: readonly Kind[];
}

type Own = "name" | "title" | "summary" | "nameStart" | "nameEnd" | "line";
type Kind = Omit<DefinitionSummary, Own>;

// The facts of a file, in their order. Its hash and its definition end at END, in bytes, and begin at the END of the
// row before.
const SIZE_BYTES = 0;
const MTIME = 1;
const CTIME = 2;
const INODE = 3;
const CHECKED = 4;
const ERRORS = 5;
const WARNINGS = 6;
const NAME_START = 7;
const NAME_END = 8;
const LINE = 9;
const KIND = 10;
const END = 11;
export const FACTS = 12;

/** Returns where the hash and the definition of a row begin. */
export function startOf(row: number, facts: Float64Array): number {
  return row === 0 ? 0 : factOf(facts, row - 1, END);
}

function factOf(facts: Float64Array, row: number, fact: number): number {
  return facts[row * FACTS + fact] ?? 0;
}

export interface Rows extends Names {
  readonly facts: Float64Array;
}

/** Returns a search by path, which is fastest in the order of paths. */
export function finderIn(rows: Rows): (relativePath: string) => CachedFile | undefined {
  const { relativePaths } = rows;
  let next = 0;
  return (relativePath) => {
    if (relativePaths[next] !== relativePath) next = firstFrom(relativePath, relativePaths);
    return relativePaths[next] === relativePath ? new CachedRow(rows, next++) : undefined;
  };
}

/** Returns the index where `path` is, or would be, in `sorted`. */
function firstFrom(path: string, sorted: readonly string[]): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

class CachedRow implements CachedFile {
  readonly row: number;
  private readonly rows: Rows;

  constructor(rows: Rows, row: number) {
    this.rows = rows;
    this.row = row;
  }

  get relativePath(): string {
    return this.rows.relativePaths[this.row] ?? "";
  }

  get name(): string {
    return this.rows.names[this.row] ?? "";
  }

  get sizeBytes(): number {
    return factOf(this.rows.facts, this.row, SIZE_BYTES);
  }

  get mtimeMs(): number {
    return factOf(this.rows.facts, this.row, MTIME);
  }

  get ctimeMs(): number {
    return factOf(this.rows.facts, this.row, CTIME);
  }

  get inode(): number {
    return factOf(this.rows.facts, this.row, INODE);
  }

  get checkedMs(): number {
    return factOf(this.rows.facts, this.row, CHECKED);
  }

  get errorCount(): number {
    return factOf(this.rows.facts, this.row, ERRORS);
  }

  get warningCount(): number {
    return factOf(this.rows.facts, this.row, WARNINGS);
  }
}

export function summaryIn(
  { names, facts }: Rows,
  { titles, summaries, kinds }: Words,
  row: number,
): DefinitionSummary | undefined {
  const kind = kinds[factOf(facts, row, KIND)];
  // The spread comes first: V8 then copies it as a whole.
  return (
    kind && {
      ...kind,
      name: names[row] ?? "",
      title: titles[row] ?? "",
      summary: summaries[row] ?? "",
      nameStart: factOf(facts, row, NAME_START),
      nameEnd: factOf(facts, row, NAME_END),
      line: factOf(facts, row, LINE),
    }
  );
}

export interface NewRow {
  readonly file: CachedFile;
  readonly summary: DefinitionSummary;
  /** The length of its hash and definition. */
  readonly lengthBytes: number;
}

/** Returns columns of rows. `words` is JSON. */
export function columnsOf(rows: readonly NewRow[]): { readonly facts: Float64Array; readonly words: string } {
  const facts = new Float64Array(rows.length * FACTS);
  const kinds = new Map<string, number>();
  let end = 0;
  rows.forEach(
    (
      {
        file,
        summary: { name: _, title: _title, summary: _summary, nameStart, nameEnd, line, ...common },
        lengthBytes,
      },
      row,
    ) => {
      end += lengthBytes;
      const kindText = JSON.stringify(common);
      const kind = kinds.get(kindText) ?? kinds.size;
      kinds.set(kindText, kind);
      facts.set(
        [
          file.sizeBytes,
          file.mtimeMs,
          file.ctimeMs,
          file.inode,
          file.checkedMs,
          file.errorCount,
          file.warningCount,
          nameStart,
          nameEnd,
          line,
          kind,
          end,
        ],
        row * FACTS,
      );
    },
  );
  const titles = JSON.stringify(rows.map(({ summary }) => summary.title));
  const summaries = JSON.stringify(rows.map(({ summary }) => summary.summary));
  return { facts, words: `{"titles":${titles},"summaries":${summaries},"kinds":[${[...kinds.keys()].join(",")}]}` };
}

/** The result of reading a text. */
export interface ParsedFile {
  readonly sha256: string;
  readonly summary: DefinitionSummary;
  readonly errorCount: number;
  readonly warningCount: number;
  /** The text from `storeDefinition`. Absent for a definition with errors. */
  readonly text?: string;
}
