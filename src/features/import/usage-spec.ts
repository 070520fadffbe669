// Specifications of usage (https://usage.jdx.dev/spec), in KDL: those of a program, and those in `#USAGE` comments of a
// script. Each command becomes a tool that calls the program. Defaults and variables of the environment stay the
// program's: passed on, they would be no defaults any more.
import type { Node } from "@bgotink/kdl";
import { withWords } from "./help-tools.ts";
import type { ImportedSource, ImportedTool, SourceText } from "./imported-tool.ts";
import {
  environmentOf,
  kdlRoot,
  nodesOf,
  said,
  textOf,
  type UsageOption,
  optionsOf,
  usageWords,
} from "./usage-words.ts";

const DEPTH_MAX = 10;

export function readUsageSpec({ text, fileName }: SourceText): ImportedSource {
  const isScript = !fileName.endsWith(".kdl");
  const root = kdlRoot(isScript ? usageComments(text) : text);
  const plain = fileName.replace(/\.?usage\.kdl$|\.\w+$/, "");
  const program = said(root, "bin") ?? said(root, "name") ?? plain;
  const tools = isScript
    ? commandTools(root, { words: scriptWords(text, fileName), names: [plain], globals: [] })
    : commandTools(root, { words: [program], names: [program], globals: [] });
  return {
    format: "usage",
    tools: tools.map((tool) => ({ name: tool.name, candidates: [tool, withWords(tool)] })),
    notes: nodesOf(root, "include").length === 0 ? [] : ["`include` of other specifications is not followed"],
  };
}

/** The specification in a script. */
export function usageComments(text: string): string {
  return [...text.matchAll(/^(?:#|\/\/|::)(?:USAGE| ?\[USAGE\])(.*)$/gm)].map(([, line = ""]) => line).join("\n");
}

/** Only `usage` reads the words for such a script. */
function scriptWords(text: string, fileName: string): readonly string[] {
  const [, shebang = ""] = /^#!(.*)/.exec(text) ?? [];
  const [, named] = /\b(bash|zsh|fish|pwsh|node|python3?|ruby|deno|bun)\s*$/.exec(shebang) ?? [];
  const shell = named ?? "bash";
  return ["usage", ...(/^(?:bash|zsh|fish)$/.test(shell) ? [shell] : ["exec", shell]), `./${fileName}`];
}

interface Place {
  /** The words that call the command. */
  readonly words: readonly string[];
  readonly names: readonly string[];
  /** Options of the commands above that it takes too. */
  readonly globals: readonly UsageOption[];
}

function commandTools(node: Node, { words, names, globals }: Place): readonly ImportedTool[] {
  const own = nodesOf(node, "flag").flatMap(optionsOf);
  const commands = nodesOf(node, "cmd").filter((one) => one.getProperty("hide") !== true);
  const options = [...globals.filter((one) => !own.some(({ name }) => name === one.name)), ...own];
  const isGroup = commands.length > 0 && nodesOf(node, "arg").length === 0;
  const below = names.length > DEPTH_MAX ? [] : commands;
  return [
    ...(isGroup ? [] : [commandTool(node, { words, names, globals: options })]),
    ...below.flatMap((command) => {
      const name = textOf(command.getArgument(0)) ?? "";
      const next = { words: [...words, name], names: [...names, name], globals: options.filter((one) => one.isGlobal) };
      return name === "" ? [] : commandTools(command, next);
    }),
  ];
}

function commandTool(node: Node, { words, names, globals }: Place): ImportedTool {
  const { parameters, parts, notes } = usageWords(node, { options: globals, hasSeparator: true });
  const line = words.join(" ");
  const texts = ["help", "about", "long_help", "long_about"].map((key) => said(node, key)?.trim());
  return {
    name: names.join("-"),
    description: texts.find((text) => text !== undefined && text !== "") ?? `Run \`${line}\`.`,
    parameters,
    runs: { kind: "command", words: [...words, ...parts] },
    requires: words.slice(0, 1),
    // A variable that sounds secret reaches a tool only if something names it.
    shellText: [...nodesOf(node, "flag"), ...nodesOf(node, "arg")].flatMap(environmentOf).join(" "),
    ...(said(node, "effect") === "destructive" ? { confirm: `\`${line}\` may remove what cannot be made again` } : {}),
    notes: [...notes, ...(nodesOf(node, "mount").length === 0 ? [] : ["commands that `mount` finds are not imported"])],
  };
}
