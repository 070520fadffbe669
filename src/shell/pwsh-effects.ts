// Cmdlets that set a variable, name a command or write a file, translated into an assignment, an alias or `> file`.
import { type CommandPiece, type CommandWord, literalStart, literalText, type SimpleCommand } from "./pieces.ts";
import { environmentName, variableName } from "./pwsh-names.ts";

interface Effect {
  readonly kind: "variable" | "environment" | "alias" | "file";
  /** The parameters that name the target; the first positional argument may name it too. */
  readonly where: readonly string[];
}

const paths = ["-path", "-literalpath", "-filepath"];
const effects: readonly (readonly [cmdlets: string, effect: Effect])[] = [
  ["set-variable new-variable sv nv", { kind: "variable", where: ["-name"] }],
  ["set-alias new-alias sal nal", { kind: "alias", where: ["-name"] }],
  ["set-item set-content new-item si ni", { kind: "environment", where: [...paths, "-name"] }],
  ["[environment]::setenvironmentvariable", { kind: "environment", where: [] }],
  ["set-content add-content out-file ac", { kind: "file", where: paths }],
];

/** Parameters whose variable gets the output of the command. Sources: about_CommonParameters, `Tee-Object`. */
const OUTPUT_VARIABLE = /^-(?:[opeiw]v|(?:out|pipeline|error|information|warning)v\w*|variable)$/i;

export function effectsOf({ words }: SimpleCommand): readonly SimpleCommand[] {
  const [program, ...args] = words;
  const name = (literalText(program) ?? "").toLowerCase();
  const named = effects
    .filter(([cmdlets]) => cmdlets.split(" ").includes(name))
    .flatMap(([, effect]) => madeBy(effect, args));
  const outputs = args.flatMap((word, index) => {
    const variable = OUTPUT_VARIABLE.test(literalStart(word)) ? literalText(args[index + 1]) : undefined;
    return variable === undefined ? [] : [assigning(variableName(variable.replace("+", "")), fromPipeline)];
  });
  return [...named, ...outputs];
}

const piped: CommandPiece = { kind: "expansion", text: "$_", start: 0, placeholders: [] };
const fromPipeline: CommandWord = { pieces: [piped] };

function madeBy({ kind, where }: Effect, args: readonly CommandWord[]): readonly SimpleCommand[] {
  const { place, value = fromPipeline } = valuesOf(where, args);
  const name = literalText(place);
  if (kind === "file")
    return place ? [{ words: [textWord("write-output"), value], redirections: [{ operator: ">", word: place }] }] : [];
  if (name === undefined) return [];
  switch (kind) {
    case "variable":
      return [assigning(variableName(name), value)];
    case "alias":
      return literalText(value) === undefined
        ? []
        : [{ words: [textWord("alias"), textWord(`${name}=${literalText(value)}`)], redirections: [] }];
    case "environment": {
      const variable = where.length === 0 ? name : /^env:[\\/]?(.+)$/is.exec(name)?.[1];
      return variable === undefined ? [] : [assigning(environmentName(variable), value)];
    }
  }
}

/** Returns the values of the parameters, or else of the first and second positional argument. */
function valuesOf(
  where: readonly string[],
  args: readonly CommandWord[],
): { readonly place?: CommandWord | undefined; readonly value?: CommandWord | undefined } {
  const operands: CommandWord[] = [];
  let place: CommandWord | undefined;
  let value: CommandWord | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) continue;
    const parameter = word.isOperand ? undefined : literalStart(word).replace(/:$/, "").toLowerCase();
    if (parameter === undefined) operands.push(word);
    else if (where.some((known) => known.startsWith(parameter))) place = args[++at];
    else if ("-value".startsWith(parameter)) value = args[++at];
    // Whether other parameters take a value is not known here.
  }
  place ??= operands.shift();
  return { place, value: value ?? operands.shift() };
}

function assigning(name: string, value: CommandWord): SimpleCommand {
  return { words: [{ pieces: [{ kind: "text", text: `${name}=` }, ...value.pieces] }], redirections: [] };
}

function textWord(text: string): CommandWord {
  return { pieces: [{ kind: "text", text }] };
}
