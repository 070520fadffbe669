// What the words of well-known command lines are, for `dottool new --from`. A row is a program, with its subcommand if
// the words behind that mean something else; the longest that fits counts. Only names are guessed from it, so that a
// wrong row costs a name and nothing else.

export interface GuessRow {
  /** The words behind the options, in order; `-` stays as it is, and the last name counts for the rest too. */
  readonly words?: string;
  /** What the values of options are, in pairs: `-c count`. `-n -` takes none. */
  readonly options?: string;
  /** Whether `-crf` is one option, and no cluster of letters. */
  readonly hasLongDash?: true;
}

const subcommands = { words: "-" } as const;
const converter = { words: "input, output" } as const;
const copier = { words: "source, target" } as const;
/** The module stays. */
function moduleRows(python: string): Readonly<Record<string, GuessRow>> {
  return {
    [`${python} -m`]: { words: "-, input" },
    [`${python} -m http.server`]: { words: "port", options: "-b host, --bind host, -d folder, --directory folder" },
  };
}

const oneHost = { words: "host" } as const;

export const guessRows: Readonly<Record<string, GuessRow>> = {
  git: { ...subcommands, options: "-C folder" },
  "git log": { words: "revision", options: "-n count, --author author, --since since" },
  "git show": { words: "revision" },
  "git diff": { words: "revision" },
  "git checkout": { words: "branch" },
  "git commit": { options: "-m message" },
  "git clone": { words: "url, folder" },
  "git grep": { words: "pattern", options: "-e pattern" },
  docker: subcommands,
  "docker run": { words: "image, -", options: "-v volume, -p port, -e variable, -w folder, -u user, --name name" },
  "docker exec": { words: "container, -", options: "-w folder, -u user" },
  "docker logs": { words: "container" },
  "docker stop": { words: "container" },
  "docker pull": { words: "image" },
  kubectl: { ...subcommands, options: "-n namespace" },
  "kubectl logs": { words: "resource", options: "-n namespace, -c container" },
  "kubectl get": { words: "-, resource", options: "-n namespace, -o output_format, -l selector" },
  "kubectl exec": { words: "resource, -", options: "-n namespace, -c container" },
  gh: subcommands,
  aws: subcommands,
  "aws s3 cp": copier,
  "aws s3 sync": copier,
  npm: subcommands,
  "npm install": { words: "package" },
  "npm run": { words: "script" },
  pip: subcommands,
  "pip install": { words: "package" },
  brew: subcommands,
  "brew install": { words: "package" },
  cargo: subcommands,
  "cargo add": { words: "package" },
  go: { ...subcommands, hasLongDash: true },
  systemctl: subcommands,
  "systemctl status": { words: "service" },
  "systemctl restart": { words: "service" },
  terraform: { ...subcommands, hasLongDash: true },
  openssl: { ...subcommands, hasLongDash: true, options: "-in input, -out output" },
  ffmpeg: { words: "output", options: "-i input", hasLongDash: true },
  ffprobe: { words: "input", options: "-i input", hasLongDash: true },
  convert: { ...converter, hasLongDash: true },
  magick: { ...converter, hasLongDash: true },
  pandoc: { ...converter, options: "-o output, -f from, -t to" },
  cwebp: { ...converter, options: "-q quality, -o output" },
  tar: { words: "source", options: "-f archive, -C folder" },
  zip: { words: "archive, source" },
  unzip: { words: "archive", options: "-d folder" },
  gzip: { words: "file" },
  cp: copier,
  mv: copier,
  ln: copier,
  rsync: { ...copier, options: "-e shell" },
  scp: { ...copier, options: "-P port, -i key" },
  diff: { words: "old, new" },
  grep: { words: "pattern, folder", options: "-e pattern, -m count, -A after, -B before, -C context" },
  rg: { words: "pattern, folder", options: "-e pattern, -g glob, -t type, -m count, -A after, -B before, -C context" },
  find: { words: "folder", hasLongDash: true },
  ls: { words: "folder" },
  du: { words: "folder" },
  tree: { words: "folder", options: "-L depth" },
  head: { words: "file", options: "-n count, -c bytes" },
  tail: { words: "file", options: "-n count, -c bytes" },
  wc: { words: "file" },
  cat: { words: "file" },
  sort: { words: "file", options: "-k key, -o output" },
  sed: { words: "-, file" },
  awk: { words: "-, file" },
  jq: { words: "filter, file" },
  yq: { words: "filter, file" },
  cut: { words: "file", options: "-f fields, -d delimiter" },
  ssh: { words: "host, -", options: "-p port, -i key, -l user" },
  ping: { ...oneHost, options: "-c count, -i interval, -W timeout" },
  dig: { words: "host, type" },
  host: oneHost,
  nslookup: oneHost,
  whois: oneHost,
  traceroute: oneHost,
  nc: { words: "host, port" },
  telnet: { words: "host, port" },
  curl: { words: "url", options: "-o output, -H header, -d data, -u user, -X method, -m timeout" },
  wget: { words: "url", options: "-O output" },
  "yt-dlp": { words: "url", options: "-f format, -o output" },
  psql: { words: "database", options: "-h host, -p port, -U user, -d database, -c query, -f file" },
  pg_dump: { words: "database", options: "-h host, -p port, -U user, -d database, -f output" },
  mysql: { words: "database", options: "-h host, -P port, -u user, -e query" },
  sqlite3: { words: "database, query" },
  make: { words: "target", options: "-C folder, -f file, -j jobs" },
  gcc: { words: "source", options: "-o output, -I folder, -l library", hasLongDash: true },
  python3: { words: "-, input" },
  python: { words: "-, input" },
  ...moduleRows("python3"),
  ...moduleRows("python"),
  node: { words: "-, input" },
  ruby: { words: "-, input" },
  bash: { words: "-, input" },
  sh: { words: "-, input" },
  java: { words: "-, input", hasLongDash: true },
  kill: { words: "pid" },
  sleep: { words: "seconds" },
  chmod: { words: "mode, file" },
};

