// The first sentence of a description, for lists.

const SUMMARY_LENGTH_MAX = 160;

/**
 * Returns the first sentence without its full stop. It ends only where a new one can begin, so "e.g. files" does not
 * end it.
 */
export function firstSentence(description: string): string {
  const paragraph = (description.split(/\n\s*\n/, 1)[0] ?? "").replaceAll(/\s+/g, " ").trim();
  const end = /(?<!\.)[.!?](?= [\p{Lu}\p{Lo}(`"]|$)/u.exec(paragraph);
  const sentence = end ? paragraph.slice(0, end.index) : paragraph;
  return sentence.length <= SUMMARY_LENGTH_MAX
    ? sentence
    : `${sentence.slice(0, SUMMARY_LENGTH_MAX - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
