// `resources/…`: resources of plugins, and output that was too long to send with its result.
import type { Offer } from "./offered.ts";
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult, type Server } from "@modelcontextprotocol/server";
import { DamagedOutput, openKept } from "../../core/output/kept-file.ts";
import type { ResourceSpec } from "../../core/tool/plugin-offers.ts";
import type { Host } from "../../core/tool/host.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { APP_URI } from "./app-names.ts";
import { handleOf, OUTPUT_URI_TEMPLATE } from "./call-content.ts";
import { knownPage } from "./known-cursor.ts";
import type { McpService } from "./service.ts";

/** The limit of an output that is sent, since a message is made and read in one piece. */
const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
const SUBSCRIPTIONS_MAX = 1_000;

/** Adds the methods. `subscribed` are the addresses whose changes the client wants to hear of. */
export function addResourceMethods(server: Server, service: McpService, subscribed: Set<string>): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { items, nextCursor } = knownPage(
      (await service.offer()).resources.filter(({ uri }) => !isTemplate(uri)),
      params?.cursor,
    );
    return {
      resources: items.map(({ uri, ...resource }) => ({ uri, ...shown(resource) })),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    };
  });
  server.setRequestHandler("resources/templates/list", async () => {
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
  });
  server.setRequestHandler("resources/read", async ({ params }) => read(params.uri, await service.offer()));
  // Only for revisions up to 2025-11-25; later ones subscribe with `subscriptions/listen`.
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    if (subscribed.size >= SUBSCRIPTIONS_MAX)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `a session can have at most ${SUBSCRIPTIONS_MAX} subscriptions`,
      );
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

function shown({ name, title, description, mediaType }: Omit<ResourceSpec, "uri">): {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly mimeType: string;
} {
  return {
    name,
    ...(title === undefined ? {} : { title: forModels(title) }),
    description: forModels(description),
    mimeType: mediaType,
  };
}

async function read(uri: string, { session: { host }, resources, app }: Offer): Promise<ReadResourceResult> {
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

function contentOf(uri: string, found: string | Uint8Array, mimeType: string): ReadResourceResult["contents"][number] {
  return typeof found === "string"
    ? { uri, mimeType, text: forModels(found) }
    : { uri, mimeType, blob: Buffer.from(found).toString("base64") };
}

async function keptOutput(uri: string, handle: string, host: Host): Promise<ReadResourceResult["contents"][number]> {
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
        ProtocolErrorCode.InternalError,
        `\`${uri}\` is damaged: its file was truncated or changed; make the call again`,
        { uri },
      );
    throw error instanceof ProtocolError ? error : nothingAt(uri);
  }
}

function nothingAt(uri: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
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
