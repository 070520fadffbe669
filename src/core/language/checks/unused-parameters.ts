// Parameters whose values go nowhere, and an option that is always there, which belongs to a switch.
import type { Fix } from "../../text/diagnostic.ts";
import type { Preset } from "../../tool/template.ts";
import type { Analysis } from "../analysis.ts";
import { addedOption, parameterLine } from "../kinds/parameter-edit.ts";
import { asScript, variableFor } from "../kinds/program-script.ts";
import type { Execution } from "../kinds/wrapped-command.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import { bareText } from "./bare-text.ts";
import { optionOf } from "./option-values.ts";

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
    const literal = switchFix(analysis, { parameter, span });
    if (literal) {
      analysis.error("unused-parameter", `\`${parameter.name}\` is not used: its option is always there`, {
        at: span,
        fix: literal,
      });
      continue;
    }
    analysis.warn("unused-parameter", `unused parameter \`${parameter.name}\``, {
      at: span,
      help: [
        isOfProgram
          ? `pass it to the script with \`@env ${variableFor(parameter.name)}={${parameter.name}}\`, or remove it`
          : `write \`{${parameter.name}}\` where its value goes, or remove it`,
      ],
    });
  }
}
