// Operations of an OpenAPI 3 description as tools. What `web_fetch` can ask for wraps it; the others are JavaScript for
// the sandbox, which may reach the API's host alone.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Effect } from "../../core/tool/definition.ts";
import {
  type ImportedSource,
  type ImportedTool,
  type SourceText,
  type ToolCandidates,
  Unreadable,
} from "./imported-tool.ts";
import { credentialsOf, type Credential } from "./openapi-credentials.ts";
import { listOf, LostReference, METHODS, objectOf, type Operation, resolved, withFiles } from "./openapi-document.ts";
import { inputsOf, type Input, type Inputs, type Place } from "./openapi-inputs.ts";
import { parsedYaml } from "./source-data.ts";

export function readOpenApi({ text, address, server: given, beside }: SourceText): ImportedSource {
  const written = parsedYaml(text) as Json;
  if (!isJsonObject(written) || !/^3\./.test(String(written["openapi"] ?? "")))
    throw new Unreadable(
      isJsonObject(written) && written["swagger"] !== undefined
        ? "it is Swagger 2, and OpenAPI 3 is read; `npx swagger2openapi` converts it"
        : "it has no `openapi: 3`",
    );
  const root = withFiles(written, (path) => {
    const other = beside?.(path);
    return other === undefined ? undefined : (parsedYaml(other) as Json);
  });
  const tools: ToolCandidates[] = [];
  for (const [path, referring] of Object.entries(objectOf(root["paths"]))) {
    const item = orLost(() => resolved(referring, root));
    if (item instanceof LostReference) {
      tools.push({ name: path, candidates: [], leftOut: lostText(item) });
      continue;
    }
    for (const method of METHODS) {
      const operation = item[method];
      if (!isJsonObject(operation)) continue;
      const name = String(operation["operationId"] ?? `${method}${path}`);
      const server = given ?? serverOf([operation["servers"], item["servers"], root["servers"]], address);
      const shared = listOf(item["parameters"]);
      if (server === undefined) {
        tools.push({ name, candidates: [], leftOut: "the description names no server; `--server URL` gives it" });
        continue;
      }
      const read = orLost(() => candidatesOf(name, { method, address: `${server}${path}`, operation, shared, root }));
      tools.push(read instanceof LostReference ? { name, candidates: [], leftOut: lostText(read) } : read);
    }
  }
  return { format: "OpenAPI", tools, notes: [] };
}

function orLost<Read>(read: () => Read): Read | LostReference {
  try {
    return read();
  } catch (error) {
    if (error instanceof LostReference) return error;
    throw error;
  }
}

function lostText({ message }: LostReference): string {
  if (/^https?:/i.test(message)) return `it refers to \`${message}\`, and only files beside the description are read`;
  const isFile = !message.startsWith("#");
  return `it refers to \`${message}\`, which is not there${isFile ? ", or is outside of the folder of the description and of yours" : ""}`;
}

function candidatesOf(name: string, operation: Operation): ToolCandidates {
  const { method, address } = operation;
  const inputs = inputsOf(operation);
  if ("problem" in inputs) return { name, candidates: [], leftOut: inputs.problem };
  const credentials = credentialsOf(operation);
  const head = {
    name,
    description: descriptionOf(operation),
    parameters: [...inputs.inputs.map(({ parameter }) => parameter), ...credentials.map(({ parameter }) => parameter)],
    notes: [],
  };
  const isPlain =
    method === "get" &&
    credentials.length === 0 &&
    inputs.inputs.every(
      ({ place, parameter }) =>
        (place === "path" || (place === "query" && parameter.required)) && parameter.schema.type !== "array",
    );
  const query = inputs.inputs.filter(({ place }) => place === "query");
  const page = inputs.inputs.reduce(
    (done, { original, parameter, place }) =>
      place === "path" ? done.replaceAll(`{${original}}`, `{${parameter.name}}`) : done,
    address,
  );
  const asked = query.map(({ original, parameter }) => `${encodeURIComponent(original)}={${parameter.name}}`).join("&");
  const wrap: ImportedTool = {
    ...head,
    runs: {
      kind: "wraps",
      tool: "web_fetch",
      presets: [
        ["url", asked === "" ? page : `${page}?${asked}`],
        ["format", "raw"],
      ],
    },
  };
  const code: ImportedTool = {
    ...head,
    tags: effectsOf(method),
    runs: {
      kind: "code",
      code: fetchCode(operation, inputs, credentials),
      hosts: [new URL(address.replaceAll(/[{}]/g, "")).host.toLowerCase()],
    },
  };
  return { name, candidates: isPlain ? [wrap, code] : [code] };
}

function effectsOf(method: Operation["method"]): readonly Effect[] {
  return method === "get" || method === "head" ? ["read", "network"] : ["write", "network"];
}

function descriptionOf({ operation, method, address }: Operation): string {
  const texts = [operation["summary"], operation["description"]].filter(
    (text) => typeof text === "string" && text.trim() !== "",
  );
  return texts.length === 0 ? `Send ${method.toUpperCase()} to ${address}.` : [...new Set(texts)].join("\n\n");
}

