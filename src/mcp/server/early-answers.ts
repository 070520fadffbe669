// Answers a client's first questions until the SDK is loaded, which takes longer than the rest of the start. The
// answers are the same as the SDK's, which test/mcp/server-stdio.test.ts checks by asking twice.
import { isJsonObject, type Json, type JsonObject } from "../../schema/json.ts";
import { toolsPage } from "./list-tools.ts";
import { earlierRevisions, modernRevision, serverCapabilities, serverInfo } from "./server-facts.ts";
import type { McpService } from "./service.ts";

const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

/** Returns undefined for any other message, and for a malformed one. */
export async function earlyAnswer(message: JsonObject, service: McpService): Promise<JsonObject | undefined> {
  const { method, params = {} } = message;
  if (!isJsonObject(params)) return undefined;
  const meta = params["_meta"] ?? {};
  if (
    !isJsonObject(meta) ||
    Object.keys(params).some(
      (key) => !["_meta", "cursor", "protocolVersion", "capabilities", "clientInfo"].includes(key),
    )
  )
    return undefined;
  const isModern = meta[REVISION_KEY] === modernRevision && isJsonObject(meta[CAPABILITIES_KEY]);
  if (!isModern && meta[REVISION_KEY] !== undefined) return undefined;
  switch (method) {
    case "initialize":
      return isModern ? undefined : initialized(params, (await service.offer()).instructions);
    case "server/discover":
      return isModern
        ? modern({
            supportedVersions: [modernRevision],
            capabilities: serverCapabilities,
            instructions: (await service.offer()).instructions,
          })
        : undefined;
    case "tools/list": {
      const { cursor } = params;
      const page =
        cursor === undefined || typeof cursor === "string" ? await toolsPage(await service.offer(), cursor) : undefined;
      return page && (isModern ? modern(page) : page);
    }
    default:
      return undefined;
  }
}

function initialized(
  { protocolVersion, capabilities, clientInfo }: JsonObject,
  instructions: string,
): JsonObject | undefined {
  const isWhole =
    typeof protocolVersion === "string" &&
    isJsonObject(capabilities) &&
    isJsonObject(clientInfo) &&
    typeof clientInfo["name"] === "string" &&
    typeof clientInfo["version"] === "string";
  if (!isWhole) return undefined;
  return {
    protocolVersion: earlierRevisions.includes(protocolVersion) ? protocolVersion : (earlierRevisions[0] ?? ""),
    capabilities: serverCapabilities,
    serverInfo,
    instructions,
  };
}

function modern(result: Readonly<Record<string, Json>>): JsonObject {
  return { ...result, resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: { [SERVER_KEY]: serverInfo } };
}
