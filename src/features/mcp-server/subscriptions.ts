// `subscriptions/listen` of 2026-07-28: a request that stays open, and tells of the changes that its client wants.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { OpenRequest } from "./open-request.ts";
import { errorCodes, invalidParams, metaKeys, ProtocolError } from "./protocol.ts";
import type { Served } from "./served.ts";
import { type Change, changeNotification } from "./service.ts";

/** The limit of open subscriptions, and of addresses in one. */
const SUBSCRIPTIONS_MAX = 1_000;
const kinds = { toolsListChanged: "tools", promptsListChanged: "prompts", resourcesListChanged: "resources" } as const;

let open = 0;

/** Settles when the server ends, or the client no longer wants to hear. */
export async function listen(request: OpenRequest, { service, ending }: Served): Promise<JsonObject> {
  const { id, params, signal, notify } = request;
  const wanted = wantedIn(params["notifications"]);
  if (open >= SUBSCRIPTIONS_MAX)
    throw new ProtocolError(errorCodes.internal, `${SUBSCRIPTIONS_MAX} subscriptions are open; try again later`);
  const _meta = { [metaKeys.subscription]: id };
  await notify("notifications/subscriptions/acknowledged", { notifications: wanted, _meta });
  if (Object.keys(wanted).length === 0) return { _meta };
  open++;
  const stop = service.onChange((change) => {
    if (!isWanted(change, wanted)) return;
    const { method, params: about } = changeNotification(change);
    // A client that has gone needs no notification.
    notify(method, { ...about, _meta }).catch(() => undefined);
  });
  const over = Promise.withResolvers<void>();
  const end = (): void => over.resolve();
  for (const one of [signal, ending]) {
    one.addEventListener("abort", end);
    if (one.aborted) end();
  }
  await over.promise;
  for (const one of [signal, ending]) one.removeEventListener("abort", end);
  stop();
  open--;
  return { _meta };
}

/** Returns what was asked for and there is. */
function wantedIn(notifications: unknown): JsonObject {
  const problem = '`notifications` must be an object with what to tell of, such as {"toolsListChanged": true}';
  if (!isJsonObject(notifications)) throw invalidParams(problem);
  const { resourceSubscriptions: uris = [] } = notifications;
  const lists = Object.keys(kinds).filter((key) => notifications[key] !== undefined);
  if (!Array.isArray(uris) || uris.length > SUBSCRIPTIONS_MAX || !uris.every((uri) => typeof uri === "string"))
    throw invalidParams(`\`resourceSubscriptions\` must be a list of at most ${SUBSCRIPTIONS_MAX} addresses`);
  if (lists.some((key) => typeof notifications[key] !== "boolean")) throw invalidParams(problem);
  return {
    ...Object.fromEntries(lists.filter((key) => notifications[key]).map((key) => [key, true])),
    ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
  };
}

function isWanted(change: Change, wanted: JsonObject): boolean {
  const { resourceSubscriptions: uris } = wanted;
  if (change.kind === "resource") return Array.isArray(uris) && uris.includes(change.uri);
  return Object.entries(kinds).some(([key, kind]) => kind === change.kind && wanted[key] === true);
}
