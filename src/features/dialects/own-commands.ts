// The commands of dottool itself as data, for `schema --self`.
import { commandGroups, commands, loadCommand } from "../../cli/commands.ts";
import { exitTexts } from "../../cli/view/command-help.ts";
import { globalOptions } from "../../cli/words/global-options.ts";
import { helpOption, type OptionRow } from "../../cli/words/option-words.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { version } from "../../generated/version.ts";

export async function ownCommands(): Promise<JsonObject> {
  const described: JsonObject[] = [];
  for (const { name, summary, group } of commands()) {
    const command = await loadCommand(name);
    if (!command) continue;
    described.push({
      name,
      group: commandGroups[group],
      summary,
      description: command.about,
      usage: command.usage.map((line) => `dottool ${line}`),
      ...(command.kind === "words" && Number.isFinite(command.words[1])
        ? { wordsMin: command.words[0], wordsMax: command.words[1] }
        : {}),
      options: [...command.options, helpOption].map(optionJson),
      examples: command.examples.map(([line, does]) => ({ line, does })),
    });
  }
  const codes = Object.keys(exitCodes) as (keyof typeof exitCodes)[];
  return {
    version,
    options: globalOptions.map(optionJson),
    commands: described,
    exitCodes: codes.map((name) => ({ code: exitCodes[name], meaning: exitTexts[name] })),
  };
}

function optionJson({ name, short, value, choices, does }: OptionRow): JsonObject {
  return {
    name: `--${name}`,
    ...(short === undefined ? {} : { short: [...short].map((letter) => `-${letter}`) }),
    ...(value === undefined ? {} : { value }),
    ...(choices === undefined ? {} : { choices: [...choices] }),
    does,
  };
}
