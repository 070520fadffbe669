// The program of a tool: `@command`, `@script` and `@fallback` with their `@shell`, and what surrounds them.
import { rowOf } from "../../text/row-of.ts";
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import { platformChoices } from "../../tool/command.ts";
import type { CommandTemplate, PlatformChoice, PlatformCommand, Shell } from "../../tool/command.ts";
import type { Surroundings, UsedSecret } from "../../tool/definition.ts";
import type { Template } from "../../tool/template.ts";
import { type Analysis, nearestOf, partOf, replacing } from "../analysis.ts";
import { readInteraction } from "../fields/asks.ts";
import { checkCommandLines } from "../fields/option-lines.ts";
import type { Findings } from "../findings.ts";
import { readChoice } from "../fields/limits.ts";
import { duplicateAnnotation } from "../fields/lines.ts";
import { wrappedShell } from "../fields/names.ts";
import { unknownPlatform } from "../fields/platforms.ts";
import type { Annotation, Declaration, MappedText } from "../syntax/ast.ts";
import { programOfFirstLine, type ScriptProgram, scriptPrograms } from "../../shell/script-programs.ts";
import { parseCommand } from "./command.ts";
import { ADD_SHELL } from "./command-direct.ts";
import { stacked } from "../syntax/mapped-text.ts";
import { parseReferringTemplate, type ReferenceScope } from "../syntax/references.ts";
import { declaredEnvironment } from "./command-environment.ts";
import { readSecretUse } from "../fields/secret-use.ts";
import { checkInput, checkVariable, guardedEnvironment, type PlacedTemplate } from "../checks/surroundings-dangers.ts";
import { isDeclared } from "../syntax/reserved-references.ts";
import { parseTemplate } from "../syntax/template.ts";

const shellNames: readonly (Shell | "none")[] = ["bash", "sh", "zsh", "pwsh", "cmd", "none"];
const otherShellNames: Readonly<Record<string, string>> = {
  powershell: "pwsh",
  batch: "cmd",
  dash: "sh",
  direct: "none",
  py: "python3",
  js: "node",
  javascript: "node",
  nodejs: "node",
};

type Reader = Shell | "none" | ScriptProgram;

const SECRET = "secret:";

export interface Execution {
  readonly commands: readonly PlatformCommand[];
  readonly fallback?: CommandTemplate;
  readonly surroundings: Surroundings;
  readonly ignoreErrors: boolean;
  /** The placeholders in all of these. Absent if some could not be read. */
  readonly used?: ReadonlySet<string>;
}

/** `scope` is that of a tool with steps, to which its surroundings may refer. */
export function readExecution(
  analysis: Analysis,
  declarations: readonly Declaration[],
  scope?: ReferenceScope,
): Execution {
  return new ExecutionReader(analysis, declarations, scope).execution();
}

