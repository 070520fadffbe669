// What other agents send to their own tools, in the shape that ours take: `offset` and `limit` for lines, times in
// milliseconds, edits as marked blocks of text. Only what our tool does not declare itself is read so.
import { isJsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";

type Fields = Readonly<Record<string, unknown>>;
type Reshape = (given: Fields, has: (name: string) => boolean) => Fields | undefined;

/** Returns the arguments with foreign ones replaced by those that mean the same. */
export function inOwnShape(parameters: readonly Parameter[], given: Fields): Fields {
  const declared = new Set(parameters.map(({ name }) => name));
  const has = (name: string): boolean => declared.has(name);
  const open = Object.fromEntries(Object.entries(given).filter(([name]) => !declared.has(name)));
  let shaped: Fields = given;
  for (const reshape of reshapes) shaped = reshape(shaped, has) ?? shaped;
  return Object.keys(open).length === 0 && shaped === given ? given : shaped;
}

const without = (given: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));

const whole = (value: unknown): number | undefined => {
  const number = typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
};

/** `view_range: [1, -1]`, `offset` and `limit`: the first line and how many. A first line of 0 counts from 0. */
const lineRange: Reshape = (given, has) => {
  if (!has("start_line") || !has("end_line") || given["start_line"] !== undefined) return undefined;
  const range: unknown = given["view_range"];
  if (Array.isArray(range) && range.length === 2) {
    const [first, last] = range.map(whole);
    if (first === undefined || last === undefined) return undefined;
    return { ...without(given, "view_range"), start_line: first, ...(last < 1 ? {} : { end_line: last }) };
  }
  if (has("offset") || has("limit")) return undefined;
  const [offset, limit] = [whole(given["offset"]), whole(given["limit"])];
  if (offset === undefined && limit === undefined) return undefined;
  const first = Math.max(1, offset ?? 1);
  return {
    ...without(given, "offset", "limit"),
    ...(offset === undefined || offset < 1 ? {} : { start_line: first }),
    ...(limit === undefined || limit < 1 ? {} : { end_line: first + limit - 1 }),
  };
};

/** A time limit of 1,000 and more without a unit is in milliseconds, as other agents have it. */
const MILLISECONDS_MIN = 1_000;

const timeLimit: Reshape = (given, has) => {
  if (!has("timeout_s") || given["timeout_s"] !== undefined) return undefined;
  for (const [name, divisor] of [
    ["timeout_ms", 1_000],
    ["timeoutMs", 1_000],
    ["timeout", 1],
    ["yield_time_ms", 1_000],
  ] as const) {
    const value = given[name];
    const number = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
    if (has(name) || typeof number !== "number" || !(number > 0)) continue;
    const seconds = divisor === 1 && number >= MILLISECONDS_MIN ? number / 1_000 : number / divisor;
    return { ...without(given, name), timeout_s: seconds };
  }
  return undefined;
};

/** A command as a list is the words of a program, which need no shell. */
const wordsOfCommand: Reshape = (given, has) => {
  if (!has("command") || !has("argv") || given["argv"] !== undefined) return undefined;
  const name = ["command", "cmd"].find((one) => Array.isArray(given[one]));
  const words: unknown = name === undefined ? undefined : given[name];
  if (name === undefined || !Array.isArray(words) || words.length === 0) return undefined;
  return words.every((word) => typeof word === "string") ? { ...without(given, name), argv: words } : undefined;
};

/** Source: https://docs.cline.bot/exploring-clines-tools/cline-tools-guide, `replace_in_file`. */
const markedBlock = /^[<-]{5,12} ?SEARCH>?[^\n]*\n([^]*?)\n?^={5,12}[^\n]*\n([^]*?)\n?^[>+]{5,12} ?REPLACE[^\n]*$/gm;

const markedBlocks: Reshape = (given, has) => {
  if (!has("edits")) return undefined;
  const name = ["diff", "edits", "patch", "code_edit"].find((one) => typeof given[one] === "string");
  if (name === undefined) return undefined;
  const edits = [...String(given[name]).matchAll(markedBlock)].map(([, search, replace]) => ({ search, replace }));
  return edits.length === 0 ? undefined : { ...without(given, name), edits };
};

/** Searches that say what counts, where ours says what does not. */
const caseOfLetters: Reshape = (given, has) => {
  const name = ["case_sensitive", "caseSensitive"].find((one) => typeof given[one] === "boolean" && !has(one));
  if (!has("ignore_case") || name === undefined) return undefined;
  return { ...without(given, name), ignore_case: given[name] === false };
};

const addressInWords: Reshape = (given, has) => {
  if (!has("url") || has("prompt") || given["url"] !== undefined || typeof given["prompt"] !== "string")
    return undefined;
  const found = new Set(
    given["prompt"].match(/https?:\/\/[^\s"'<>)\]]+/g)?.map((one) => one.replace(/[.,;:!?]+$/, "")),
  );
  const [url] = found;
  return found.size === 1 ? { ...given, url } : undefined;
};

const reshapes: readonly Reshape[] = [
  lineRange,
  timeLimit,
  wordsOfCommand,
  markedBlocks,
  caseOfLetters,
  addressInWords,
];

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
  // Ours inserts by replacing the line before with itself and the new text, and only the caller knows that line.
  const { insert_line: _line, insert_text: text, new_str: other, ...others } = rest;
  return { tools, arguments: { ...others, edits: [{ replace: text ?? other }] } };
}

function pythonCall(given: Fields): ForeignCall {
  const code = ["code", "script", "source", "input", "command"]
    .map((name) => given[name])
    .find((one) => typeof one === "string");
  return { tools: ["run_command"], arguments: code === undefined ? {} : { argv: ["python3", "-c", code] } };
}

/** Source: https://github.com/openai/codex/blob/main/codex-rs/apply-patch/apply_patch_tool_instructions.md */
function patchCall(given: Fields): ForeignCall {
  const text = ["input", "patch", "patchText", "patch_text", "diff"]
    .map((name) => given[name])
    .find((one) => typeof one === "string");
  const files = (text ?? "").split(/^\*\*\* (?=(?:Update|Add|Delete) File: )/m).slice(1);
  const [only] = files;
  const [, kind, path, body = ""] = /^(Update|Add) File: ([^\n]+)\n([^]*)$/.exec(only ?? "") ?? [];
  if (files.length !== 1 || path === undefined) return { tools: ["edit_file", "write_file"], arguments: {} };
  const lines = body.split("\n").filter((line) => !/^\*\*\* (?:End|Move)/.test(line));
  if (kind === "Add") {
    const added = lines.filter((line) => line.startsWith("+")).map((line) => `${line.slice(1)}\n`);
    return { tools: ["write_file"], arguments: { file_path: path.trim(), content: added.join("") } };
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
  return { tools: ["edit_file"], arguments: { file_path: path.trim(), edits } };
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
