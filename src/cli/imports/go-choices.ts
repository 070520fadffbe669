// Rewrites a script with templates of Go so that each `{{ if }}` stands for whole words of a command or for whole lines:
// what a shell variable collects goes to its place, and a line with a choice inside becomes an `if` with two lines.

/** `{{ if .x }}…{{ else }}…{{ end }}` within a line, without another one inside. */
const INLINE =
  /\{\{-?\s*if\s+((?:(?!\}\}).)+?)\s*-?\}\}((?:(?!\{\{-?\s*(?:if|else|end)\b).)*?)(?:\{\{-?\s*else\s*-?\}\}((?:(?!\{\{-?\s*(?:if|end)\b).)*?))?\{\{-?\s*end\s*-?\}\}/;
/** Each doubles the lines. */
const CHOICES_OF_A_LINE_MAX = 3;

export function withWholeChoices(text: string): string {
  return inlined(chained(folded(joined(text))));
}

/** Lines that `\` continues, and that have a choice, as one line. */
function joined(text: string): string {
  return text.replaceAll(/^(?:.*\\\n)+.*$/gm, (lines) =>
    INLINE.test(lines) ? lines.replaceAll(/[ \t]*\\\n[ \t]*/g, " ") : lines,
  );
}

/** A value of a shell variable between `"`, with tags, whose own texts may have quotes. */
const VALUE = String.raw`"((?:\{\{(?:(?!\}\}).)*\}\}|[^"\n{}$\`\\])*)"[ \t]*(?:#.*)?`;
const NAME = "([A-Za-z_][A-Za-z0-9_]*)";

/** An `if` around the assignment of one variable as one assignment. */
function folded(text: string): string {
  const block = new RegExp(
    String.raw`(?:^[ \t]*${NAME}=""[ \t]*\n)?^([ \t]*)\{\{-?\s*if\s+((?:(?!\}\}).)+?)\s*-?\}\}[ \t]*\n?[ \t]*${NAME}=${VALUE}\n?(?:[ \t]*\{\{-?\s*else\s*-?\}\}[ \t]*\n?[ \t]*${NAME}=${VALUE}\n?)?[ \t]*\{\{-?\s*end\s*-?\}\}[ \t]*$`,
    "gm",
  );
  return text.replaceAll(block, (whole, ...groups: readonly (string | undefined)[]) => {
    const [empty, indent = "", condition = "", name = "", given = "", otherName, other] = groups;
    const isOne = (empty ?? name) === name && (otherName ?? name) === name;
    // Without an empty value before, another one might stay.
    if (!isOne || (empty === undefined && otherName === undefined)) return whole;
    return `${indent}${name}="{{ if ${condition} }}${given}${other === undefined ? "" : `{{ else }}${other}`}{{ end }}"`;
  });
}

/** `ARGS=""` and lines `ARGS="$ARGS …"` right below as one assignment. */
function chained(text: string): string {
  const chain = new RegExp(
    String.raw`^([ \t]*)${NAME}=${VALUE}\n((?:[ \t]*\2="\$\2 (?:\{\{(?:(?!\}\}).)*\}\}|[^"\n{}$\`\\])*"[ \t]*\n)+)`,
    "gm",
  );
  return text.replaceAll(chain, (...groups: readonly string[]) => {
    const [, indent = "", name = "", first = "", more = ""] = groups;
    const rest = [...more.matchAll(/="\$\w+ (.*)"[ \t]*$/gm)].map(([, value = ""]) => value);
    return `${indent}${name}="${[first, ...rest].filter((one) => one !== "").join(" ")}"\n`;
  });
}

/** A variable that is set once, with tags, and then stands alone as a word is its value in that place. */
function inlined(text: string): string {
  // An indented one may be in a branch that is not taken.
  const assignment = new RegExp(String.raw`^${NAME}=${VALUE}$\n?`, "gm");
  const values = [...text.matchAll(assignment)].filter(([, , value = ""]) => value.includes("{{"));
  return values.reduce((done, [whole, name = "", value = ""]) => {
    const isOnce = (text.match(new RegExp(`\\b${name}=`, "g")) ?? []).length === 1;
    if (!isOnce) return done;
    const replaced = done
      .replace(whole, "")
      .replaceAll(new RegExp(`(?<![^\\s(])\\$(?:${name}\\b|\\{${name}\\})(?![^\\s)])`, "g"), () => value);
    return new RegExp(`\\b${name}\\b`).test(replaced) ? done : replaced;
  }, text);
}

/** Each line with a choice inside as an `if` of the template, whose tags stand alone on their lines. */
export function withWholeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (/^\s*\{\{[^{}]*\}\}\s*$/.test(line) ? line : splitLine(line, CHOICES_OF_A_LINE_MAX)))
    .join("\n");
}

function splitLine(line: string, choicesMax: number): string {
  const found = INLINE.exec(line);
  if (!found || choicesMax === 0 || /<<|\\$/.test(line)) return line;
  const [tags, condition = "", given = "", other = ""] = found;
  // A template of another program.
  if (/\.[A-Z]/.test(condition)) return line;
  const before = line.slice(0, found.index);
  const behind = line.slice(found.index + tags.length);
  // The same choice again has the same answer.
  const decided = (text: string, isGiven: boolean): string =>
    text.replaceAll(new RegExp(INLINE, "g"), (...groups: readonly (string | undefined)[]) => {
      const [same = "", again, yes = "", no = ""] = groups;
      return again === condition ? (isGiven ? yes : no) : same;
    });
  const whole = (text: string, isGiven: boolean): string => {
    const made = before + text + decided(behind, isGiven);
    return made.trim() === "" ? `${made}:` : splitLine(made.trimEnd(), choicesMax - 1);
  };
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const inside = (lines: string): string => lines.replaceAll(/^/gm, "  ");
  return [`{{ if ${condition} }}`, inside(whole(given, true)), "{{ else }}", inside(whole(other, false)), "{{ end }}"]
    .map((one, index) => (index % 2 === 0 ? indent + one : one))
    .join("\n");
}
