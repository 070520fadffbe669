// Texts that are surely secrets, so that no folder is given away with one. Only forms that their services document for
// scanners count, because a guess would refuse sound folders.

interface SecretForm {
  readonly is: string;
  readonly pattern: RegExp;
}

const forms: readonly SecretForm[] = [
  { is: "a private key", pattern: /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/ },
  { is: "a GitHub token", pattern: /\b(?:gh[opusr]_[A-Za-z0-9]{36}|github_pat_\w{40,})/ },
  { is: "a GitLab token", pattern: /\bglpat-[\w-]{20,}/ },
  { is: "an npm token", pattern: /\bnpm_[A-Za-z0-9]{36}|:_(?:authToken|password)\s*=\s*(?!\$)\S/ },
  { is: "a Slack token", pattern: /\bxox[abeoprs]-[\w-]{10,}|hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{10,}/ },
  { is: "a key of OpenAI, Anthropic or Stripe", pattern: /\bsk[-_](?:proj-|ant-|live_|test_)?[A-Za-z0-9_-]{24,}/ },
  { is: "a Stripe key", pattern: /\b[rs]k_live_[A-Za-z0-9]{20}/ },
  { is: "an AWS access key", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { is: "a Google API key", pattern: /\bAIza[\w-]{35}/ },
  { is: "a Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{30,}/ },
  {
    is: "an address with a password",
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^/?#@\s:"'`${}<>]*:[^/?#@\s"'`${}<>]+@/i,
  },
];

interface FoundSecret {
  /** 1-based. */
  readonly line: number;
  /** The kind of secret with its article. The secret itself is not shown. */
  readonly is: string;
}

export function secretIn(text: string): FoundSecret | undefined {
  for (const { is, pattern } of forms) {
    const at = text.search(pattern);
    if (at !== -1) return { line: text.slice(0, at).split("\n").length, is };
  }
  return undefined;
}
