// The recipe of a target, and of the phony targets before it, as one script.
import type { Shell } from "../../tool/command.ts";
import { merged, type Part } from "./imported-tool.ts";
import type { MakeExpander } from "./make-expander.ts";
import type { MakeRule, Makefile } from "./makefile.ts";
import { type ScriptLine, scriptOf } from "./script-lines.ts";

interface MakeScript {
  readonly shell: Shell;
  readonly parts: readonly Part[];
  readonly environment: readonly { readonly name: string; readonly value: readonly Part[] }[];
  readonly programs: readonly string[];
}

/** Returns undefined if the target uses more of make. */
export function makeScript(rule: MakeRule, file: Makefile, expander: MakeExpander): MakeScript | undefined {
  const started = shellOf(file);
  const lines = linesOf(rule, { file, expander, done: new Set() });
  if (!started || !lines || lines.length === 0) return undefined;
  const environment = [...file.variables].flatMap(([name, variable]) =>
    variable.isExported
      ? [{ name, value: variable.isUncertain ? undefined : expander.expand(variable.value, rule.target) }]
      : [],
  );
  if (environment.some(({ value }) => !value)) return undefined;
  const text = lines
    .flatMap(({ parts }) => parts)
    .filter((part) => typeof part === "string")
    .join("");
  return {
    shell: started.shell,
    parts: scriptOf(lines, started.options),
    environment: environment.map(({ name, value = [] }) => ({ name, value })),
    programs: /(?:^|[\s;&|(])make(?:\s|$)/.test(text) ? ["make"] : [],
  };
}

/** Make's own default is `/bin/sh -c`. */
function shellOf({ variables }: Makefile): { readonly shell: Shell; readonly options: string } | undefined {
  const [shellVariable, flagsVariable] = [variables.get("SHELL"), variables.get(".SHELLFLAGS")];
  if (shellVariable?.isUncertain || flagsVariable?.isUncertain) return undefined;
  const [, shell] =
    /^(?:\/usr\/bin\/env |\/(?:usr\/)?(?:local\/)?bin\/)?(sh|bash|zsh)$/.exec(shellVariable?.value ?? "sh") ?? [];
  const flags = (flagsVariable?.value ?? "-c")
    .replace(/\s*-?c$/, "")
    .replace(/(?<=-\w*)c(?=\s|$)/, "")
    .trim();
  if (shell !== "sh" && shell !== "bash" && shell !== "zsh") return undefined;
  return /^(?:-[eux]+(?:o pipefail)?|-o pipefail|(?:-[eux] ?)+(?:-o pipefail)?)?$/.test(flags)
    ? { shell, options: flags }
    : undefined;
}

interface Gathering {
  readonly file: Makefile;
  readonly expander: MakeExpander;
  /** Targets that are made already. */
  readonly done: Set<string>;
}

function linesOf(rule: MakeRule, gathering: Gathering): readonly ScriptLine[] | undefined {
  const { file, done } = gathering;
  if (done.has(rule.target)) return [];
  done.add(rule.target);
  // Whether a file is newer, only make can tell.
  if (!file.phony.has(rule.target) || rule.isUncertain) return undefined;
  const before: ScriptLine[] = [];
  for (const name of rule.prerequisites) {
    const next = file.rules.get(name);
    const lines = next && linesOf(next, gathering);
    if (!lines) return undefined;
    before.push(...lines);
  }
  const own = ownLines(rule, gathering);
  return own && [...before, ...own];
}

function ownLines({ recipe, target }: MakeRule, { file, expander }: Gathering): readonly ScriptLine[] | undefined {
  const lines: ScriptLine[] = [];
  for (const line of recipe) {
    const [prefix = ""] = /^[@+\s-]*/.exec(line) ?? [];
    const command = line.slice(prefix.length);
    const parts = expander.expand(command, target);
    if (!parts) return undefined;
    const isComment = typeof parts[0] === "string" && parts[0].startsWith("#");
    if (parts.length > 0 && !isComment) lines.push({ parts, ignoresFailure: prefix.includes("-") });
  }
  if (!file.isOneShell || lines.length < 2) return lines;
  if (lines.some(({ ignoresFailure }) => ignoresFailure)) return undefined;
  return [
    {
      parts: merged(lines.flatMap(({ parts }, index) => [...(index === 0 ? [] : ["\n"]), ...parts])),
      ignoresFailure: false,
    },
  ];
}
