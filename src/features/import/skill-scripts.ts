// The scripts of a skill (`SKILL.md`, and `scripts/` beside it), each as a tool that starts it. What a script takes is
// read where that is certain; otherwise its words are a list.
import { type ScriptInterface, readPython } from "./python-interface.ts";
import { fencedHead } from "./claude-command.ts";
import {
  type ImportedSource,
  parameterNameOf,
  type SourceText,
  type ToolCandidates,
  wordsParameter,
} from "./imported-tool.ts";
import { scalarOf } from "./source-data.ts";
import type { Part } from "./imported-tool.ts";
import type { Parameter } from "../../core/schema/parameter.ts";

const SCRIPTS_MAX = 100;

export function readSkill({ text, path = "SKILL.md", beside, filesIn }: SourceText): ImportedSource {
  const { settings } = fencedHead(text);
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const skill = scalarOf(settings["name"]) ?? folder.split("/").at(-1) ?? "skill";
  // The rest of a description says when a model should read the skill.
  const about =
    /^.*?[.!](?=\s|$)/s.exec(scalarOf(settings["description"]) ?? "")?.[0] ?? scalarOf(settings["description"]) ?? "";
  // Deeper ones are mostly parts of others.
  const files = (filesIn?.("scripts") ?? []).filter(
    (file) => /\.(?:py|sh|bash|js|mjs|cjs)$/.test(file) && (/^scripts\/[^/]+$/.test(file) || text.includes(file)),
  );
  const tools = files.slice(0, SCRIPTS_MAX).flatMap((file) => {
    const script = beside?.(file);
    const isPart = /(?:^|\/)(?:__init__\.py|conftest\.py|test_\w+\.py|\w+_test\.py|[\w.-]*\.template\.\w+)$/.test(file);
    return script === undefined || isPart
      ? []
      : [scriptTool(script, { file, folder, skill, about, isNamed: text.includes(file) })];
  });
  return { format: "skill", tools, notes: [] };
}

interface ScriptPlace {
  /** From the folder of the skill. */
  readonly file: string;
  readonly folder: string;
  readonly skill: string;
  readonly about: string;
  /** Whether the skill says to run it. */
  readonly isNamed: boolean;
}

function scriptTool(script: string, { file, folder, skill, about, isNamed }: ScriptPlace): ToolCandidates {
  const base = file.split("/").at(-1) ?? file;
  const name = `${skill}-${base.replace(/\.\w+$/, "")}`;
  const python = file.endsWith(".py") ? readPython(script) : undefined;
  const isModule = python ? !python.isProgram : /\.[cm]?js$/.test(file) && isJavaScriptModule(script);
  if (isModule && !isNamed) return { name, candidates: [], leftOut: "it is a module that other scripts import" };
  const takes = python ? python.takes : file.endsWith("sh") ? shellWords(script) : undefined;
  const path = folder === "" ? file : `${folder}/${file}`;
  const words = [...starts(script, file), path.startsWith("-") ? `./${path}` : path];
  const comment = python?.docstring ?? commentOf(script);
  const said = firstParagraph(comment);
  const importsFolder = python !== undefined && /^\s*(?:from|import)\s+scripts\b/m.test(script);
  const head = {
    name,
    description: [said === "" ? `Run \`${base}\` of the skill \`${skill}\`.` : said, about]
      .filter((one) => one !== "")
      .join("\n\n"),
    ...(importsFolder ? { environment: [{ name: "PYTHONPATH", value: [folder === "" ? "." : folder] }] } : {}),
    requires: words.slice(0, 1),
    shellText: file.endsWith("sh") ? script : variablesOf(script),
  };
  const free = wordsParameter("args", "Words for the script");
  const unread = {
    ...head,
    description: [head.description, ...usageParagraphs(comment)].join("\n\n"),
    parameters: [free],
    runs: { kind: "command" as const, words: [...words, { parameter: "args" }] },
    notes: ["what the script takes could not be read with certainty, so its words are a list"],
  };
  const read = takes && {
    ...head,
    parameters: takes.parameters,
    runs: { kind: "command" as const, words: [...words, ...takes.parts] },
    notes: takes.notes,
  };
  return { name, candidates: [...(read ? [read] : []), unread] };
}