/** Returns the first server's address, with the defaults of its variables; relative to the description. */
function serverOf(lists: readonly (Json | undefined)[], base: string | undefined): string | undefined {
  const server = lists.flatMap(listOf).find(isJsonObject);
  const written = String(server?.["url"] ?? "/");
  const variables = objectOf(server?.["variables"]);
  const filled = written.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) =>
    String(objectOf(variables[name])["default"] ?? whole),
  );
  if (!URL.canParse(filled, base)) return undefined;
  const url = new URL(filled, base);
  return /^https?:$/.test(url.protocol) && !filled.includes("{") ? url.href.replace(/\/$/, "") : undefined;
}

// The JavaScript that sends one operation.

function fetchCode({ method, address }: Operation, inputs: Inputs, credentials: readonly Credential[]): string {
  const at = (place: Place): readonly Input[] => inputs.inputs.filter((input) => input.place === place);
  const secret = (place: Credential["place"]): readonly Credential[] =>
    credentials.filter((one) => one.place === place);
  const [query = [], cookies = []] = (["query", "cookie"] as const).map((place) => [
    ...at(place).map(pair),
    ...secret(place).map(({ name, parameter }) => pair({ original: name, parameter })),
  ]);
  const headers = [
    ...at("header").map(pair),
    ...secret("header").map(({ name, before, parameter }) => {
      const value = `input[${JSON.stringify(parameter.name)}]`;
      const text = before === "" ? value : `${value} && ${JSON.stringify(before)} + ${value}`;
      return `[${JSON.stringify(name)}, ${text}]`;
    }),
    ...(inputs.mediaType === undefined ? [] : [`["content-type", ${JSON.stringify(inputs.mediaType)}]`]),
  ];
  const usesForm = query.length + cookies.length > 0 || inputs.mediaType === "application/x-www-form-urlencoded";
  const body = bodyText(at("body"), inputs);
  const lines = [
    "const given = (pairs) => pairs.filter(([, value]) => value !== undefined);",
    ...(usesForm
      ? [
          "const one = (value) => encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : value);",
          ...(inputs.inputs.some(({ style }) => style !== undefined) ? styledForm : plainForm),
        ]
      : []),
    `let url = ${addressText(address, at("path"))};`,
    ...(query.length === 0
      ? []
      : [`const query = form([${query.join(", ")}]).join("&");`, 'if (query !== "") url += `?${query}`;']),
    `const headers = Object.fromEntries(given([${headers.join(", ")}]).map(([name, value]) => [name, String(value)]));`,
    ...(cookies.length === 0 ? [] : [`headers.cookie = form([${cookies.join(", ")}]).join("; ");`]),
    ...(body === undefined ? [] : [`const body = ${body};`]),
    `const answer = await fetch(url, { method: ${JSON.stringify(method.toUpperCase())}, headers${body === undefined ? "" : ", body"} });`,
    "const text = await answer.text();",
    "if (!answer.ok) throw new Error(`the answer has status ${answer.status}: ${text.slice(0, 2000)}`);",
    "return text;",
  ];
  return lines.join("\n");
}

const plainForm = [
  "const form = (pairs) => given(pairs).flatMap(([name, value]) => [value].flat().map((each) => `${encodeURIComponent(name)}=${one(each)}`));",
];
const styledForm = [
  "const spread = ([name, value, style]) => style === 'deep' ? Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]) : [style && Array.isArray(value) ? value.join(style) : value].flat().map((each) => [name, each]);",
  "const form = (pairs) => given(pairs).flatMap(spread).map(([name, value]) => `${encodeURIComponent(name)}=${one(value)}`);",
];

function pair({ original, parameter, style }: Pick<Input, "original" | "parameter" | "style">): string {
  const end = style === undefined ? "" : `, '${style}'`;
  return `[${JSON.stringify(original)}, input[${JSON.stringify(parameter.name)}]${end}]`;
}

/** A value in the path is one segment of it. */
function addressText(address: string, path: readonly Input[]): string {
  const names = new Map(path.map(({ original, parameter }) => [original, parameter.name]));
  const pieces = address.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
  return pieces
    .map((piece) => {
      const name = names.get(piece.slice(1, -1));
      return piece.startsWith("{") && name !== undefined
        ? `encodeURIComponent(input[${JSON.stringify(name)}])`
        : JSON.stringify(piece);
    })
    .join(" + ");
}

function bodyText(body: readonly Input[], { mediaType, isWhole }: Inputs): string | undefined {
  const [first] = body;
  if (mediaType === undefined || !first) return undefined;
  const whole = `input[${JSON.stringify(first.parameter.name)}]`;
  if (isWhole) return /^text\//.test(mediaType) ? whole : `JSON.stringify(${whole})`;
  const pairs = `[${body.map(pair).join(", ")}]`;
  return mediaType === "application/x-www-form-urlencoded"
    ? `form(${pairs}).join("&")`
    : `JSON.stringify(Object.fromEntries(given(${pairs})))`;
}
