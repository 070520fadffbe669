// Variables in `$((…))`, `${…}` and `$a[…]`, where bash and zsh compute or run their values.
import type { Danger, HazardContext } from "./danger.ts";
import type { CommandPiece, CommandWord, Region } from "./pieces.ts";
import type { Carried, VariablePlace } from "./taint.ts";

const numberHelp = ["declare the parameter as `{integer}`, or assign only numbers to the variable"];

/** `text` is the region as written. */
export function regionDangers(region: Region, text: string, context: HazardContext): readonly Danger[] {
  const { kind, inside } = region;
  const shown = `\`${text.length <= 30 ? text : `${text.slice(0, 29)}…`}\``;
  if (!inside) return [];
  const found = (carried: readonly Carried[], note: string, help: readonly string[]): readonly Danger[] =>
    carried.map((one) => ({ ...one, note, help }));
  const computed = (word: CommandWord): readonly Danger[] =>
    found(
      context.flow.computedBy([word], region),
      `${shown} evaluates this value, and bash and zsh may run it`,
      numberHelp,
    );
  switch (kind) {
    case "arithmetic":
      return computed(inside);
    case "subscript":
      return context.flow.variables.isMap(/\w+/.exec(text)?.[0] ?? "") ? [] : computed(inside);
    case "parameter expansion": {
      const runs = found(
        evaluated(text, inside, { context, place: region }),
        `${shown} runs this value, or reads it as the name of a variable`,
        ["write the name of the variable out, or choose it with a `case`"],
      );
      return [...computedParts(inside, context).flatMap(computed), ...runs];
    }
    case "backquotes":
    case "ANSI-C quotes":
    case "here-document":
      return [];
  }
}

/** Matches a replacement whose result zsh expands once more. */
const REPLACES = /:g?s\W.*\$/s;

/** Checks `${!x}`, `${x@P}` and zsh's `${(e)x}`, `${(P)x}` and `${x:s/a/$y/}`. */
function evaluated(
  text: string,
  inside: CommandWord,
  { context, place }: { readonly context: HazardContext; readonly place: VariablePlace },
): readonly Carried[] {
  const isNamed = /^\$\{!(?!\w+(?:\[[@*]\]|[@*])\}|[#}])/.test(text);
  const isReplaced = context.shell === "zsh" && REPLACES.test(text);
  if (!isNamed && !isReplaced && !/@P|^\$\{\([^)]*[eP%]/.test(text)) return [];
  const name = /^\$\{(?:\([^)]*\))?[!#=~^]*(\w+)/.exec(text)?.[1];
  const variable: CommandPiece[] =
    name === undefined ? [] : [{ kind: "expansion", text: `$${name}`, start: place.start, placeholders: [] }];
  return context.flow.unknownIn([{ pieces: [...variable, ...inside.pieces] }], place);
}

/** Returns the parts that are arithmetic: in `${a[x]}`, `${a:x:y}` and zsh's `${(l:x:)a}`. */
function computedParts(inside: CommandWord, { shell, flow }: HazardContext): readonly CommandWord[] {
  // Each expansion is replaced by one mark, so that its brackets and colons do not count.
  const flat = inside.pieces
    .map((piece, index) => (piece.kind === "text" ? piece.text : `\u{e000}${index}\u{e001}`))
    .join("");
  const [head = "", flags = "", name = ""] =
    /^(?:\(([^)]*)\))?[!#=~^+]*(\u{e000}\d+\u{e001}|[@*]|\w*)/u.exec(flat) ?? [];
  const found = [...flags.matchAll(/[lr]([^\w\s])(.*?)\1/gs)].map((match) => match[2] ?? "");
  let rest = flat.slice(head.length);
  while (rest.startsWith("[")) {
    const end = closingBracket(rest);
    const subscript = rest.slice(1, end);
    if (!/^[@*]$/.test(subscript) && !flow.variables.isMap(name)) found.push(subscript);
    rest = rest.slice(end + 1);
  }
  // zsh takes a letter as a modifier, as in `${file:t}`.
  if (/^:(?![-=?+])/.test(rest) && !(shell === "zsh" && /^:[A-Za-z&#|*^]/.test(rest))) found.push(rest.slice(1));
  return found.map((part) => ({
    pieces: part
      .split(/\u{e000}|\u{e001}/u)
      .map(
        (one, index): CommandPiece =>
          (index % 2 === 1 ? inside.pieces[Number(one)] : undefined) ?? { kind: "text", text: one },
      ),
  }));
}

function closingBracket(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return at;
  }
  return text.length;
}
