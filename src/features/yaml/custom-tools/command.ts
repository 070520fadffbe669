// `bash: …` and similar keys: the text to run, its shell, and its platform.
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import { hasErrors } from "../../../core/text/diagnostic.ts";
import type { CommandTemplate, PlatformChoice, PlatformCommand, Shell } from "../../../core/tool/command.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { parseReferringCommand } from "../../../core/language/kinds/command.ts";
import { asScript } from "../../../core/language/kinds/program-script.ts";
import { programOfFirstLine, type ScriptProgram } from "../../../core/shell/script-programs.ts";
import { replacing } from "../../../core/language/findings.ts";
import { sliced } from "../../../core/language/syntax/mapped-text.ts";
import type { Span } from "../../../core/text/source.ts";
import { commandSource } from "../../../core/language/write/command-text.ts";
import { EXTENSION } from "../described-keys.ts";
import type { Fields } from "../fields.ts";
import { blockText, byName, type YamlRecord } from "../yaml-data.ts";
import { refusesRaw, type TemplateContext } from "../template-text.ts";
import { commandKeys, scriptReaders, shells } from "./command-keys.ts";

type CommandKey = (typeof commandKeys)[number];

/** The commands. Absent if there are none, or if a problem was reported. */
export interface ReadCommands {
  readonly commands: readonly PlatformCommand[];
  /** The shell for what runs beside the command, such as a fallback. */
  readonly shell: Shell | "none";
}

/** In the order in which they are read. */
const PLATFORMS = ["windows", "linux", "macos", "unix"] as const;

const keyShells: Readonly<Record<CommandKey, Shell | "none">> = {
  bash: "bash",
  cmd: "cmd",
  pwsh: "pwsh",
  run: "none",
  script: "none",
};
const otherShells: Readonly<Record<string, string>> = {
  powershell: "pwsh",
  batch: "cmd",
  dash: "sh",
  "cmd.exe": "cmd",
  "/bin/bash": "bash",
  "/bin/sh": "sh",
  py: "python3",
  js: "node",
  javascript: "node",
  nodejs: "node",
};

/** Reads the command of a tool or a step. `key` is the one of `commandKeys` that it has. */
export function readCommandKey(fields: Fields, key: CommandKey, context: TemplateContext): ReadCommands | undefined {
  const text = fields.text(key);
  const shell = key === "script" ? scriptShell(fields, text) : keyShells[key];
  if (!text || shell === undefined) return undefined;
  const command = readCommand(text, shell, context);
  const bash = command === undefined && key === "run" ? bashInstead(text, fields, context) : undefined;
  if (bash) context.findings.add([bash]);
  return command && { commands: [{ command }], shell: typeof shell === "object" ? "none" : shell };
}

function scriptShell(fields: Fields, text: MappedText | undefined): Shell | "none" | ScriptProgram | undefined {
  if (fields.has("shell")) {
    const word = fields.choice("shell", scriptReaders, otherShells);
    return shells.find((shell) => shell === word) ?? (word === undefined ? undefined : [word]);
  }
  if (text && programOfFirstLine(text.text)) return "none";
  fields.findings.error("needs-shell", "a `script` needs a shell", {
    at: fields.place("script"),
    help: ["add `shell: bash`"],
  });
  return undefined;
}

/** Reads `run: a | b` as the same text in bash, if that has no mistakes there. */
function bashInstead(text: MappedText, fields: Fields, { scope }: TemplateContext): Diagnostic | undefined {
  const needsShell = parseReferringCommand(text, "none", { scope }).diagnostics.find(
    ({ code }) => code === "needs-shell",
  );
  if (!needsShell) return undefined;
  const { fix: _fix, ...rest } = needsShell;
  const fix =
    fields.has("bash") || hasErrors(parseReferringCommand(text, "bash", { scope }).diagnostics)
      ? {}
      : { fix: replacing(fields.place("run"), "bash", "write `bash:` instead of `run:`") };
  return {
    ...rest,
    help: [
      "fix" in fix ? "" : "use `bash:`, which runs in a shell",
      "for a literal character, use single quotes",
    ].filter((line) => line !== ""),
    ...fix,
  };
}

/** Returns undefined if a problem was reported. For `run`, the need for a shell is not reported here. */
export function readCommand(
  text: MappedText,
  shell: Shell | "none" | ScriptProgram,
  { scope, findings, environment }: TemplateContext,
): CommandTemplate | undefined {
  if (refusesRaw(text, findings)) return undefined;
  const { value, diagnostics } = parseReferringCommand(text, shell, { scope, environment });
  findings.add(diagnostics.filter(({ code }) => code !== "needs-shell" || shell !== "none"));
  return value;
}

/** Reads `commands.default` and `commands.platforms`: lines for bash, and on Windows for cmd. */
export function readPlatformCommands(fields: Fields, context: TemplateContext): ReadCommands | undefined {
  const inner = fields.fields("commands");
  const platforms = inner?.fields("platforms");
  const commands: PlatformCommand[] = [];
  const add = (text: MappedText | undefined, platform?: PlatformChoice): void => {
    const line = text && (platform === "windows" ? windowsLine(text) : { text, shell: "bash" as const });
    const command = line && readCommand(line.text, line.shell, context);
    if (command) commands.push(platform === undefined ? { command } : { platform, command });
  };
  add(inner?.text("default"));
  for (const platform of PLATFORMS) add(platforms?.text(platform), platform);
  if (inner && !inner.has("default") && (platforms?.map.entries.length ?? 0) === 0)
    fields.findings.error("empty-command", "`commands` is empty", {
      at: fields.place("commands"),
      help: ["add `default:` with a command"],
    });
  return inner && { commands, shell: "bash" };
}

