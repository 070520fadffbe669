// Finds the secrets in a command line, so that none is written to a definition, which others will read.
import { soundsSecret } from "../../core/text/secret-names.ts";

export interface GuessedSecret {
  /** The secret itself, for those who look for it elsewhere. */
  readonly text: string;
  /** The parameter. */
  readonly name: string;
  /** The environment variable that the parameter is read from. */
  readonly variable: string;
  /** What stands for the secret in the line: a word that no shell changes. */
  readonly mark: string;
}

interface Form {
  /** Has the groups `secret` and, where the line says what it is, `name`. */
  readonly pattern: RegExp;
  readonly name: string;
}

/** A word of a shell: with its quotes around it, or without any. */
const WORD = String.raw`(?<quote>["']?)(?<secret>(?<=["'])(?:\\.|(?!\k<quote>)[^\\{}])+|[^\s"'$\\{}&|;<>()-][^\s"'$\\{}&|;<>()]*)`;

function behind(before: string, flags = "g"): RegExp {
  return new RegExp(`(?:${before})${WORD}`, flags);
}

const forms: readonly Form[] = [
  // A header: `Authorization: Bearer abc`, `X-Api-Key: abc`, and that of HTTPie: `Authorization:abc`.
  {
    pattern:
      /(?<=^|["'\s])(?<name>[A-Za-z][\w-]*):\s*["']?(?:(?:bearer|basic|token|apikey|digest)\s+)?(?!(?:bearer|basic|token|apikey|digest)\s)(?<secret>(?![/\s])[^"'$\\{}]{4,}?)(?=["']|\s*$)/gi,
    name: "token",
  },
  // A key of JSON: `"password": "abc"`.
  { pattern: /"(?<name>[A-Za-z][\w-]*)\\?"\s*:\s*\\?"(?<secret>[^"$\\{}]{4,})(?=\\?")/g, name: "token" },
  // An address: `postgres://user:abc@host`, `https://abc@host`, `?sig=abc`, and those of Slack and Telegram.
  { pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^/?#@\s:"']*:(?<secret>[^/?#@\s"'$\\{}]+)(?=@)/gi, name: "password" },
  { pattern: /\bhttps?:\/\/(?<secret>[\w-]{12,})(?=@)/gi, name: "token" },
  { pattern: /[?&](?:key|sig|signature|auth|code)=(?<secret>[^\s"'&$\\{}]{8,})/gi, name: "token" },
  {
    pattern: /hooks\.slack\.com\/services\/(?<secret>[\w/]{10,})|(?:api\.telegram\.org\/bot)(?<secret2>[\w:-]{10,})/g,
    name: "token",
  },
  // An option or a variable: `--password abc`, `API_KEY=abc`, `:_authToken=abc`.
  { pattern: behind(String.raw`(?<![\w-])-{0,2}(?<name>[A-Za-z_][\w-]*)(?:=|(?<=--[\w-]+)\s+)\$?`), name: "token" },
  { pattern: behind(String.raw`(?<=\s)--(?:pwd|pw|bearer|oauth2-bearer)[=\s]\s*`), name: "password" },
  // `-u USER:PASSWORD` and similar options of curl, wget and HTTPie; a certificate with its password; cookies.
  {
    pattern:
      /(?<=\b(?:curl|https?|xh|wget)\b[^|;]*\s(?:-[A-Za-z]*[uUa]|--(?:proxy-)?user|--auth)[= ]?["']?[^\s:"'/]+:)(?<secret>[^\s"'$\\{}][^"'$\\{}]*?)(?=["']|\s|$)/g,
    name: "password",
  },
  { pattern: /(?<=\bcurl\b[^|;]*\s(?:-E|--cert)[= ]?["']?[^\s:"']+:)(?<secret>[^\s"'$\\{}]+)/g, name: "password" },
  { pattern: behind(String.raw`\bcurl\b[^|;]*?\s(?:-b|--cookie)[= ]\s*(?=["']?[^\s"']+=)`), name: "cookie" },
  // The manuals of these programs.
  {
    pattern: behind(
      String.raw`\b(?:sshpass|(?:docker|podman|helm registry) login|mongosh?|mongodump|twine upload)\b[^|;&]*?\s-p[= ]?|\b(?:mysql|mysqldump|mysqladmin|mariadb|7z [a-z])\b[^|;&]*?\s-p(?=[^\s])|\bredis-cli\b[^|;&]*?\s-a\s+|\b(?:zip|unzip|sqlcmd|bcp)\b[^|;&]*?\s-P\s*|\bldap\w+\b[^|;&]*?\s-w\s+|\bvault login\s+|\bopenssl\b[^|;&]*?\s(?:-k\s+|-pass(?:in|out)?\s+pass:)|\baws configure set\s+\S*(?:secret|token)\S*\s+`,
    ),
    name: "password",
  },
  {
    pattern: behind(
      String.raw`\b(?:echo|printf(?:\s+['"]?%s(?:\\n)?['"]?)?)\s+(?=[^|]*\|[^|]*(?:--password-stdin|--with-token))`,
    ),
    name: "password",
  },
  // Prefixes that the services document: GitHub, GitLab, npm, Slack, Stripe and OpenAI, AWS, Hugging Face, Google,
  // SendGrid, DigitalOcean, PyPI; JSON Web Tokens (RFC 7519).
  {
    pattern:
      /(?<![\w-])(?<secret>gh[opusr]_\w{10,}|github_pat_\w{10,}|glpat-[\w-]{10,}|npm_\w{20,}|xox[abprs]-[\w-]{10,}|sk[-_][\w-]{16,}|AKIA[A-Z0-9]{16}|hf_\w{20,}|AIza[\w-]{20,}|SG\.[\w-]{10,}\.[\w-]{10,}|dop_v1_\w{16,}|pypi-\w{16,}|ya29\.[\w-]{10,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+)/g,
    name: "token",
  },
];

interface Guessing {
  /** Begins the names of the variables. */
  readonly tool: string;
  /** Names of other parameters. */
  readonly taken: ReadonlySet<string>;
  /** Set for text for people and models, in which `pass: all of them` is a sentence: a value with a digit counts. */
  readonly isProse?: boolean;
}

/** Returns the line with a mark in place of each secret. */
export function withoutSecrets(
  line: string,
  { tool, taken, isProse = false }: Guessing,
): { readonly line: string; readonly secrets: readonly GuessedSecret[] } {
  const secrets = new Map<string, GuessedSecret>();
  const toSecret = (wanted: string, text: string): GuessedSecret => {
    const names = new Set([...taken, ...[...secrets.values()].map((one) => one.name)]);
    let name = wanted;
    for (let number = 2; names.has(name); number++) name = `${wanted}${number}`;
    const variable = `${tool}_${name}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_");
    const unmarked = [...secrets.values()].reduce((done, one) => done.replaceAll(one.mark, one.text), text);
    return { text: unmarked, name, variable, mark: `x0secret${secrets.size + 1}0x` };
  };
  let marked = line;
  for (const { pattern, name: fallback } of forms) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(marked); match; match = pattern.exec(marked)) {
      const { secret = match.groups?.["secret2"] ?? "", name } = match.groups ?? {};
      // The text may have a secret that begins later: `--data-urlencode 'token=abc'`.
      pattern.lastIndex = match.index + 1;
      if (
        secret === "" ||
        isStandIn(secret) ||
        (isProse && !/^(?=.*\d)(?=.*[A-Za-z])\S{6,}$/.test(secret)) ||
        (name !== undefined && !holdsSecret(name)) ||
        /^x0secret\d+0x$/.test(secret)
      )
        continue;
      const known = secrets.get(secret) ?? toSecret(parameterName(name) ?? fallback, secret);
      secrets.set(secret, known);
      const at = match.index + match[0].lastIndexOf(secret);
      marked = marked.slice(0, at) + known.mark + marked.slice(at + secret.length);
      pattern.lastIndex = at + known.mark.length;
    }
  }
  return { line: marked, secrets: [...secrets.values()] };
}

/** Whether a value only stands where a secret would. Words that are somebody's password, as `postgres`, do not count. */
export function isStandIn(text: string): boolean {
  return /^(?:not[-_ ]an?[-_ ](?:real[-_ ])?\w+|change[-_ ]?(?:me|it|this)|your[-_ ][\w -]+|<[^<>]*>|\.{3}|x{3,}|\*+|example|placeholder|dummy|fake|none|null|true|false)$/i.test(
    text,
  );
}

/** A header's name says what it is, but no parameter. */
function parameterName(name: string | undefined): string | undefined {
  const known = name?.toLowerCase().replaceAll("-", "_").replace(/^_+/, "").slice(0, 60);
  return known === undefined || /^(?:authorization|x_api_key|private_token|proxy_authorization)$/.test(known)
    ? undefined
    : known;
}

/** `--key` and `--token-file` mostly name something that is not secret. */
function holdsSecret(name: string): boolean {
  return soundsSecret(name) && !/^keys?$|[_-](?:file|path|name|id|dir)$/i.test(name);
}

/** Returns the text with placeholders in place of the marks. */
export function secretsNamed(text: string, secrets: readonly GuessedSecret[]): string {
  return secrets.reduce((done, { mark, name }) => done.replaceAll(mark, `{${name}}`), text);
}

export function secretLines(secrets: readonly GuessedSecret[]): readonly string[] {
  return secrets.map(
    ({ name, variable }) => `@param ${name} {string} [required, secret, env=${variable}] Read from \`${variable}\``,
  );
}

/** Returns the text for people, with `…` in place of the marks. */
export function hidden(text: string, secrets: readonly GuessedSecret[]): string {
  return secrets.reduce((done, { mark }) => done.replaceAll(mark, "…"), text);
}
