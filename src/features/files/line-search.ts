// Searching a pattern in lines: compiles it, goes through texts, and shows matches as `grep` does.

interface LinePattern {
  readonly line: RegExp;
  /**
   * The pattern for a whole text. If it does not match, no line does. Absent where line ends would change its meaning.
   */
  readonly anywhere?: RegExp;
  /** Whether it cannot backtrack over a line for long. */
  readonly isQuick: boolean;
}

/** The limit of an expression that is quick, because each place of a text may be compared with all of it. */
const QUICK_CHARACTERS_MAX = 200;

interface PatternOptions {
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
}

/** Throws a `SyntaxError` if it is not a regular expression. */
export function compilePattern(pattern: string, { isLiteral, ignoresCase }: PatternOptions): LinePattern {
  const source = isLiteral ? pattern.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : pattern;
  const flags = ignoresCase ? "i" : "";
  const line = compile(source, flags);
  // Only lookaround sees beyond the end of a line. Any other pattern matches in a larger text too.
  const looksAround = !isLiteral && /\(\?<?[=!]/.test(source);
  return {
    line,
    ...(looksAround ? {} : { anywhere: new RegExp(source, `${line.flags}m`) }),
    isQuick: isLiteral || (source.length <= QUICK_CHARACTERS_MAX && !/[*+?{|]/.test(source)),
  };
}

/** Compiles by characters, so that `\p{L}` works, or by UTF-16 units if the pattern has escapes that need these. */
function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

export interface SearchedText {
  readonly name: string;
  /** The number of the first line, from 1. */
  readonly firstLine: number;
  readonly text: string;
}

export interface LineSearch {
  readonly pattern: LinePattern;
  /** The number of lines to show around each match, if they are in the same text. */
  readonly contextLines: number;
  readonly matchesMax: number;
  readonly output: string[];
  /** Counts matching lines by name, instead of showing them. */
  readonly counts?: Map<string, number>;
  /** One more than `matchesMax` if there are more. */
  matches: number;
  /** The name of the current text, for a search that takes too long. */
  current: string;
}

export function searchIn(search: LineSearch, searched: SearchedText): void {
  const { pattern, matchesMax } = search;
  if (search.matches > matchesMax) return;
  search.current = searched.name;
  if (pattern.anywhere && !pattern.anywhere.test(searched.text)) return;
  const lines = searched.text.split("\n");
  // There is no line after the last line end.
  if (lines.at(-1) === "") lines.pop();
  if (search.counts) return countIn(search, search.counts, { searched, lines });
  const columns = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const found = pattern.line.exec(withoutCr(line));
    if (!found) continue;
    if (++search.matches > matchesMax) break;
    columns.set(index, found.index);
  }
  show(search, searched, { lines, columns });
}

function countIn(
  search: LineSearch,
  counts: Map<string, number>,
  { searched: { name }, lines }: { readonly searched: SearchedText; readonly lines: readonly string[] },
): void {
  const found = lines.filter((line) => search.pattern.line.test(withoutCr(line))).length;
  if (found === 0 || (!counts.has(name) && ++search.matches > search.matchesMax)) return;
  counts.set(name, (counts.get(name) ?? 0) + found);
}

interface Found {
  readonly lines: readonly string[];
  /** The column of the first match in a line, by the index of the line. */
  readonly columns: ReadonlyMap<number, number>;
}

/** Shows `name:12:text` for a match, `name-11-text` around it, and `--` where lines are left out. */
function show(search: LineSearch, { name, firstLine }: SearchedText, { lines, columns }: Found): void {
  let next = 0;
  for (const index of columns.keys()) {
    const from = Math.max(next, index - search.contextLines);
    if (search.contextLines > 0 && search.output.length > 0 && (from > next || next === 0)) search.output.push("--");
    next = Math.min(lines.length, index + search.contextLines + 1);
    for (let at = from; at < next; at++) {
      const column = columns.get(at);
      // The context of a match ends where the next match begins its own.
      if (at > index && column !== undefined) next = at;
      else
        search.output.push(
          `${name}${column === undefined ? "-" : ":"}${firstLine + at}${column === undefined ? "-" : ":"}${excerpt(withoutCr(lines[at] ?? ""), column ?? 0)}`,
        );
    }
  }
}

const LINE_CHARACTERS_MAX = 300;
const BEFORE_MATCH_CHARACTERS = 100;

/** Returns a line, or of a long one the part around the match. */
function excerpt(line: string, column: number): string {
  if (line.length <= LINE_CHARACTERS_MAX) return line;
  const from = Math.max(0, Math.min(column - BEFORE_MATCH_CHARACTERS, line.length - LINE_CHARACTERS_MAX));
  const to = from + LINE_CHARACTERS_MAX;
  return (from > 0 ? "…" : "") + line.slice(from, to) + (to < line.length ? "…" : "");
}

function withoutCr(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
