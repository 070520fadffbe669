// Operations of an OpenAPI 3 description as tools. What `web_fetch` can ask for wraps it; the others are JavaScript for
// the sandbox, which may reach the API's host alone.
import { isJsonObject, type Json } from "../../schema/json.ts";
import type { Effect } from "../../tool/definition.ts";
import type { ImportedSource, ImportedTool, SourceText, ToolCandidates } from "./imported-tool.ts";
import { Unreadable } from "./imported-tool.ts";
import { credentialsOf } from "./openapi-credentials.ts";
import { fetchCode } from "./openapi-code.ts";
import { listOf, METHODS, objectOf, type Operation, resolved } from "./openapi-document.ts";
import { uploadScript } from "./openapi-upload.ts";
import { inputsOf } from "./openapi-inputs.ts";
import { parsedYaml } from "./source-data.ts";

export function readOpenApi({ text, address }: SourceText): ImportedSource {
  const root = parsedYaml(text) as Json;
  if (!isJsonObject(root) || !/^3\./.test(String(root["openapi"] ?? "")))
    throw new Unreadable(
      isJsonObject(root) && root["swagger"] !== undefined
        ? "it is Swagger 2, and OpenAPI 3 is read; `npx swagger2openapi` converts it"
        : "it has no `openapi: 3`",
    );
  const tools: ToolCandidates[] = [];
  for (const [path, written] of Object.entries(objectOf(root["paths"]))) {
    const item = resolved(written, root);
    for (const method of METHODS) {
      const operation = item[method];
      if (!isJsonObject(operation)) continue;
      const name = String(operation["operationId"] ?? `${method}${path}`);
      const server = serverOf([operation["servers"], item["servers"], root["servers"]], address);
      const shared = listOf(item["parameters"]);
      tools.push(
        server === undefined
          ? { name, candidates: [], leftOut: "the description names no server; import it by its address" }
          : candidatesOf(name, { method, address: `${server}${path}`, operation, shared, root }),
      );
    }
  }
  return { format: "OpenAPI", tools, notes: [] };
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
    notes: inputs.notes,
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
  if (inputs.inputs.some(({ place }) => place === "file")) {
    const upload = uploadScript(operation, inputs, credentials);
    return "problem" in upload
      ? { name, candidates: [], leftOut: upload.problem }
      : {
          name,
          candidates: [{ ...head, ...upload, tags: effectsOf(method), requires: ["curl"] }],
        };
  }
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
