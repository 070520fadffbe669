// Variables that decide what runs, such as PATH, and every way in which a script can set them.
import { assignmentOf } from "./assignments.ts";
import { type Danger, type HazardContext, isWindowsShell } from "./danger.ts";
import type { CommandWord, PlaceholderPiece, ReadScript } from "./pieces.ts";
import { isSpecialVariable } from "./environment.ts";
import { settingsOf, withoutPrefixes } from "./settings.ts";

/** Special in zsh: lists that mirror other variables, tables of commands, and variables stored as numbers. */
const specialInZsh =
  /^(?:path|cdpath|fpath|module_path|commands|nameddirs|options|(?:dis_)?(?:functions|g?aliases|saliases)|(?:READ)?NULLCMD|SHLVL|LISTMAX|MAILCHECK|ERRNO|TRY_BLOCK_\w+|ZLE_RPROMPT_INDENT)$/;

/** Variables for which a script usually computes another folder beside the existing ones. */
const HOLDS_FOLDERS = /^(?:PATH|path|IFS|CDPATH|cdpath)$/;

function isSpecial(name: string, { shell }: HazardContext): boolean {
  return isSpecialVariable(name) || (shell === "zsh" && specialInZsh.test(name));
}

/** Checks `PATH={p}`, `path=({p})` and `export PATH={p}`. */
export function assignmentDangers(word: CommandWord, context: HazardContext): readonly Danger[] {
  const name = assignmentOf(word)?.name ?? "";
  return isSpecial(name, context) ? givenDangers(name, word, context) : [];
}

/**
 * Checks `read PATH`, `for PATH in {p}`, `printf -v PATH` and `${PATH:=$x}`. `free` is a value that may be any text.
 */
export function settingDangers(
  { commands, regions }: ReadScript,
  free: PlaceholderPiece | undefined,
  context: HazardContext,
): readonly Danger[] {
  if (isWindowsShell(context.shell)) return [];
  const settings = commands.filter(({ isList }) => !isList).flatMap(({ words }) => settingsOf(withoutPrefixes(words)));
  const defaults = regions.flatMap(({ kind, inside }) => {
    const [first] = inside?.pieces ?? [];
    const name =
      kind === "parameter expansion" && first?.kind === "text" ? /^(\w+):?=/.exec(first.text)?.[1] : undefined;
    return name === undefined || inside === undefined ? [] : [{ name, value: inside }];
  });
  return [...settings, ...defaults]
    .filter(({ name }) => isSpecial(name, context))
    .flatMap(({ name, value }) =>
      value ? givenDangers(name, value, context) : free ? [{ piece: free, ...reasonFor(name) }] : [],
    );
}

function givenDangers(name: string, value: CommandWord, { flow }: HazardContext): readonly Danger[] {
  const unknown = HOLDS_FOLDERS.test(name) ? [] : flow.unknownIn([value]);
  return [...flow.carriedBy([value], "deep"), ...unknown].map((carried) => ({ ...carried, ...reasonFor(name) }));
}

function reasonFor(name: string): Pick<Danger, "note" | "help"> {
  return {
    note: `\`${name}\` decides what runs, or is evaluated`,
    help: ["use another variable, or declare choices for the parameter"],
  };
}
