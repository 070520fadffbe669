// Makes whole lines of text that comes in pieces, in linear time however the pieces are cut.

interface LineReaderOptions {
  /** The limit of a line, without its end. */
  readonly charactersMax: number;
  onLine(line: string): void;
  /** Called in place of `onLine` for a line beyond the limit, as soon as it is. */
  onTooLong(): void;
}

/** Returns a function that takes the next piece. A last line without an end is passed on when a piece ends it. */
export function lineReader({ charactersMax, onLine, onTooLong }: LineReaderOptions): (text: string) => void {
  let pieces: string[] = [];
  let held = 0;
  let isSkipping = false;
  const hold = (piece: string): void => {
    if (isSkipping) return;
    held += piece.length;
    if (held <= charactersMax) return void pieces.push(piece);
    pieces = [];
    isSkipping = true;
    onTooLong();
  };
  return (text) => {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      hold(text.slice(start, end));
      start = end + 1;
      const line = pieces.join("");
      pieces = [];
      held = 0;
      if (isSkipping) isSkipping = false;
      else onLine(line);
    }
    if (start < text.length) hold(text.slice(start));
  };
}
