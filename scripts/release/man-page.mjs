// The man page, dottool(1), made of what `dottool --help` says.
import { readFileSync } from "node:fs";
import { commandGroups, commands } from "../../src/cli/commands.ts";
import { exitTexts } from "../../src/cli/view/command-help.ts";
import { globalOptions } from "../../src/cli/words/global-options.ts";
import { exitCodes } from "../../src/core/run/exit-code.ts";
import { useFeatures } from "../../src/core/tool/feature.ts";
import { features } from "../../src/features/index.ts";

useFeatures(features);

const { version, description } = JSON.parse(readFileSync("package.json", "utf8"));

const files = [
  [".tools/", "the tools of a project"],
  ["~/.config/dottool/tools/", "your own tools"],
  ["~/.config/dottool/config.yaml", "your rules and settings"],
  ["~/.local/state/dottool/", "what you have trusted and allowed, and the log"],
  ["~/.cache/dottool/", "can always be deleted"],
];

const environment = [
  ["DOTTOOL_PATH", "further tool folders, with colons between them"],
  ["DOTTOOL_TRUST", "hashes of project folders that are trusted, for CI"],
  ["NO_COLOR", "disables colors"],
];

/** Returns the page in the man macros of roff. */
export function manPage() {
  return `${[
    `.TH DOTTOOL 1 "" "dottool ${version}"`,
    ".SH NAME",
    text(`dottool - ${description[0].toLowerCase()}${description.slice(1).replace(/\.$/, "")}`),
    ".SH SYNOPSIS",
    ".B dottool",
    text("[OPTION...] NAME [ARG...]"),
    ".br",
    ".B dottool",
    text("[OPTION...] COMMAND [ARG...]"),
    ".SH COMMANDS",
    ...Object.entries(commandGroups).flatMap(([group, title]) => [
      `.SS ${text(title)}`,
      ...commands()
        .filter((shown) => shown.group === group)
        .flatMap(({ name, summary }) => row(name, summary)),
    ]),
    ".SH OPTIONS",
    ...globalOptions.flatMap(({ name, value, does }) =>
      row(`--${name}${value === undefined ? "" : ` ${value}`}`, does),
    ),
    ".SH EXIT STATUS",
    ...Object.entries(exitCodes).flatMap(([name, code]) => row(String(code), exitTexts[name])),
    ".SH FILES",
    ...files.flatMap(([path, does]) => row(path, does)),
    ".SH ENVIRONMENT",
    ...environment.flatMap(([name, does]) => row(name, does)),
    ".SH SEE ALSO",
    text("`dottool COMMAND --help` shows help on a command, `dottool NAME --help` on a tool."),
  ].join("\n")}\n`;
}

function row(name, does) {
  return [".TP", `.B ${text(name)}`, text(does)];
}

/** Quotes what roff would read as requests or escapes, and dashes that must stay dashes. */
function text(words) {
  const escaped = words.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "...");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