function starts(script: string, file: string): readonly string[] {
  if (file.endsWith(".py")) return /^# \/\/\/ script\s*$/m.test(script) ? ["uv", "run"] : ["python3"];
  if (/\.[cm]?js$/.test(file)) return ["node"];
  return [
    /^#!.*\bsh\s*$/m.test(script.split("\n", 1)[0] ?? "") && !/^#!.*\b(?:bash|zsh)\b/.test(script) ? "sh" : "bash",
  ];
}

function isJavaScriptModule(script: string): boolean {
  const exports = /^export\b|^module\.exports\b|^exports\.\w/m.test(script);
  return exports && !/^#!|process\.(?:argv|stdin|exit)|require\.main|import\.meta\.main/.test(script);
}

/** The variables that a Python or JavaScript program reads, as a shell names them. */
function variablesOf(script: string): string {
  const read = /(?:environ(?:\.get)?|getenv|process\.env|env\.get)(?:\.|\??\.?[([]\s*["'])([A-Z][A-Z0-9_]*)\b/g;
  return [...script.matchAll(read)].map(([, name = ""]) => `$${name}`).join(" ");
}

function firstParagraph(text: string): string {
  return (
    text
      .trim()
      .split(/\n\s*\n/, 1)[0]
      ?.replaceAll(/\s*\n\s*/g, " ") ?? ""
  );
}

/** What a comment says of the words that a script takes. */
function usageParagraphs(comment: string): readonly string[] {
  return comment
    .split(/\n\s*\n/)
    .slice(1)
    .filter((paragraph) => /^\s*(?:usage|(?:sub)?commands|arguments|options|flags)\b/i.test(paragraph))
    .map((paragraph) => paragraph.trim());
}

/** The comment at the beginning of a script, below its first line and settings of its shell. */
function commentOf(script: string): string {
  const lines = script.replace(/^#!.*\n(?:set -.*\n|\s*\n)*/, "").split("\n");
  const end = lines.findIndex((line) => !/^\s*(?:#|\/\/|\/?\*)/.test(line));
  const comment = lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line) => line.replace(/^\s*(?:#+|\/\/+|\/?\*+\/?)\s?/, ""));
  return comment.filter((line) => !/shellcheck|eslint|^-+$|^=+$/.test(line)).join("\n");
}

/** `$1`, `${2:-x}`: what a shell script without functions, loops over its words and options takes. */
function shellWords(script: string): ScriptInterface | undefined {
  const code = script.replaceAll(/^\s*#.*$/gm, "");
  if (/\$[@*#]|\$\{[@*#]|\bshift\b|\bgetopts?\b|\bset\s+--|^\s*(?:function\s+\w+|[\w-]+\s*\(\))/m.test(code))
    return undefined;
  const uses = [...code.matchAll(/\$(?:([1-9])|\{([1-9])([^}]*)\})/g)];
  const most = Math.max(0, ...uses.map(([, plain, braced]) => Number(plain ?? braced)));
  const parameters = Array.from({ length: most }, (_, index): Parameter => {
    const number = String(index + 1);
    const own = uses.filter(([, plain, braced]) => (plain ?? braced) === number);
    const [, named] =
      new RegExp(String.raw`^\s*(?:export |readonly |local )?(\w+)=["']?\$\{?${number}\b`, "m").exec(code) ?? [];
    // A test may end the script or choose a default: that is left to it.
    const isTested = new RegExp(String.raw`-[zn] ["']?\$\{?${number}\b`).test(code);
    const isOptional = isTested || own.length === 0 || own.some(([, , , rest = ""]) => /^:?[-+=]/.test(rest));
    return {
      name: parameterNameOf((named ?? `argument${number}`).toLowerCase()),
      description: "",
      schema: { type: "string" },
      required: !isOptional,
    };
  });
  const isGap = parameters.some(
    ({ required }, index) => !required && parameters.slice(index + 1).some((one) => one.required),
  );
  if (isGap || new Set(parameters.map(({ name }) => name)).size < most) return undefined;
  return { parameters, parts: parameters.map(({ name }): Part => ({ parameter: name })), notes: [] };
}
