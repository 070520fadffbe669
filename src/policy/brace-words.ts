// The words that a shell makes of braces: `{rm,-rf}`, `/etc/{a,b}`.

const WORDS_MAX = 256;

/** Returns the words of a text without quotes; the text itself if it has no such braces. */
export function expandedBraces(text: string): readonly string[] {
  const words = [text];
  for (let index = 0; index < words.length && words.length < WORDS_MAX; ) {
    const word = words[index] ?? "";
    const [, start, inside, end] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(word) ?? [];
    if (inside === undefined) index++;
    else words.splice(index, 1, ...inside.split(",").map((part) => `${start ?? ""}${part}${end ?? ""}`));
  }
  return words;
}
