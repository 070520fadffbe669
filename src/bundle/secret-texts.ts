// Texts that are surely secrets: a bundle is given away, so a folder with one is not bundled. Only forms that their
// services document count, because a guess would refuse sound folders.

interface SecretForm {
  readonly is: string;
  readonly pattern: RegExp;
}

const forms: readonly SecretForm[] = [
  { is: "a private key", pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/ },
  { is: "a token of GitHub", pattern: /\b(?:gh[opusr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/ },
  { is: "a token of GitLab", pattern: /\bglpat-[\w-]{20,}/ },
  { is: "a token of npm", pattern: /\bnpm_[A-Za-z0-9]{36}|:_(?:authToken|password)\s*=\s*(?!\$)\S/ },
  { is: "a token of Slack", pattern: /\bxox[abprs]-[\w-]{10,}|hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{10,}/ },
  { is: "a key of OpenAI, Anthropic or Stripe", pattern: /\bsk[-_](?:proj-|ant-|live_|test_)?[A-Za-z0-9_-]{24,}/ },
  { is: "a key of AWS", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { is: "a key of Google", pattern: /\bAIza[\w-]{35}/ },
  { is: "a token of Hugging Face", pattern: /\bhf_[A-Za-z0-9]{30,}/ },
  {
    is: "an address with a password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^/?#@\s:"'`${}<>]+:[^/?#@\s"'`${}<>]+@/i,
  },
];

export interface FoundSecret {
  /** 1-based. */
  readonly line: number;
  /** With its article. The secret itself is not shown. */
  readonly is: string;
}

export function secretIn(text: string): FoundSecret | undefined {
  for (const { is, pattern } of forms) {
    const at = text.search(pattern);
    if (at !== -1) return { line: text.slice(0, at).split("\n").length, is };
  }
  return undefined;
}
