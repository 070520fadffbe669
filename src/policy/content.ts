// What a tool is made of, in parts that can be compared: a yes for always counts for exactly this.
import { dirname, resolve } from "node:path";
import type { Host } from "../tool/host.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Tool } from "../tool/tool.ts";
import { moduleFiles } from "./module-files.ts";

export interface ToolContent {
  readonly hash: string;
  /** Sums by what they are of: `the commands of \`x\``, `the script x.sh`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Words about a tool, which change nothing of what it does; its tests run elsewhere. Where it lies depends on the folder that one is in. */
const PASSED_OVER: ReadonlySet<string> = new Set(["name", "origin", "tests", "examples", "changelog", "notes", "annotations", "help", "keywords", "category", "deprecated"]);
const SCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const SCRIPTS_MAX = 500;
const SUM_CHARACTERS = 24;
const SCRIPT_NAME = /\.(sh|bash|zsh|py|js|mjs|cjs|ts|mts|rb|pl|lua|php|ps1|cmd|bat)$/i;

export function contentOf(tool: Tool, { host, cwd }: { readonly host: Host; readonly cwd: string }): ToolContent {
  const parts: Record<string, string> = {};
  const add = (label: string, text: string | Uint8Array): void => void (parts[label] = host.sha256(text).slice(0, SUM_CHARACTERS));
  const seen = new Set<Tool>();
  const visit = (one: Tool): void => {
    if (seen.has(one)) return;
    seen.add(one);
    addDefinition(one, add);
    for (const [path, bytes] of scriptsOf(one.definition, { host, cwd })) add(`the script ${path}`, bytes);
    for (const below of one.standsOn ?? []) visit(below);
  };
  visit(tool);
  return { hash: host.sha256(JSON.stringify(Object.entries(parts).toSorted())), parts };
}

type Add = (label: string, text: string | Uint8Array) => void;

function addDefinition({ definition, effects }: Tool, add: Add): void {
  const name = definition.name.value;
  for (const [key, value] of Object.entries(definition)) if (!PASSED_OVER.has(key)) add(`the ${words(key)} of \`${name}\``, JSON.stringify(value, withoutPlaces) ?? "");
  add(`the effects of \`${name}\``, effects.join(" "));
}

function words(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function withoutPlaces(key: string, value: unknown): unknown {
  return key === "span" ? undefined : value;
}

/** Files that its commands name and that are programs of somebody's own; those of a plugin. */
function scriptsOf(definition: ToolDefinition, { host, cwd }: { readonly host: Host; readonly cwd: string }): readonly (readonly [path: string, bytes: Uint8Array])[] {
  const { origin } = definition;
  const folders = [cwd, ...(origin.kind === "file" ? [dirname(resolve(cwd, origin.source.path))] : [])];
  const named = definition.kind === "wrapped" || definition.kind === "steps" ? namesIn(definition) : [];
  const paths = new Set([...(origin.kind === "plugin" ? moduleFiles(origin.path, SCRIPTS_MAX, host) : []), ...named.flatMap((name) => folders.map((folder) => resolve(folder, name)))]);
  const found: (readonly [string, Uint8Array])[] = [];
  for (const path of paths) {
    const stat = host.instant.stat(path);
    if (stat?.kind !== "file" || isOfSystem(path) || !(origin.kind === "plugin" || SCRIPT_NAME.test(path) || (stat.mode & 0o111) !== 0)) continue;
    if (found.length === SCRIPTS_MAX) return [...found, [`number ${SCRIPTS_MAX + 1}, which is one too many`, unlikeAny(host)]];
    found.push([path, bytesOf(path, host)]);
  }
  return found;
}

function namesIn(definition: ToolDefinition): readonly string[] {
  const texts: string[] = [];
  const doing = Object.entries(definition).filter(([key]) => !PASSED_OVER.has(key) && key !== "description" && key !== "title");
  JSON.stringify(doing, (key, value: unknown) => {
    if (key === "span") return undefined;
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.flatMap((text) => text.match(/[\w.~@%+\/-]+/g) ?? []);
}

function isOfSystem(path: string): boolean {
  return /^\/(usr|bin|sbin|lib|lib64|etc|dev|proc|sys)\//.test(path);
}

/** What cannot be looked at is not the same as anything. */
function unlikeAny(host: Host): Uint8Array {
  return new TextEncoder().encode(`cannot be read ${host.randomId()}`);
}

function bytesOf(path: string, host: Host): Uint8Array {
  try {
    return host.instant.readBytes(path, SCRIPT_BYTES_MAX);
  } catch {
    return unlikeAny(host);
  }
}

/** What differs, in words. */
export function changesSince(before: ToolContent["parts"], now: ToolContent["parts"]): readonly string[] {
  const labels = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return labels.flatMap((label) => {
    if (before[label] === now[label]) return [];
    return [before[label] === undefined ? `${label} is new` : now[label] === undefined ? `${label} is gone` : `${label} has changed`];
  });
}
