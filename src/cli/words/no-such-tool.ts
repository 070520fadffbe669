// Reports a name that is not a tool: misspelled, or a definition with errors, which are shown.
import type { RunToolOptions } from "../parts.ts";
import { join } from "node:path";
import { printable } from "../../core/text/display.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { loadPart } from "../../core/tool/feature.ts";
import { readToolWords } from "./tool-words.ts";
import { type CommandContext, writeJson } from "../command.ts";
import { commands } from "../commands.ts";
import { lostPluginsText } from "../session/lost-plugins.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Session } from "../../core/run/session.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { untrustedFolders } from "../../core/session/untrusted-folders.ts";
import { failureJson, failureLines } from "../view/print-result.ts";
import { diagnosticsFor } from "../../core/session/broken-tool.ts";
import { renderAll } from "../view/diagnostics-text.ts";

export interface MissingToolContext extends CommandContext {
  /** The words after the name, if it was to be called. */
  readonly called?: RunToolOptions;
  /** Whether the failure goes to standard output as JSON. Default: as for results of calls. */
  readonly isJson?: boolean;
}

export async function reportMissingTool(
  name: string,
  opened: OpenedSession,
  context: MissingToolContext,
): Promise<number> {
  const { terminal } = context;
  const { session } = opened;
  session.span
    ?.begin({ kind: "call", name })
    .end({ status: "failed", content: [], failure: { kind: "unknown-tool", name, nearest: [] } });
  const { called, isJson = called !== undefined && context.options.result === "json" } = context;
  const diagnostics = await diagnosticsFor(name, opened);
  if (diagnostics.length > 0) {
    const broken = { kind: "definition", tool: name } as const;
    if (isJson) {
      const { diagnosticJson } = await import("../../core/text/diagnostic-json.ts");
      writeJson(terminal, {
        status: "failed",
        content: [],
        failure: { ...(await failureJson(broken, { name })), diagnostics: diagnostics.map(diagnosticJson) },
      });
    } else
      terminal.errors.write(
        `${await renderAll(diagnostics, terminal.errors)}${await failureLines(broken, { name, audience: "person" })}\n`,
      );
    return exitCodes.definitions;
  }
  const { failure, tool } = await missing(name, session, called);
  const other = called?.form === "call" || failure.nearest.some(isOwn(session)) ? undefined : otherCommand(name);
  if (other && !isJson) {
    terminal.errors.write(
      `failed[unknown-tool]: there is no tool \`${name}\`\n  = ${lineOf(other, called?.words ?? [])}\n`,
    );
    return exitCodes.missing;
  }
  if (isJson)
    writeJson(terminal, {
      status: "failed",
      content: [],
      failure: await failureJson(failure, { tool, name: failure.suggested?.tool ?? name }),
    });
  else
    terminal.errors.write(
      `${await failureLines(failure, { tool, name: failure.suggested?.tool ?? name, audience: "person" })}\n`,
    );
  if (name.startsWith("mcp:"))
    terminal.errors.write(
      "  = a tool of an MCP server is `mcp:SERVER/TOOL`; `dottool pin SERVER` lists the tools of a server\n",
    );
  terminal.errors.write(almostFilesText(name, opened));
  terminal.errors.write(await lostPluginsText(opened, untrustedFolders(opened)));
  return exitCodes.missing;
}

/** Names files that an editor or a file manager may have given another ending: `NAME.tool.txt`, `NAME.TOOL`. */
function almostFilesText(name: string, { session, catalogue }: OpenedSession): string {
  const ending = /^\.tool(?:\.[a-z0-9]{1,10})?$/;
  const isAlmost = (file: string): boolean =>
    file.startsWith(name) && !file.endsWith(".tool") && ending.test(file.slice(name.length).toLowerCase());
  return catalogue()
    .folders.flatMap(({ path }) =>
      namesIn(path, session)
        .filter(isAlmost)
        .map((file) => join(path, file)),
    )
    .map((path) => `  = \`${printable(path)}\` is not read: the name of a definition ends with \`.tool\`\n`)
    .join("");
}

/** A folder that cannot be read is reported elsewhere. */
function namesIn(folder: string, { host }: Session): readonly string[] {
  try {
    return host.instant.names(folder);
  } catch {
    return [];
  }
}

