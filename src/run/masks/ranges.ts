// Parts of an output, from `start` to before `end`. Overlapping parts are one.

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the ranges in order. Parts that only touch stay separate. */
export function joinedRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    const last = joined.at(-1);
    if (last && range.start < last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
    else joined.push(range);
  }
  return joined;
}
