// Tracked files must not depend on where they were made: no package registry, no folder of one machine.

const PATTERNS = [
  {
    pattern: /\b(?:registry\.(?:npmjs|yarnpkg)|npmjs\.com\/|deb\.debian|\/\/pypi\.org|proxy\.golang|crates\.io\/api)/,
    text: "names a package registry; leave it to the machine's configuration",
  },
  {
    pattern: /"resolved": "htt[p]/,
    text: "ties the lock file to one registry; install with `omit-lockfile-registry-resolved`",
  },
  { pattern: /(?<![\w.])\/(?:work|root)\/\w/, text: "is a folder of one machine; write it relative to the repository" },
];

export function checkTexts({ root, files }) {
  return files.flatMap(({ path, text, lineAt }) => {
    const found = PATTERNS.map(({ pattern, text: problem }) => ({ match: pattern.exec(text), problem })).filter(
      ({ match }) => match !== null,
    );
    const complaints = found.map(({ match, problem }) => ({
      path,
      line: lineAt(match.index),
      rule: "origin",
      text: `\`${match[0]}\` ${problem}`,
    }));
    const own = text.indexOf(root);
    return own === -1 || complaints.some(({ rule }) => rule === "origin")
      ? complaints
      : [
          ...complaints,
          {
            path,
            line: lineAt(own),
            rule: "origin",
            text: `\`${root}\` is a folder of one machine; write it relative to the repository`,
          },
        ];
  });
}