/** What `sh` does not know. */
const OF_BASH =
  /\bpipefail\b|\[\[ |[<>]\(|<<<|&>|(?:^|[\n;][ \t]*)(?:source|declare|shopt|function|mapfile)[ \t]|\$\{\w+(?:[[^,/@]|:\d)/;

class ExecutionReader {
  readonly #analysis: Analysis;
  readonly #declarations: readonly Declaration[];
  readonly #shells = new Map<PlatformChoice | "", Reader>();
  readonly #used = new Set<string>();
  #isComplete = true;

  readonly #scope: ReferenceScope | undefined;

  constructor(analysis: Analysis, declarations: readonly Declaration[], scope: ReferenceScope | undefined) {
    this.#analysis = analysis;
    this.#declarations = declarations;
    this.#scope = scope;
  }

  execution(): Execution {
    this.#readShells();
    const commands = this.#commands();
    const fallbackText = this.#analysis.first("fallback")?.text;
    const fallback = fallbackText && this.#command(fallbackText, this.#shellOn(""), () => ADD_SHELL);
    const surroundings = this.#surroundings(commands);
    const ignoring = this.#analysis.first("ignore-errors");
    if (ignoring && ignoring.text.text !== "")
      this.#analysis.error("malformed-annotation", "`@ignore-errors` does not take a value", {
        at: ignoring.text.span,
      });
    if (!this.#analysis.has("command") && !this.#analysis.has("script")) this.#checkNeedless();
    return {
      commands,
      ...(fallback ? { fallback } : {}),
      surroundings,
      ignoreErrors: ignoring !== undefined,
      ...(this.#isComplete ? { used: this.#used } : {}),
    };
  }

  /** Returns undefined if there is no such platform, which is reported. */
  #platformOf(annotation: Annotation): PlatformChoice | "" | undefined {
    if (!annotation.qualifier) return "";
    const { text, span } = annotation.qualifier;
    const platform = platformChoices.find((choice) => choice === text);
    if (platform === undefined) unknownPlatform({ value: text, span }, platformChoices, this.#analysis);
    return platform;
  }

  /** `@wrapped bash` beside a command says which shell runs it. */
  #readWrappedShell(): void {
    const meant = wrappedShell(this.#analysis);
    const annotation = this.#analysis.first("wrapped");
    if (meant === undefined || !annotation) return;
    const isSaid = this.#analysis.has("shell") || meant === "";
    const instead = isSaid ? "@wrapped run_command" : `@shell ${meant}`;
    this.#analysis.error(
      "unknown-base-tool",
      `\`${annotation.text.text}\` is not a tool that is wrapped: \`@command\` is run by \`run_command\``,
      {
        at: annotation.text.span,
        fix: replacing(annotation.span, instead, `write \`${instead}\``),
      },
    );
    const shell = shellNames.find((name) => name === meant);
    if (!isSaid && shell !== undefined) this.#shells.set("", shell);
  }

  #readShells(): void {
    this.#readWrappedShell();
    const seen = new Map<PlatformChoice | "", Annotation>();
    for (const annotation of this.#analysis.all("shell")) {
      const platform = this.#platformOf(annotation);
      const shell = this.#shellOf(annotation);
      const known = platform === undefined ? undefined : seen.get(platform);
      if (known)
        duplicateAnnotation(this.#analysis, "there can be only one `@shell` for each platform", {
          first: known,
          other: annotation,
        });
      if (platform === undefined || shell === undefined) this.#isComplete = false;
      if (platform === undefined || known) continue;
      seen.set(platform, annotation);
      if (shell !== undefined) this.#shells.set(platform, shell);
    }
  }

  #shellOf(annotation: Annotation): Reader | undefined {
    const word = annotation.text.text;
    const shell = shellNames.find((name) => name === word);
    if (shell !== undefined) return shell;
    if (scriptPrograms.includes(word)) return [word];
    if (word === "") return void readChoice(annotation, shellNames, this.#analysis);
    const meant = rowOf(otherShellNames, word.toLowerCase()) ?? nearestOf(word, [...shellNames, ...scriptPrograms]);
    this.#analysis.unknown("unknown-shell", `unknown shell \`${word.slice(0, 64)}\``, {
      at: annotation.text.span,
      meant,
      help: [`the shells are ${shellNames.join(", ")}; a script may also be of ${scriptPrograms.join(", ")}`],
    });
    return undefined;
  }

  #shellOn(platform: PlatformChoice | ""): Reader {
    const unix = platform === "linux" || platform === "macos" ? this.#shells.get("unix") : undefined;
    return this.#shells.get(platform) ?? unix ?? this.#shells.get("") ?? "none";
  }

  #commands(): readonly PlatformCommand[] {
    const seen = new Map<PlatformChoice | "", Annotation>();
    const commands: PlatformCommand[] = [];
    for (const annotation of this.#analysis.annotations) {
      if (annotation.keyword !== "command" && annotation.keyword !== "script") continue;
      const platform = this.#platformOf(annotation);
      const known = platform === undefined ? undefined : seen.get(platform);
      if (known) this.#reportSecond(known, annotation);
      if (platform === undefined || known) {
        this.#isComplete = false;
        continue;
      }
      seen.set(platform, annotation);
      const command = this.#platformCommand(annotation, platform);
      if (command) commands.push(platform === "" ? { command } : { platform, command });
    }
    return commands;
  }

  /** Several commands are most likely meant one after the other, all of which the offer joins. */
  #reportSecond(first: Annotation, other: Annotation): void {
    const { annotations } = this.#analysis;
    const from = annotations.indexOf(first);
    const joined = annotations.slice(from).filter(({ keyword }) => keyword === "command");
    const isPlain = joined.every(
      (one, index) => !one.body && !one.qualifier && one.text.text !== "" && one === annotations[from + index],
    );
    const below = this.#analysis.has("shell") ? "" : " below `@shell sh`";
    duplicateAnnotation(this.#analysis, "there can be only one command for each platform", {
      first,
      other,
      help: [
        `for one after the other, write \`@command A && B\`${below}, or a \`@step NAME runs\` for each`,
        `for one platform, write \`@${other.keyword}(macos)\`, \`(linux)\`, \`(unix)\` or \`(windows)\``,
      ],
      ...(isPlain && joined[1] === other ? { offers: [this.#joining(joined)] } : {}),
    });
  }

  #joining(commands: readonly Annotation[]): Fix {
    const [first, ...others] = commands;
    const { source } = this.#analysis.file;
    const start = first?.span.start ?? 0;
    const shell = this.#analysis.has("shell") ? [] : [{ span: { source, start, end: start }, text: "@shell sh\n" }];
    const edits = others.map(({ text }, index) => ({
      span: { source, start: commands[index]?.text.span.end ?? 0, end: text.span.start },
      text: " && ",
    }));
    return { title: "run one after the other, joined with `&&`", edits: [...shell, ...edits] };
  }

  #platformCommand(annotation: Annotation, platform: PlatformChoice | ""): CommandTemplate | undefined {
    const shell = this.#shellOn(platform);
    const { text, body } = annotation;
    const shellFix = (): Fix | string => this.#shellFix(annotation, platform);
    if (
      annotation.keyword === "script" &&
      shell === "none" &&
      !programOfFirstLine((body ?? text).text) &&
      this.#shells.size === this.#analysis.all("shell").length
    ) {
      this.#isComplete = false;
      this.#analysis.error("needs-shell", "a `@script` needs a shell", {
        at: annotation.keywordSpan,
        ...fixOrHelp(shellFix()),
      });
      return undefined;
    }
    if (typeof shell === "string") checkCommandLines(annotation, shell, this.#analysis);
    return this.#command(body ? (text.text === "" ? body : stacked(text, body)) : text, shell, shellFix);
  }

  /** Returns the fix that adds `@shell`; on Windows only advice, because there are two shells and no `sh`. */
  #shellFix(annotation: Annotation, platform: PlatformChoice | ""): Fix | string {
    const shell = OF_BASH.test(`${annotation.text.text}\n${annotation.body?.text ?? ""}`) ? "bash" : "sh";
    if (platform === "windows") return "add `@shell(windows) pwsh` above";
    const written = this.#analysis.all("shell").find((shell) => (shell.qualifier?.text ?? "") === platform);
    if (written) return replacing(written.text.span, shell, `use \`@shell ${shell}\``);
    const { source } = this.#analysis.file;
    const { start } = annotation.span;
    const indent = source.text.slice(source.text.lastIndexOf("\n", start - 1) + 1, start).replace(/^\uFEFF+/, "");
    const line = `@shell${platform === "" ? "" : `(${platform})`} ${shell}`;
    return { title: `add \`${line}\``, edits: [{ span: { source, start, end: start }, text: `${line}\n${indent}` }] };
  }

  /** `shellFix` replaces the fix that the command offers, because the place of `@shell` is only known here. */
  #command(text: MappedText, shell: Reader, shellFix: () => Fix | string): CommandTemplate | undefined {
    const own = programOfFirstLine(text.text);
    const { value, diagnostics } = parseCommand(text, shell, {
      declarations: this.#declarations,
      environment: declaredEnvironment(this.#analysis),
    });
    this.#analysis.add(
      diagnostics.map((diagnostic) =>
        diagnostic.code === "needs-shell" && diagnostic.fix?.title.startsWith("add ")
          ? withFix(diagnostic, shellFix())
          : own && diagnostic.code === "other-interpreter"
            ? this.#withoutShell(diagnostic)
            : diagnostic,
      ),
    );
    if (!value) this.#isComplete = false;
    const places = value?.kind === "direct" ? value.words.flatMap((word) => word.parts) : (value?.parts ?? []);
    for (const place of places) if (typeof place !== "string") this.#used.add(place.placeholder);
    return value;
  }

  #withoutShell(diagnostic: Diagnostic): Diagnostic {
    const [only, ...others] = this.#analysis.all("shell");
    if (!only || others.length > 0) return diagnostic;
    const { source, start, end } = only.span;
    const lineEnd = source.text.indexOf("\n", end);
    const span = { source, start, end: lineEnd === -1 ? end : lineEnd + 1 };
    return withFix({ ...diagnostic, help: [] }, { title: "leave out `@shell`", edits: [{ span, text: "" }] });
  }

  #template(text: MappedText): Template | undefined {
    const { value, diagnostics } = this.#scope
      ? parseReferringTemplate(text, this.#scope)
      : parseTemplate(text, this.#declarations);
    this.#analysis.add(diagnostics);
    if (!value) this.#isComplete = false;
    for (const part of value?.parts ?? []) if (typeof part !== "string") this.#used.add(part.placeholder);
    return value;
  }

  #surroundings(commands: readonly PlatformCommand[]): Surroundings {
    const cwd = this.#analysis.first("cwd");
    const stdin = this.#analysis.first("stdin");
    const inherit = this.#analysis.first("env-inherit");
    const folder = cwd && this.#template(cwd.text);
    // Every tool runs there by default.
    const cwdTemplate =
      cwd?.text.text === "{WORKSPACE}" && !isDeclared("WORKSPACE", this.#declarations) ? undefined : folder;
    const stdinTemplate =
      stdin &&
      this.#template(stdin.body ? (stdin.text.text === "" ? stdin.body : stacked(stdin.text, stdin.body)) : stdin.text);
    if (stdinTemplate) {
      checkInput(
        { template: stdinTemplate, span: stdin.text.span, declarations: this.#declarations },
        commands.map(({ command }) => command),
        this.#analysis,
      );
    }
    const interaction = readInteraction(this.#analysis);
    const file = this.#analysis.first("env-file");
    if (file) checkEnvironmentFile(file.text, this.#analysis);
    const inherits = inherit && readChoice(inherit, ["yes", "no"], this.#analysis);
    return {
      ...(cwdTemplate ? { cwd: cwdTemplate } : {}),
      ...(stdinTemplate ? { stdin: stdinTemplate } : {}),
      ...this.#environment(commands),
      ...(file ? { environmentFile: file.text.text } : {}),
      inheritsEnvironment: inherits === "yes",
      ...(inherits === "no" ? { isolatesEnvironment: true as const } : {}),
      ...(interaction ? { interaction } : {}),
    };
  }

  #environment(commands: readonly PlatformCommand[]): Pick<Surroundings, "environment" | "passed" | "secrets"> {
    const seen = new Map<string, Annotation>();
    const passed: string[] = [];
    const secrets: UsedSecret[] = [];
    const environment = this.#analysis.all("env").flatMap((annotation) => {
      if (/^[A-Za-z_]\w*$/.test(annotation.text.text)) {
        const name = annotation.text.text;
        const known = seen.get(name);
        if (known) duplicateAnnotation(this.#analysis, `\`${name}\` is set twice`, { first: known, other: annotation });
        seen.set(name, annotation);
        passed.push(name);
        return [];
      }
      const text = annotation.text.text;
      const isList = /^[A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)+$|^[A-Z_][A-Z0-9_]*(?:[ \t]+[A-Z_][A-Z0-9_]*)+$/.test(
        text,
      );
      const names = isList ? text.split(/[ \t,]+/) : [];
      if (names.length > 0) {
        const lines = names.map((name) => `@env ${name}`);
        this.#analysis.error("malformed-annotation", "`@env` passes on one variable", {
          at: annotation.text.span,
          fix: replacing(annotation.span, lines.join("\n"), `write ${lines.map((line) => `\`${line}\``).join(", ")}`),
        });
        return [];
      }
      const part = this.#analysis.readWithRest(annotation, "assignment", { words: 2, hasBrackets: false });
      const name = part && partOf(part, "target")?.text;
      const value = part && partOf(part, "assigned")?.text;
      if (!name) return [];
      const known = seen.get(name.text);
      if (known)
        duplicateAnnotation(this.#analysis, `\`${name.text}\` is set twice`, { first: known, other: annotation });
      seen.set(name.text, annotation);
      if (value?.text.startsWith(SECRET)) {
        const use = { variable: name.text, at: value.span, findings: this.#analysis };
        const secret = readSecretUse(value.text.slice(SECRET.length), use);
        if (secret) secrets.push(secret);
        return [];
      }
      if (value && /^\{\w+\}[ \t]+for=\S/.test(value.text))
        this.#analysis.error("malformed-annotation", "only a secret with a place of its own can be for a host", {
          at: value.span,
          help: [
            `write \`@env ${name.text}=secret:API_KEY ${value.text.replace(/^\S+\s+/, "")}\`, without a parameter`,
          ],
        });
      const template = value ? this.#template(value) : { parts: [] };
      if (value && template)
        checkVariable(name.text, { template, span: value.span, declarations: this.#declarations }, this.#analysis);
      return template ? [{ name: name.text, value: template }] : [];
    });
    const placed = ({ name, value: template }: Surroundings["environment"][number]): PlacedTemplate => {
      const span = seen.get(name)?.text.span ?? { source: this.#analysis.file.source, start: 0, end: 0 };
      return { template, span, declarations: this.#declarations };
    };
    const templates = commands.map(({ command }) => command);
    const guarded = guardedEnvironment(environment, { commands: templates, placed }, this.#analysis);
    return {
      environment: guarded,
      ...(passed.length > 0 ? { passed } : {}),
      ...(secrets.length > 0 ? { secrets } : {}),
    };
  }

  #checkNeedless(): void {
    if (this.#analysis.has("step") || this.#analysis.has("code")) return;
    for (const keyword of [
      "shell",
      "cwd",
      "stdin",
      "env",
      "env-file",
      "env-inherit",
      "interactive",
      "fallback",
      "ignore-errors",
    ]) {
      const annotation = this.#analysis.first(keyword);
      if (annotation)
        this.#analysis.warn(
          "misplaced-annotation",
          `\`@${keyword}\` has no effect without a \`@command\` or \`@script\``,
          { at: annotation.keywordSpan },
        );
    }
  }
}

/** A value would choose which file a call reads. */
export function checkEnvironmentFile({ text, span }: MappedText, findings: Findings): void {
  if (text !== "" && !/[{}]/.test(text)) return;
  findings.error("malformed-annotation", "a file with variables is named as it is: no value is a part of its path", {
    at: span,
    label: "expected a path such as `.env`",
  });
}

function withFix(diagnostic: Diagnostic, instead: Fix | string): Diagnostic {
  const { fix: _fix, ...rest } = diagnostic;
  const { fix, help } = fixOrHelp(instead);
  return { ...rest, help: [...help, ...rest.help], ...(fix ? { fix } : {}) };
}

function fixOrHelp(instead: Fix | string): { readonly fix?: Fix; readonly help: readonly string[] } {
  return typeof instead === "string" ? { help: [instead] } : { fix: instead, help: [] };
}