/** Whether a name is that of a tool that did not come with dottool. */
function isOwn(session: Session): (name: string) => boolean {
  return (name) => {
    const origin = session.registry.find(name)?.definition.origin;
    return origin?.kind === "plugin" || (origin?.kind === "file" && origin.scope !== "builtin");
  };
}

function argumentsIn({ definition, parameters }: Tool, { words, form }: RunToolOptions): JsonObject {
  const [line = "", ...more] = words;
  // As after `sh -c`: no program has blanks in its name.
  if (definition.name.value === "run_command" && more.length === 0 && /\s/.test(line)) return { command: line };
  return readToolWords(words, { parameters, form }).arguments;
}

interface Missing {
  readonly failure: Extract<Failure, { kind: "unknown-tool" }>;
  /** The tool of the suggested call. */
  readonly tool?: Tool | undefined;
}

async function missing(name: string, session: Session, called: RunToolOptions | undefined): Promise<Missing> {
  // A mistyped command is as likely as a mistyped tool, unless a tool was asked for by `call`.
  const others = called?.form === "call" ? [] : commands().map((command) => command.name);
  const repairs = await loadPart("repairs");
  const meant = repairs?.meantNames(
    name,
    [...session.registry.names(), ...others].filter((one) => one !== name),
  ) ?? { nearest: [], sure: new Set<string>() };
  const isOfTools = called !== undefined && !meant.nearest.some((one) => others.some((other) => other === one));
  const { words, form } = called ?? { words: [], form: "short" };
  const fitting =
    isOfTools && repairs
      ? await repairs.fittingCall(
          { id: "", tool: name, arguments: {} },
          { ...meant, session, argumentsFor: (tool) => argumentsIn(tool, { words, form }) },
        )
      : {};
  return {
    failure: { kind: "unknown-tool", name, nearest: meant.nearest, ...fitting },
    tool: fitting.suggested && session.registry.find(fitting.suggested.tool),
  };
}

// What other programs call a command, which people type from habit. A tool of that name goes first.

interface OtherName {
  /** The words behind `dottool`. */
  readonly command: string;
  /** What it does, where a name means more than one thing. */
  readonly does?: string;
}

const rows: readonly (readonly [names: string, command: string, does?: string])[] = [
  ["which where whereis locate edit open", "show", "says in which file it is"],
  ["info inspect describe view", "show"],
  ["serve server start", "mcp", "serves your tools to clients"],
  ["tools commands", "list"],
  ["validate lint verify", "check"],
  ["format prettier", "fmt"],
  ["create make generate scaffold", "new"],
  ["completion autocomplete", "completions"],
  ["version", "--version"],
  ["setup", "init"],
  ["upgrade", "update", "replaces packages by newer versions"],
  ["uninstall", "remove", "removes a package; a tool of your own goes with its file"],
  ["delete rm", "show", "says in which file it is, which you can delete"],
  ["ps jobs status", "runs", "lists the calls in the background"],
  ["logs history", "log", "prints the calls that were made; `dottool runs` lists those in the background"],
  ["rules policies", "policy", "shows the rules in force"],
  ["approve permit", "allow"],
  ["plan preview dry-run", "explain"],
  ["migrate", "import"],
  ["chat ask", "agent"],
];

const otherNames: ReadonlyMap<string, OtherName> = new Map(
  rows.flatMap(([names, command, does]) =>
    names.split(" ").map((name): [string, OtherName] => [name, { command, ...(does === undefined ? {} : { does }) }]),
  ),
);

function otherCommand(name: string): OtherName | undefined {
  return otherNames.get(name.toLowerCase());
}

/** Returns the line to type, with the words that stood behind the other name if they are plain. */
function lineOf({ command, does }: OtherName, words: readonly string[]): string {
  const isPlain = words.length <= 2 && words.every((word) => /^[A-Za-z_][\w./-]*$/.test(word));
  const takesWords = ["show", "check", "fmt", "new", "explain", "allow", "remove", "completions"].includes(command);
  const line = ["dottool", command, ...(isPlain && takesWords ? words : [])].join(" ");
  return does === undefined ? `run it like this: ${line}` : `\`${line}\` ${does}`;
}
