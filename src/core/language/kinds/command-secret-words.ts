// Secrets among the arguments of a process, which every user can see with `ps`. A script may contain them, since they
// are in the environment of the shell until a word of a program uses them.
import { schemaHasSecrets } from "../../schema/secrets.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Shell } from "../../tool/command.ts";
import { assignmentOf } from "../../shell/assignments.ts";
import { directWords } from "../../shell/direct-words.ts";
import { type CommandWord, literalText, type PlaceholderPiece, type SimpleCommand } from "../../shell/pieces.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "./command-problems.ts";
import { scanScript } from "../../shell/scan.ts";
import { flowOf } from "../../shell/taint.ts";

/** Built-ins of every shell and words of its grammar. Their arguments reach no process. */
const ownWords = new Set(
  ": . [ [[ test true false echo printf print read cd export readonly local declare typeset set shift unset eval source trap return exit break continue case for select in let umask wait hash alias type mapfile readarray".split(
    " ",
  ),
);

/** Returns warnings, because some programs take a password in no other way. */
export function secretWords(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const names = new Set(
    source.declarations
      .filter(({ parameter }) => parameter.secret === true || schemaHasSecrets(parameter.schema))
      .map(({ parameter }) => parameter.name),
  );
  if (names.size === 0) return [];
  const isSecret = (piece: PlaceholderPiece): boolean => names.has(piece.name);
  return placesOf(source, shell, isSecret).map((place) => toDiagnostic(source, place, shell));
}

interface Place {
  readonly piece: PlaceholderPiece;
  readonly program: string | undefined;
}

function placesOf(
  source: CommandSource,
  shell: Shell | "none",
  isSecret: (piece: PlaceholderPiece) => boolean,
): readonly Place[] {
  const { text } = source.text;
  switch (shell) {
    case "none": {
      const words = directWords(text);
      const [first] = words.map(({ tokens }) =>
        tokens.map((token) => (token.kind === "text" ? token.text : "")).join(""),
      );
      return words.flatMap(({ tokens }) =>
        tokens.flatMap((token): readonly Place[] =>
          token.kind === "placeholder" && isSecret(token) ? [{ piece: token, program: first }] : [],
        ),
      );
    }
    case "sh":
    case "bash":
    case "zsh":
      return scriptPlaces(text, shell, isSecret);
    case "cmd":
      // The script gets these values as a part of its text.
      return [...text.matchAll(/\{([A-Za-z_][A-Za-z0-9_-]*)\}/g)].flatMap((match): readonly Place[] => {
        const piece: PlaceholderPiece = {
          kind: "placeholder",
          name: match[1] ?? "",
          start: match.index,
          end: match.index + match[0].length,
          quoting: "bare",
        };
        return isSecret(piece) && declarationOf(source, piece.name) ? [{ piece, program: "cmd" }] : [];
      });
    case "pwsh":
      return [];
  }
}

function scriptPlaces(
  text: string,
  shell: "sh" | "bash" | "zsh",
  isSecret: (piece: PlaceholderPiece) => boolean,
): readonly Place[] {
  const script = scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" });
  const flow = flowOf({ ...script, shell }, { isRisky: isSecret, kindOf: () => "text", isOuter: true });
  const places = script.commands.flatMap((command): readonly Place[] => {
    const words = programWords(command);
    const program = literalText(words[0]);
    if (program !== undefined && (ownWords.has(program) || isFunction(program, text))) return [];
    return flow.carriedBy(words, "deep").map(({ piece }) => ({ piece, program }));
  });
  // A secret that is used in several places is reported once.
  return [...new Map(places.map((place) => [place.piece.start, place])).values()];
}

function programWords({ words, isList }: SimpleCommand): readonly CommandWord[] {
  if (isList) return [];
  const first = words.findIndex((word) => !assignmentOf(word));
  return first === -1 ? [] : words.slice(first);
}

function isFunction(name: string, script: string): boolean {
  return (
    /^\w+$/.test(name) &&
    new RegExp(`(?:^|[\\s;&|{(])(?:${name}\\s*\\(\\s*\\)|function\\s+${name}\\b)`, "m").test(script)
  );
}

function toDiagnostic(source: CommandSource, { piece, program }: Place, shell: Shell | "none"): Diagnostic {
  const { name } = piece;
  // The name of a placeholder for a part of a parameter begins with the parameter's name.
  const parameter =
    source.declarations.map((declaration) => declaration.parameter.name).find((known) => name.startsWith(known)) ??
    name;
  const variable = parameter.toUpperCase().replaceAll("-", "_");
  const waysOut = {
    direct: [`pass it as a variable: \`@env ${variable}={${name}}\``, `or as input: \`@stdin {${name}}\``],
    script: [
      `pass it as a variable: \`${variable}={${name}} ${program ?? "program"} …\``,
      `or as input: \`printf '%s' {${name}} | ${program ?? "program"} …\``,
    ],
  };
  const help = [
    ...(shell === "none" || shell === "cmd" ? waysOut.direct : waysOut.script),
    "some programs accept secrets only as arguments; for them, the warning remains",
  ];
  const found = commandProblem(source, "secret-in-words", {
    message: `the secret \`{${name}}\` becomes an argument of a process, which every user of the machine can see`,
    start: piece.start,
    end: piece.end,
    note: program === undefined ? "`ps` shows it" : `\`ps\` shows it after \`${program.slice(0, 64)}\``,
    related: declaredHere(source, name),
    help,
  });
  return { ...found, severity: "warning" };
}
