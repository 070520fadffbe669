// Variables that carry a value into `$((…))`, `${…}` and backquotes, which bash and zsh compute or run.
import type { Danger } from "./command-hazards.ts";
import { evaluatorWord } from "./command-programs.ts";
import type { Region } from "./command-regions.ts";
import { type Flow, USED } from "./command-taint.ts";

export function regionDangers(region: Region, text: string, flow: Flow): readonly Danger[] {
  switch (region.kind) {
    case "arithmetic":
      return [...arithmeticDangers(text, flow), ...innerDangers(region, text, flow)];
    case "parameter expansion":
      return [...expansionDangers(text, flow), ...innerDangers(region, text, flow)];
    case "backquotes":
      return innerDangers(region, text, flow);
    case "ANSI-C quotes":
    case "here-document":
      return [];
  }
}

/** `${a[x]}` and `${a:x}` compute `x`, and `${x@P}` and zsh's `${(e)x}` run what is in it. */
function expansionDangers(text: string, flow: Flow): readonly Danger[] {
  const computed = /^\$\{[^[:]*(?:\[|:(?![-=?+]))/.exec(text)?.[0];
  const expands = /@P|^\$\{\([^)]*[e%P]/.test(text);
  if (computed === undefined && !expands) return [];
  const inside = expands ? text : text.slice((computed ?? "").length);
  return arithmeticDangers(inside, flow).map((danger) => ({ ...danger, note: `\`${shortened(text)}\` computes or runs what a value holds` }));
}

function shortened(text: string): string {
  return text.length <= 30 ? text : `${text.slice(0, 29)}…`;
}

/** `$((n + 1))` computes what `n` holds. */
function arithmeticDangers(text: string, flow: Flow): readonly Danger[] {
  return [...text.matchAll(/[A-Za-z_][A-Za-z0-9_]*|(?<=\$\{?)[0-9@*]/g)].flatMap((match) => {
    const piece = flow.valueOf(match[0]);
    const help = ["declare the parameter as `{integer}`"];
    return piece ? [{ piece, note: `\`${match[0]}\` is computed in \`$((…))\`, where bash and zsh run what a value holds`, help }] : [];
  });
}

/** The commands in `${x:-$(…)}` are not read one by one; a variable with a value and what could run it must not meet there. */
function innerDangers(region: Region, text: string, flow: Flow): readonly Danger[] {
  if (!/\$\(|`|<\(/.test(text) || !evaluatorWord.test(text)) return [];
  return [...text.matchAll(USED)].flatMap((match) => {
    const piece = flow.valueOf(match[1] ?? "");
    const through = { kind: "expansion" as const, text, start: region.start, placeholders: [] };
    return piece ? [{ piece, through, note: `\`$${match[1]}\` has its value and may be run`, help: ["write `$(…)` outside of `${…}`, `$((…))` and backquotes"] }] : [];
  });
}
