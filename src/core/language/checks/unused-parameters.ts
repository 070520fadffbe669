// Parameters whose values go nowhere, and what their authors meant: a variable of the shell, or an option that is
// always there.
import type { Fix } from "../../text/diagnostic.ts";
import type { Preset } from "../../tool/template.ts";
import type { Analysis } from "../analysis.ts";
import { addedOption, parameterLine } from "../kinds/parameter-edit.ts";
import { asScript, variableFor } from "../kinds/program-script.ts";
import type { Execution } from "../kinds/wrapped-command.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import { bareText } from "./bare-text.ts";
import { optionOf } from "./option-values.ts";

/**
 * Writes `{name}` for `${name}` and `$name` in a script that gives no variable such a name, so that the parameter is
 * surely meant.
 */
function variableFix(analysis: Analysis, name: string): Fix | undefined {
  const isInherited = analysis.first("env-inherit") !== undefined;
  const isGiven = analysis.all("env").some(({ text }) => text.text.startsWith(`${name}=`));
  const texts = ["command", "script"].flatMap((keyword) =>
    analysis.all(keyword).flatMap(({ text, body }) => [text, ...(body ? [body] : [])]),
  );
  const uses = texts.flatMap((text) =>
    [...text.text.matchAll(new RegExp(`(?<![{\\\\])\\$(?:\\{${name}\\}|${name}(?![\\w[]))`, "g"))].map((found) => ({
      isQuoted: text.text.slice(0, found.index).includes("'"),
      span: spanWithin(text, found.index, found.index + found[0].length),
    })),
  );
  const mentions = texts.flatMap(({ text }) => [...text.matchAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "g"))]);
  if (isInherited || isGiven || uses.length === 0 || mentions.length > uses.length) return undefined;
  if (uses.some(({ isQuoted }) => isQuoted)) return undefined;
  return { title: `write \`{${name}}\``, edits: uses.map(({ span }) => ({ span, text: `{${name}}` })) };
}

/** Writes `{dev}` for the `--dev` of a command, which belongs to a switch of that name. */
function switchFix(analysis: Analysis, declaration: Declaration): Fix | undefined {
  const { name, schema, flag } = declaration.parameter;
  const line = parameterLine(declaration);
  if (schema.type !== "boolean" || !line) return undefined;
  const options = [...new Set([flag, optionOf(name), `--${name}`, `-${name}`])].filter((one) => one !== undefined);
  const found = analysis
    .all("command")
    .flatMap(({ text, body }) =>
      [text, ...(body ? [body] : [])].flatMap((one) =>
        [...bareText(one.text).matchAll(/(?<=[ \t])--?[A-Za-z][\w-]*(?=[ \t\n]|$)/g)]
          .filter(([word]) => options.includes(word))
          .map(({ 0: word, index }) => ({ word, span: spanWithin(one, index, index + word.length) })),
      ),
    );
  const [only, ...others] = found;
  if (!only || others.length > 0) return undefined;
  const added = flag === undefined ? [addedOption(declaration, line, `flag="${only.word}"`)] : [];
  return {
    title: `write \`{${name}}\` for \`${only.word}\``,
    edits: [{ span: only.span, text: `{${name}}` }, ...added],
  };
}

interface Uses {
  readonly declarations: readonly Declaration[];
  readonly execution: Execution;
  readonly presets: readonly Preset[];
}

export function checkUnused(analysis: Analysis, { declarations, execution, presets }: Uses): void {
  const { used } = execution;
  if (!used || execution.commands.length === 0) return;
  const inPresets = new Set(
    presets.flatMap((preset) => [...preset.text.value.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].map((found) => found[1])),
  );
  for (const { parameter, span } of declarations) {
    if (used.has(parameter.name) || inPresets.has(parameter.name)) continue;
    const isOfProgram = execution.commands.some(({ command }) => asScript(command));
    const fix = isOfProgram ? undefined : variableFix(analysis, parameter.name);
    const literal = switchFix(analysis, { parameter, span });
    if (literal) {
      analysis.error("unused-parameter", `\`${parameter.name}\` is not used: its option is always there`, {
        at: span,
        fix: literal,
      });
      continue;
    }
    const say = fix ? analysis.error.bind(analysis) : analysis.warn.bind(analysis);
    say("unused-parameter", `unused parameter \`${parameter.name}\``, {
      at: span,
      ...(fix ? { label: `\`$${parameter.name}\` is a variable of the shell, and has no value`, fix } : {}),
      help: [
        isOfProgram
          ? `pass it to the script with \`@env ${variableFor(parameter.name)}={${parameter.name}}\`, or remove it`
          : `write \`{${parameter.name}}\` where its value goes, or remove it`,
      ],
    });
  }
}