/** Letters that mean the same for most programs without a row, if the value fits. */
export const commonOptions: Readonly<Record<string, string>> = {
  "-o": "output",
  "-i": "input",
  "-n": "count",
  "-f": "file",
};

/** Options that take no value, so that the word behind them is one of its own. */
export const valueless = new Set(
  `rm delete recursive force verbose quiet silent all dry-run help version oneline stat graph global follow draft web debug
  interactive tty detach no-cache reverse ignore-case line-number toc standalone compressed progress archive watch staged
  cached amend hard soft json yes once short human-readable summarize save-dev`
    .split(/\s+/)
    .flatMap((name) => [`--${name}`, `-${name}`])
    .concat([
      "-noout",
      "-dates",
      "-text",
      "-print",
      "-print0",
      "-delete",
      "-empty",
      "-y",
      "-an",
      "-vn",
      "-strip",
      "-nodes",
    ]),
);

/** The descriptions of parameters; any other parameter is described as the value of its option. */
export const nameTexts: Readonly<Record<string, string>> = {
  input: "The file to read",
  output: "The file to write",
  file: "The file",
  folder: "The folder",
  path: "The file or folder",
  source: "What is taken",
  target: "Where it goes",
  archive: "The archive",
  database: "The database",
  old: "The file before the change",
  new: "The file after the change",
  pattern: "What to look for",
  filter: "What to take from it",
  query: "The query",
  url: "The address",
  host: "The host",
  port: "The port",
  user: "The user",
  count: "How many",
  number: "The number",
  text: "The text",
  image: "The image",
  container: "The container",
  package: "The package",
  resource: "The resource",
  revision: "The revision",
  branch: "The branch",
  message: "The message",
  type: "The type",
  service: "The service",
  seconds: "How many seconds",
};

/** Parameters that are files or folders. */
export const pathNames = new Set("input output file folder path source target archive old new key".split(" "));
