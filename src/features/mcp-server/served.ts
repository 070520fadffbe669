// What all connections of one server share.
import type { JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { BackgroundCalls } from "./background-calls.ts";
import type { HeldCalls } from "./held-calls.ts";
import type { OpenRequest } from "./open-request.ts";
import type { McpService } from "./service.ts";

export interface Served {
  readonly service: McpService;
  readonly host: Host;
  /** Aborts when the server ends. */
  readonly ending: AbortSignal;
  /** Loads what only calls need. */
  calls(): Promise<SharedCalls>;
  /** Ends the calls that wait or go on behind their requests. */
  end(): Promise<void>;
}

/** Answers the requests of one method. What it throws is the answer too. */
export type Method = (request: OpenRequest, served: Served) => JsonObject | Promise<JsonObject>;

export interface SharedCalls {
  readonly held: HeldCalls;
  readonly background: BackgroundCalls;
}

/**
 * Shares a service among connections. `stateKey` signs what clients hold while a call waits. Copies that share it can
 * continue each other's calls.
 */
export function serve(service: McpService, host: Host, stateKey?: string): Served {
  const ending = new AbortController();
  let calls: Promise<SharedCalls> | undefined;
  const load = async (): Promise<SharedCalls> => {
    const [{ openCallStates }, { openHeldCalls }, { openBackgroundCalls }] = await Promise.all([
      import("./call-state.ts"),
      import("./held-calls.ts"),
      import("./background-calls.ts"),
    ]);
    const states = openCallStates(host, stateKey ?? host.randomId());
    return { held: openHeldCalls(host, states), background: openBackgroundCalls(host) };
  };
  return {
    service,
    host,
    ending: ending.signal,
    calls: () => (calls ??= load()),
    end: async () => {
      ending.abort();
      const loaded = await calls;
      loaded?.held.abandonAll();
      await loaded?.background.endAll();
    },
  };
}
