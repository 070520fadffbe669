// Tools as an OpenAPI 3.1 document: what `dottool mcp --http` answers besides MCP. Schemas of OpenAPI 3.1 are JSON
// Schemas, so the operations say what MCP lists. https://spec.openapis.org/oas/v3.1.1.html
import type { JsonObject } from "../../core/schema/json.ts";

/** The path of a tool is this with its name. */
export const TOOLS_PATH = "/tools/";

export interface OpenApiAbout {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** An address, or a path that is relative to that of the document. */
  readonly server: string;
  readonly hasToken: boolean;
}

/** `listed` are tools as MCP lists them. */
export function toOpenApi(listed: readonly JsonObject[], about: OpenApiAbout): JsonObject {
  const { title, version, description, server, hasToken } = about;
  return {
    openapi: "3.1.1",
    info: { title, version, description },
    servers: [{ url: server }],
    ...(hasToken ? { security: [{ token: [] }] } : {}),
    paths: Object.fromEntries(
      listed.map((tool) => [`${TOOLS_PATH}${String(tool["name"])}`, { post: operation(tool) }]),
    ),
    components: {
      ...(hasToken ? { securitySchemes: { token: tokenScheme } } : {}),
      schemas: { Content: contentSchema, Failure: resultSchema({ isError: { const: true } }, ["content", "isError"]) },
      responses: {
        Failure: {
          description: "The call failed; the text says why, and which call would be accepted",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
        },
      },
    },
  };
}

const tokenScheme: JsonObject = {
  type: "http",
  scheme: "bearer",
  description: "The token that the server prints when it starts",
};

function operation(tool: JsonObject): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const isNeeded = Array.isArray((inputSchema as JsonObject)["required"]);
  const structured = outputSchema === undefined ? {} : { structuredContent: outputSchema };
  return {
    operationId: name ?? "",
    summary: title ?? "",
    description: description ?? "",
    ...(annotations === undefined ? {} : { "x-annotations": annotations }),
    requestBody: { required: isNeeded, content: { "application/json": { schema: inputSchema ?? {} } } },
    responses: {
      200: {
        description: "The result",
        content: { "application/json": { schema: resultSchema(structured, ["content", ...Object.keys(structured)]) } },
      },
      default: { $ref: "#/components/responses/Failure" },
    },
  };
}

function resultSchema(properties: JsonObject, required: readonly string[]): JsonObject {
  return {
    type: "object",
    required,
    properties: { content: { type: "array", items: { $ref: "#/components/schemas/Content" } }, ...properties },
  };
}

/** As in results of MCP. */
const contentSchema: JsonObject = {
  type: "object",
  required: ["type"],
  properties: {
    type: { enum: ["text", "image", "audio", "resource", "resource_link"] },
    text: { type: "string" },
  },
};
