// What other agents send to their own tools, in the shape that ours take: `offset` and `limit` for lines, times in
// milliseconds, edits as marked blocks of text. Only what our tool does not declare itself is read so.
import { rowOf } from "../../core/text/row-of.ts";
import { isJsonObject } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Arguments under the names of others, and what they are under ours. */
interface Move {
  readonly from: readonly string[];
  readonly to: Fields;
  /** Set if ours is not quite the same. */
  readonly isChange?: boolean;
}

type Reshape = (given: Fields, has: (name: string) => boolean) => Move | undefined;

export interface Shaped {
  readonly given: Fields;
  /** The names that the caller used, where a value was put together from those. */
  readonly origins: ReadonlyMap<string, readonly string[]>;
  /** The parameters whose values are not quite those that were sent. */
  readonly changed: readonly string[];
}

/** Returns the arguments with foreign ones replaced by those that mean the same. */
export function inOwnShape(parameters: readonly Parameter[], sent: Fields): Shaped {
  const declared = new Set(parameters.filter(({ hidden }) => !hidden).map(({ name }) => name));
  const origins = new Map<string, readonly string[]>();
  const changed: string[] = [];
  let given = sent;
  for (const reshape of reshapes) {
    const move = reshape(given, (name) => declared.has(name));
    // What the caller says in our words counts.
    if (!move || Object.keys(move.to).some((name) => given[name] !== undefined && !move.from.includes(name))) continue;
    const others = Object.entries(given).filter(([name]) => !move.from.includes(name));
    given = { ...Object.fromEntries(others), ...move.to };
    for (const name of Object.keys(move.to)) origins.set(name, move.from.length > 0 ? move.from : [name]);
    if (move.isChange) changed.push(...Object.keys(move.to));
  }
  return { given, origins, changed };
}

const whole = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
};

/** `view_range: [1, -1]`, `offset` and `limit`: the first line and how many. A first line of 0 counts from 0. */
const lineRange: Reshape = (given, has) => {
  if (!has("start_line") || !has("end_line")) return undefined;
  const range: unknown = given["view_range"];
  if (Array.isArray(range) && range.length === 2) {
    const [first, last] = range.map(whole);
    if (first === undefined || last === undefined) return undefined;
    return { from: ["view_range"], to: { start_line: first, ...(last < 1 ? {} : { end_line: last }) } };
  }
  const from = ["offset", "limit"].filter((name) => !has(name) && given[name] !== undefined);
  const [offset, limit] = from.includes("offset")
    ? [whole(given["offset"]), whole(given["limit"])]
    : [0, whole(given["limit"])];
  if (from.length === 0 || offset === undefined || (from.includes("limit") && limit === undefined)) return undefined;
  const isAll = limit === undefined || limit < 1;
  return {
    from,
    to: {
      ...(offset < 1 ? {} : { start_line: offset }),
      ...(isAll ? {} : { end_line: Math.max(1, offset) + limit - 1 }),
    },
  };
};

/** A time limit of 1,000 and more without a unit is in milliseconds, as other agents have it. */
const MILLISECONDS_MIN = 1_000;
/** The largest timeout of our tools, in seconds. */
const SECONDS_MAX = 86_400;

const timeLimit: Reshape = (given, has) => {
  if (!has("timeout_s")) return undefined;
  for (const name of ["timeout_ms", "timeoutMs", "yield_time_ms", "timeout"]) {
    const value = given[name];
    const number = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
    if (has(name) || typeof number !== "number" || !(number > 0)) continue;
    const isGuess = name === "timeout" && number >= MILLISECONDS_MIN;
    const seconds = name !== "timeout" || isGuess ? number / 1_000 : number;
    return { from: [name], to: { timeout_s: seconds }, isChange: isGuess && number <= SECONDS_MAX };
  }
  return undefined;
};

