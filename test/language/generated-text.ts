// Random texts for a parser: fragments of the language in the order of a seeded generator, with some random characters
// between them.

const fragments = [
  "@name",
  "@name glob",
  "@title Find",
  "@wrapped run_command",
  "@wrapped web_fetch",
  "@command find {arguments} -type f",
  "@command(windows)",
  "@command(win",
  "@script",
  "@shell sh",
  "@shell(unix) bash",
  "@param",
  "@param path {path} [required] Where",
  "@param n {integer} [min=1, max=9, default=3]",
  "@param e {array<Edit>}",
  "@param {string} x",
  "@param x [flags, reject=/^-(a|b,c)[/\\]]$/] text",
  "@type Edit {object} One",
  "@type Edit",
  "@property Edit.inner {Edit}",
  "@property Edit.range {array<integer>} [optional]",
  "@returns {array<string>} all",
  '@example {"n": 3}',
  '@example {"name": "G", "arguments": {"n": 1}}',
  "@tags read, write x",
  "@keywords a b",
  "@category files",
  "@version 1.2.3",
  "@requires rg >= 13, jq",
  "@depends official/summarize@^1.0.0",
  "@platforms linux macos",
  "@cwd {path}",
  "@env A=b {n}",
  "@env-inherit yes",
  "@stdin {path}",
  "@timeout 60s",
  "@limit output=10MiB cpu=1s processes=20 rate=10/min",
  "@retry 3 delay=1s",
  "@fallback echo {n}",
  "@ignore-errors",
  "@with format = {path}",
  "@default format = text",
  "@test works",
  "@test works in .",
  'with {"n": 1}',
  "expect exit-code 0",
  "expect output-contains x",
  "expect file-contains a b",
  "expect output-matches /a/",
  "@deprecated",
  "@help",
  "@changelog 1.0",
  "@note x",
  "@x-team y",
  "@sandbox strict",
  "@step one runs",
  "@code",
  "@unknwon z",
  "@param{string}",
  "@title: x",
  "some words",
  "{n}",
  "{{literal}}",
  "${HOME}",
  "$(x)",
  "`x`",
  '"quoted \\" text"',
  "'single'",
  "[required",
  "]",
  "{",
  "}",
  "<",
  ">",
  "array<array<",
  "/re/",
  "\\",
  "| sort",
  "&&",
  "secret:x",
  " ",
  "  ",
  "    ",
  "\t",
  "\n",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
  "\ufeff",
  "\0",
  "\u202e",
  "\ud83d\ude00",
  "\ud800",
  "é",
  "日本",
  "",
];

const goodLines = [
  "@title Find",
  "@command(windows) dir {path}",
  "@command(unix)\n    find {path}\n\n      -name {n}",
  "@shell(linux) sh\n@script(linux)\n\techo {n}\n  echo",
  "@shell sh",
  "@param p {path}  [ required ]   Where\n  to look",
  "@param m {integer} [min=1 max=9,default=3]",
  "@param e {array<Edit>}",
  "@param x {array<string>} [flags,reject=/^-(a|b,c)[/\\]]$/] text",
  '@param c {"a" | "b"} [default="b"] {{x}}',
  "@type Edit {object} One",
  "@property Edit.range { array< integer > } [optional] x",
  "@property Edit.text\ttext",
  "@returns {array<string>} all\n\tof them",
  '@example {"n": 3}',
  '@example {"name": "G",\n  "arguments": {"n": 1}}',
  "@tags read , write x",
  "@keywords a,b",
  "@category files",
  "@version 1.2.3",
  "@requires rg>=13,jq",
  "@depends official/summarize@^1.0.0,x",
  "@platforms linux,macos",
  "@cwd {path}",
  "@env A  =  b {n}",
  "@env-inherit yes",
  "@stdin {path}{{}}",
  "@timeout 60s",
  "@limit output=10MiB,cpu=1s",
  "@retry 3 delay=1s",
  "@fallback echo {n}",
  "@ignore-errors",
  "@with working_dir={path}",
  "@default  format =  text",
  '@test works  in .\n  with {"n":\n      1}  \n\n  expect exit-code 0\n  expect output-contains " x"',
  "@deprecated",
  "@help some\n    more\n\n      help",
  "@changelog 1.0\nand more",
  "@note x",
  "@x-team y\n  z",
  "",
];

/** Returns Mulberry32: small, seeded, and the same everywhere. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns a text. Six in ten begin like a definition; two thirds of those continue like one, perhaps with one mistake.
 */
export function generatedText(random: () => number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  const kind = random();
  const pieces: string[] = [];
  if (kind < 0.6) pieces.push("Some words.\n\n@name tool\n@wrapped run_command\n");
  if (kind < 0.4) {
    pieces.push("@param path {path}\n@param n {integer}\n@command find {path}\n");
    const lines = new Set(Array.from({ length: Math.floor(random() * 5) }, () => pick(goodLines)));
    for (const line of lines) pieces.push(`${line}\n${random() < 0.1 ? "\n" : ""}`);
    if (random() < 0.3)
      pieces.splice(Math.floor(random() * pieces.length), 0, pick(fragments), random() < 0.5 ? "\n" : "");
    return pieces.join("");
  }
  for (let count = Math.floor(random() * 7); count > 0; count--) {
    pieces.push(random() < 0.03 ? String.fromCharCode(Math.floor(random() * 300)) : pick(fragments));
    if (random() < 0.6) pieces.push(random() < 0.8 ? "\n" : random() < 0.5 ? "\n    " : " ");
  }
  return pieces.join("");
}
