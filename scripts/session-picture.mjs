// `node scripts/session-picture.mjs`: draws grammar/session.svg, the picture in README.md, from a real session in a new
// folder. The lines below are typed, and everything else is what the program prints; a test draws it again.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
export const PICTURE = join(root, "grammar/session.svg");

/** What is typed, as a person and a shell read it. */
const session = [
  "dottool init",
  "dottool hello World",
  "dottool new longest --from 'wc -l src/a.txt src/b.txt | sort -rn | head -n 5'",
  "cat .tools/longest.tool",
  "dottool longest --cuont 2",
  "dottool longest --count 2",
  "dottool check broken.tool",
];

const files = {
  "src/a.txt": "one\n".repeat(20),
  "src/b.txt": "one\n".repeat(30),
  "broken.tool": `Show the last lines of a log.

@title Last Lines
@name broken
@wrapped run_command
@command tail -n {lines} -- {file}
@param line {integer} [default=20] How many
@param file {path} [required] Which log
@tags read
`,
};

/** `start` are the words that start the program. Returns the picture. */
export function drawnSession(start) {
  const folder = mkdtempSync(join(tmpdir(), "dottool-picture-"));
  try {
    const work = join(folder, "project");
    mkdirSync(join(work, "src"), { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(work, path), text);
    const quoted = start.map((word) => `'${word}'`).join(" ");
    const lines = session.flatMap((line) => {
      const { stdout } = spawnSync("sh", ["-c", `dottool() { ${quoted} "$@"; }\n{ ${line}\n} 2>&1`], {
        cwd: work,
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: folder,
          LANG: "C.UTF-8",
          FORCE_COLOR: "1",
          DOTTOOL_TRUST: trusted(work),
        },
        encoding: "utf8",
      });
      return [`\u001b[32m$\u001b[39m \u001b[1m${line}\u001b[22m`, ...stdout.trimEnd().split("\n"), ""];
    });
    const text = lines.join("\n");
    if (text.includes(folder)) throw new Error("the session shows a path of this machine");
    return svgOf(lines.slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  /** The person agrees to the tools as they are: the picture has no question in it. */
  function trusted(work) {
    const { stdout } = spawnSync(start[0], [...start.slice(1), "trust", "--show"], {
      cwd: work,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, LANG: "C.UTF-8" },
      encoding: "utf8",
    });
    return /[0-9a-f]{64}/.exec(stdout.trimEnd().split("\n").at(-1) ?? "")?.[0] ?? "";
  }
}

const COLUMN = 8.4;
const ROW = 19;
const EDGE = 16;
const colors = {
  30: "#484f58",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  37: "#f0f6fc",
};

function svgOf(lines) {
  const columns = Math.max(...lines.map((line) => plain(line).length));
  const [width, height] = [Math.ceil(columns * COLUMN) + 2 * EDGE, lines.length * ROW + 2 * EDGE];
  const rows = lines.map(
    (line, row) => `<text x="${EDGE}" y="${EDGE + (row + 1) * ROW - 5}" xml:space="preserve">${spansOf(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A session with dottool">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#c9d1d9">
${rows.filter((_row, index) => lines[index] !== "").join("\n")}
</g>
</svg>
`;
}

function plain(line) {
  return line.replaceAll(/\u001b\[[\d;]*m/g, "");
}

function spansOf(line) {
  const style = { color: undefined, isBold: false, isDim: false };
  return line
    .split("\u001b[")
    .map((part, index) => {
      const [, codes, text] = index === 0 ? [undefined, "", part] : (/^([\d;]*)m([^]*)$/.exec(part) ?? ["", "", part]);
      for (const code of codes === "" ? [] : codes.split(";").map(Number)) {
        if (code === 0) Object.assign(style, { color: undefined, isBold: false, isDim: false });
        else if (code === 1) style.isBold = true;
        else if (code === 2) style.isDim = true;
        else if (code === 22) Object.assign(style, { isBold: false, isDim: false });
        else if (code === 39) style.color = undefined;
        else style.color = colors[code] ?? colors[code - 60] ?? style.color;
      }
      if (text === "") return "";
      const { color, isBold, isDim } = style;
      const attributes = `${color ? ` fill="${color}"` : ""}${isBold ? ' font-weight="bold"' : ""}${isDim ? ' opacity="0.6"' : ""}`;
      return attributes === "" ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`;
    })
    .join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const picture = drawnSession([process.execPath, join(root, "src/main.ts")]);
  const isNew = readFileSync(PICTURE, { encoding: "utf8", flag: "a+" }) !== picture;
  if (isNew) writeFileSync(PICTURE, picture);
  console.log(isNew ? "wrote grammar/session.svg" : "grammar/session.svg is up to date");
}