/** A command as a list is the words of a program, which need no shell. */
const wordsOfCommand: Reshape = (given, has) => {
  const name = ["command", "cmd"].find((one) => Array.isArray(given[one]));
  const words: unknown = name === undefined ? undefined : given[name];
  if (!has("command") || !has("argv") || name === undefined || !Array.isArray(words) || words.length === 0)
    return undefined;
  return words.every((word) => typeof word === "string") ? { from: [name], to: { argv: words } } : undefined;
};

/** Source: https://docs.cline.bot/exploring-clines-tools/cline-tools-guide, `replace_in_file`. */
const markedBlock = /^[<-]{5,12} ?SEARCH>?[^\n]*\n([^]*?)\n?^={5,12}[^\n]*\n([^]*?)\n?^[>+]{5,12} ?REPLACE[^\n]*$/gm;

const markedBlocks: Reshape = (given, has) => {
  const name = ["diff", "edits", "patch", "code_edit"].find((one) => typeof given[one] === "string");
  if (!has("edits") || name === undefined) return undefined;
  const text = String(given[name]);
  const edits = [...text.matchAll(markedBlock)].map(([, search, replace]) => ({ search, replace }));
  const isAll = text.replaceAll(markedBlock, "").trim() === "";
  return edits.length > 0 && isAll ? { from: [name], to: { edits } } : undefined;
};

/** The editor of Gemini says how many places it replaces. */
const replacements: Reshape = (given, has) => {
  const count = whole(given["expected_replacements"]);
  if (!has("edits") || count === undefined || count < 1) return undefined;
  return {
    from: ["expected_replacements"],
    to: count === 1 ? {} : { replace_all: true },
    isChange: count > 1,
  };
};

/** Searches that say what counts, where ours says what does not. */
const caseOfLetters: Reshape = (given, has) => {
  const name = ["case_sensitive", "caseSensitive"].find((one) => typeof given[one] === "boolean" && !has(one));
  if (!has("ignore_case") || name === undefined) return undefined;
  return { from: [name], to: { ignore_case: given[name] === false } };
};

/** Lines before or after, where ours shows as many on both sides. */
const linesAround: Reshape = (given, has) => {
  const own = ["context_lines", "context"].find(has);
  const from = ["-A", "-B", "after_context", "before_context"].filter((one) => whole(given[one]) !== undefined);
  if (own === undefined || from.length === 0) return undefined;
  const counts = from.map((one) => whole(given[one]) ?? 0);
  const isSame = from.length === 2 && counts[0] === counts[1];
  return { from, to: { [own]: Math.max(...counts) }, isChange: !isSame };
};

/** The endings that `rg --type` stands for. Source: `rg --type-list`. */
const fileTypes: Readonly<Record<string, string>> = {
  ts: "*.{ts,tsx,cts,mts}",
  js: "*.{js,jsx,cjs,mjs,vue}",
  py: "*.{py,pyi}",
  rust: "*.rs",
  go: "*.go",
  java: "*.{java,jsp,jspx,properties}",
  json: "*.{json,sarif}",
  css: "*.{css,scss}",
  md: "*.{markdown,md,mdown,mdwn,mdx,mkd,mkdn}",
};

const typeOfFiles: Reshape = (given, has) => {
  const own = ["glob", "globs"].find(has);
  const type = given["type"];
  const glob = typeof type === "string" && Object.hasOwn(fileTypes, type) ? rowOf(fileTypes, type) : undefined;
  // Two patterns would mean either, where the caller means both.
  const isFree = ["glob", "globs", "include"].every((one) => given[one] === undefined);
  if (own === undefined || has("type") || glob === undefined || !isFree) return undefined;
  return { from: ["type"], to: { [own]: own === "globs" ? [glob] : glob } };
};

const addressInWords: Reshape = (given, has) => {
  if (!has("url") || has("prompt") || typeof given["prompt"] !== "string") return undefined;
  const found = new Set(
    given["prompt"].match(/https?:\/\/[^\s"'<>)\]]+/g)?.map((one) => one.replace(/[.,;:!?]+$/, "")),
  );
  const [url] = found;
  return found.size === 1 ? { from: [], to: { url } } : undefined;
};

const reshapes: readonly Reshape[] = [
  lineRange,
  timeLimit,
  wordsOfCommand,
  markedBlocks,
  replacements,
  caseOfLetters,
  linesAround,
  typeOfFiles,
  addressInWords,
];

function without(given: Fields, left: string): Fields {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== left));
}

