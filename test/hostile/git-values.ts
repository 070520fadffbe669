import { wordList } from "../lines.ts";
// Words that git may read as something other than one commit or one path: see gitrevisions(7), and pathspecs in
// gitglossary(7).

/** Each is one commit, in the repository of git-traps.ts with an annotated tag `v1` on HEAD~1. */
export const commits = [
  "HEAD",
  "@",
  "main",
  "v0",
  "v1",
  "origin/main",
  "refs/heads/main",
  "heads/main",
  "HEAD~1",
  "HEAD~2",
  "HEAD^",
  "HEAD^1~1",
  "HEAD^^",
  "HEAD^0",
  "v1^{}",
  "v1^{commit}",
  "HEAD^{/third}",
  "main@{0}",
  "HEAD@{yesterday}",
  "main@{2099-01-01 10:00}",
  "@{now}",
] as const;

/** Several commits, none, or a range. If nothing is left of a range, git takes the work tree. */
export const sets = [
  "v0^@",
  "HEAD^@",
  "v0^!",
  "HEAD^-",
  "HEAD^-2",
  "v0..HEAD",
  "v0...HEAD",
  "..HEAD",
  "HEAD..",
  "HEAD..HEAD",
  "^HEAD",
  "^v0",
  "x{..y}",
] as const;

/** Refused where one commit is asked for. */
export const refused = [...sets, ":/first", ":a.txt", "HEAD:a.txt", "--stat", "-", ""] as const;

const others = [
  ":0:a.txt",
  "HEAD:sub",
  "HEAD:",
  "topic:gone.txt",
  "HEAD:a}",
  "v0^{tree}",
  "a.txt",
  "sub",
  "bare",
  ".",
  " ",
  "HEAD ^HEAD",
  "HEAD\n--",
  "refs/heads/*",
  "@{-1}",
  "@{u}",
  "x^{commit",
  "no-such-branch",
] as const;

const options = [
  "--",
  "-HEAD",
  "--output=stolen",
  "--ext-diff",
  "--textconv",
  "--all",
  "--no-index",
  "--contents=a.txt",
  "--reverse",
  "--alternate-refs",
  "--show-signature",
  "--remerge-diff",
] as const;

const plain = ["HEAD", "v0", "topic", "HEAD~1", "HEAD~2", "HEAD^2"] as const;

export const revisions: readonly string[] = [...plain, ...refused, ...others, ...options];

export const paths: readonly string[] = wordList(`
  a.txt a.bin sub bare/HEAD .git/config . * :/ :(attr:diff=trap) :(exclude)a.txt :!a.txt :(top,glob)**
  /etc/passwd --output=stolen --ext-diff
`);
