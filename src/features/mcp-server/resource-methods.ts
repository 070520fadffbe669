// `resources/…`: resources of plugins, and output that was too long to send with its result.
import type { Offer } from "./offered.ts";
import { DamagedOutput, openKept } from "../../core/output/kept-file.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { ResourceSpec } from "../../core/tool/plugin-offers.ts";
import type { Host } from "../../core/tool/host.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { APP_URI } from "./app-names.ts";
import { handleOf, OUTPUT_URI_TEMPLATE } from "./call-content.ts";
import type { OpenRequest } from "./open-request.ts";
import { knownPage } from "./pages.ts";
import { errorCodes, invalidParams, ProtocolError } from "./protocol.ts";
import type { Served } from "./served.ts";

/** The limit of an output that is sent, since a message is made and read in one piece. */
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
const SUBSCRIPTIONS_MAX = 1_000;

export async function listResources({ params }: OpenRequest, { service }: Served): Promise<JsonObject> {
  const { items, nextCursor } = knownPage(
    (await service.offer()).resources.filter(({ uri }) => !isTemplate(uri)),
    params["cursor"],
  );
  return {
    resources: items.map(({ uri, ...resource }) => ({ uri, ...shown(resource) })),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

export async function listTemplates(_request: OpenRequest, { service }: Served): Promise<JsonObject> {
  const ofPlugins = (await service.offer()).resources.filter(({ uri }) => isTemplate(uri));
  const ofOutput = {
    uriTemplate: OUTPUT_URI_TEMPLATE,
    name: "output",
    title: "Long output",
    description: "The whole of an output that was cut; the result of the call links to it",
    mimeType: "text/plain",
  };
  return {
    resourceTemplates: [
      ofOutput,
      ...ofPlugins.map(({ uri, ...resource }) => ({ uriTemplate: uri, ...shown(resource) })),
    ],
  };
}

export async function readResource({ params }: OpenRequest, { service }: Served): Promise<JsonObject> {
  return read(String(params["uri"]), await service.offer());
}

/** Up to 2025-11-25; later clients subscribe with `subscriptions/listen`. */
export function subscribe({ params, client: { subscribed } }: OpenRequest): JsonObject {
  if (subscribed.size >= SUBSCRIPTIONS_MAX)
    throw invalidParams(`a session can have at most ${SUBSCRIPTIONS_MAX} subscriptions`);
  subscribed.add(String(params["uri"]));
  return {};
}

export function unsubscribe({ params, client }: OpenRequest): JsonObject {
  client.subscribed.delete(String(params["uri"]));
  return {};
}

function shown({ name, title, description, mediaType }: Omit<ResourceSpec, "uri">): JsonObject {
  return {
    name,
    ...(title === undefined ? {} : { title: forModels(title) }),
    description: forModels(description),
    mimeType: mediaType,
  };
}

async function read(uri: string, { session: { host }, resources, app }: Offer): Promise<JsonObject> {
  if (uri === APP_URI && app) return (await import("./app.ts")).appResource(uri, await app());
  const handle = handleOf(uri);
  if (handle !== undefined) return { contents: [await keptOutput(uri, handle, host)] };
  for (const resource of resources) {
    const values = valuesIn(resource.uri, uri);
    const found = values && (await resource.read(uri, values));
    if (found !== undefined) return { contents: [contentOf(uri, found, resource.mediaType)] };
  }
  throw nothingAt(uri);
}

function contentOf(uri: string, found: string | Uint8Array, mimeType: string): JsonObject {
  return typeof found === "string"
    ? { uri, mimeType, text: forModels(found) }
    : { uri, mimeType, blob: Buffer.from(found).toString("base64") };
}

async function keptOutput(uri: string, handle: string, host: Host): Promise<JsonObject> {
  try {
    const kept = await openKept(handle, host);
    if (!kept) throw nothingAt(uri);
    const text = await kept.start(OUTPUT_BYTES_MAX);
    const shownBytes = Buffer.byteLength(text);
    const rest =
      shownBytes < kept.sizeBytes || kept.isCut
        ? `\n[the first ${shownBytes} of ${kept.sizeBytes} bytes${kept.isCut ? " that are stored" : ""}; read_output ${JSON.stringify({ handle })} pages through them]\n`
        : "";
    return { uri, mimeType: "text/plain", text: text + rest };
  } catch (error) {
    if (error instanceof DamagedOutput)
      throw new ProtocolError(
        errorCodes.internal,
        `\`${uri}\` is damaged: its file was truncated or changed; make the call again`,
        { uri },
      );
    throw error instanceof ProtocolError ? error : nothingAt(uri);
  }
}

function nothingAt(uri: string): ProtocolError {
  return invalidParams(
    `there is no resource \`${uri.slice(0, 500)}\`; long output is stored for a week, and \`resources/list\` lists the other resources`,
    { uri },
  );
}

function isTemplate(uri: string): boolean {
  return uri.includes("{");
}

/** Returns the values in an address, or undefined if it does not match the template. */
function valuesIn(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  const names: string[] = [];
  const pattern = template
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!part.startsWith("{")) return part.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
      names.push(part.slice(1, -1));
      return "([^/]+)";
    })
    .join("");
  const match = new RegExp(`^${pattern}$`).exec(uri);
  return match ? Object.fromEntries(names.map((name, index) => [name, decoded(match[index + 1] ?? "")])) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