interface ForeignCall {
  /** The names of our tools that do it, the best one first. */
  readonly tools: readonly string[];
  readonly arguments: unknown;
}

/** Returns the call of ours for a tool of others that does several things, or takes a text with a form of its own. */
export function foreignCall(name: string, sent: unknown): ForeignCall | undefined {
  const folded = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const given = typeof sent === "string" ? { input: sent } : isJsonObject(sent) ? sent : {};
  if (/^(?:applypatch|patch|applydiff)$/.test(folded)) return patchCall(given);
  if (/^(?:python|python3|ipython|pythoninterpreter|executepython|runpython|codeinterpreter|runcode)$/.test(folded))
    return pythonCall(given);
  const { command, ...rest } = given as Fields;
  return typeof command === "string" && editorTools.has(command) && /edit|^view$|^create$/.test(folded)
    ? editorCall(command, rest)
    : undefined;
}

const editorTools: ReadonlyMap<string, string> = new Map([
  ["view", "read_file"],
  ["create", "write_file"],
  ["str_replace", "edit_file"],
  ["insert", "edit_file"],
]);

/** Source: https://docs.claude.com/en/docs/agents-and-tools/tool-use/text-editor-tool */
function editorCall(command: string, rest: Fields): ForeignCall {
  const tools = [editorTools.get(command) ?? ""];
  if (command !== "insert") return { tools, arguments: rest };
  // Ours inserts by replacing the line before with itself and the new text, and only the caller knows that line. So the
  // number of the line is left out.
  const { insert_text: text, new_str: other, ...others } = rest;
  return { tools, arguments: { ...others, edits: [{ replace: text ?? other }] } };
}

function pythonCall(given: Fields): ForeignCall {
  const name = ["code", "script", "source", "input", "command"].find((one) => typeof given[one] === "string");
  return {
    tools: ["run_command"],
    arguments: name === undefined ? given : { ...without(given, name), argv: ["python3", "-c", given[name]] },
  };
}

/** Source: https://github.com/openai/codex/blob/main/codex-rs/apply-patch/apply_patch_tool_instructions.md */
function patchCall(given: Fields): ForeignCall {
  const name =
    ["input", "patch", "patchText", "patch_text", "diff"].find((one) => typeof given[one] === "string") ?? "";
  const others = without(given, name);
  const files = String(given[name] ?? "")
    .split(/^\*\*\* (?=(?:Update|Add|Delete) File: )/m)
    .slice(1);
  const [only] = files;
  const [, kind, path, body = ""] = /^(Update|Add) File: ([^\n]+)\n([^]*)$/.exec(only ?? "") ?? [];
  const lines = body.split("\n").filter((line) => !/^\*\*\* End/.test(line));
  // Ours edits one file a call, and moves none.
  if (files.length !== 1 || path === undefined || lines.some((line) => line.startsWith("*** ")))
    return { tools: ["edit_file", "write_file"], arguments: given };
  if (kind === "Add") {
    const added = lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return { tools: ["write_file"], arguments: { ...others, file_path: path.trim(), content: added.join("") } };
  }
  const edits = hunksIn(lines).map((hunk) => ({
    search: hunk
      .filter((line) => !line.startsWith("+"))
      .map(bare)
      .join("\n"),
    replace: hunk
      .filter((line) => !line.startsWith("-"))
      .map(bare)
      .join("\n"),
  }));
  return { tools: ["edit_file"], arguments: { ...others, file_path: path.trim(), edits } };
}

const bare = (line: string): string => line.slice(1);

function hunksIn(lines: readonly string[]): readonly (readonly string[])[] {
  const hunks: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (/^[ +-]/.test(line)) (hunks.at(-1) ?? (hunks[hunks.push([]) - 1] as string[])).push(line);
  }
  return hunks.filter((hunk) => hunk.length > 0);
}