/** Reads commands below `x-dottool`, each of which says where and how it runs. */
export function readCommandEntries(owner: Fields, context: TemplateContext): ReadCommands | undefined {
  if (owner.list("commands").length === 0)
    owner.findings.error("empty-command", "`commands` is empty", {
      at: owner.place("commands"),
      help: ["add `- run:` with a command"],
    });
  const commands = owner.maps("commands").flatMap((fields): readonly PlatformCommand[] => {
    const key = commandKeyOf(fields, ["an entry has one command", "this entry has no command", fields.start]);
    const platform = key && fields.choice("platform", PLATFORMS);
    const read = key ? (readCommandKey(fields, key, context)?.commands ?? []) : [];
    return read.map(({ command }) => (platform === undefined ? { command } : { platform, command }));
  });
  const places = commands.map(({ platform }) => platform);
  if (new Set(places).size < places.length) owner.refuse("commands", "there can be only one command for each platform");
  return { commands, shell: "bash" };
}

/** Returns the key with the command; reports a second one, and that there is none. */
function commandKeyOf(
  fields: Fields,
  [one, none, at]: readonly [one: string, none: string, at: Span],
): CommandKey | undefined {
  const key = fields.oneOf(commandKeys, (first, other) => `${one}, and this has \`${first}\` and \`${other}\``);
  if (key === undefined) fields.findings.error("empty-command", none, { at, help: ["add `run:` with a command"] });
  return key as CommandKey | undefined;
}

/** Reads the `fallback` of a tool. */
export function readFallback(owner: Fields, key: string, context: TemplateContext): CommandTemplate | undefined {
  const fields = owner.fields(key);
  const command =
    fields && commandKeyOf(fields, ["a fallback has one action", "this fallback is empty", owner.place(key)]);
  return fields && command && readCommandKey(fields, command, context)?.commands[0]?.command;
}

/** Reads `powershell -Command "…"` as a script of PowerShell, in which values stay values. */
function windowsLine(text: MappedText): { readonly text: MappedText; readonly shell: Shell } {
  const found =
    /^\s*(?:powershell|pwsh)(?:\.exe)?(?:\s+-(?:NoProfile|NonInteractive|NoLogo))*\s+-(?:Command|c)\s+(["'])([^]*)\1\s*$/i.exec(
      text.text,
    );
  const [, quote = "", script = ""] = found ?? [];
  if (!found || script.includes(quote)) return { text, shell: "cmd" };
  const start = text.text.indexOf(quote, found.index) + 1;
  const inner = sliced(text, start, start + script.length);
  // In such quotes, PowerShell would read no variable. A value alone in its quotes is the whole text either way.
  return {
    text: quote === '"' ? { ...inner, text: script.replaceAll(/'(\{[A-Za-z_][\w-]*\})'/g, '"$1"') } : inner,
    shell: "pwsh",
  };
}

/** Returns a command with its key. */
export function commandRecord(command: CommandTemplate): YamlRecord {
  const script = asScript(command);
  if (script) return { script: blockText(script.text), shell: script.program };
  const text = blockText(commandSource(command, { hasReferences: true }));
  if (command.kind === "direct") return { run: text };
  return command.shell === "sh" || command.shell === "zsh"
    ? { script: text, shell: command.shell }
    : { [command.shell]: text };
}

export function commandEntries(commands: readonly PlatformCommand[]): readonly YamlRecord[] {
  return commands.map(({ platform, command }) => ({ platform, ...commandRecord(command) }));
}

/** Returns the commands of a tool, below `commands` or `x-dottool` if they differ by platform. */
export function commandsRecord(commands: readonly PlatformCommand[]): YamlRecord {
  const [only, ...others] = commands;
  if (!only) return {};
  if (others.length === 0 && only.platform === undefined) return commandRecord(only.command);
  const lines = commands.map((one) => [one.platform ?? "default", platformLine(one)] as const);
  const inOrderOfReading = ["default", ...PLATFORMS].filter((name) => lines.some(([at]) => at === name));
  if (!lines.every(([at, line], index) => line !== undefined && at === inOrderOfReading[index]))
    return { [EXTENSION]: { commands: commandEntries(commands) } };
  const { default: plain, ...platforms } =
    byName(lines.flatMap(([at, line]) => (line === undefined ? [] : [[at, line]]))) ?? {};
  return { commands: { default: plain, platforms } };
}

/** Returns the line of a platform's command, or undefined if the format would run it in another shell. */
function platformLine({ platform, command }: PlatformCommand): string | undefined {
  const shell: Shell | undefined = command.kind === "shell" ? command.shell : undefined;
  const text = commandSource(command, { hasReferences: true });
  if (platform !== "windows") return shell === "bash" ? text : undefined;
  if (shell === "cmd") return /^\s*(?:powershell|pwsh)/i.test(text) ? undefined : text;
  // In double quotes, a value alone is written in single ones: see `windowsLine`.
  const inner = text.includes("'{") ? '"' : text.replaceAll(/"(\{[A-Za-z_][\w-]*\})"/g, "'$1'");
  return shell === "pwsh" && !inner.includes('"') ? `powershell -Command "${inner}"` : undefined;
}
