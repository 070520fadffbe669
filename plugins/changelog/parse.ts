// A change log as data: headings that name a version, and the list items below each.

export interface Release {
  readonly version: string;
  readonly lines: readonly string[];
}

export function parseChangelog(text: string): readonly Release[] {
  const releases: { version: string; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const version = /^#+ .*?(\d+\.\d+\.\d+)/.exec(line)?.[1];
    const item = /^[-*] +(.*)/.exec(line)?.[1];
    if (version !== undefined) releases.push({ version, lines: [] });
    else if (item !== undefined) releases.at(-1)?.lines.push(item);
  }
  return releases;
}
