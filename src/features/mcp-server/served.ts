// The data that the handlers of all connections share, once the SDK is loaded.
import type { Host } from "../../core/tool/host.ts";
import { type BackgroundCalls, openBackgroundCalls } from "./background-calls.ts";
import { type CallStates, openCallStates } from "./call-state.ts";
import { type HeldCalls, openHeldCalls } from "./held-calls.ts";
import type { McpService } from "./service.ts";

export interface Served {
  readonly service: McpService;
  readonly states: CallStates;
  readonly held: HeldCalls;
  readonly background: BackgroundCalls;
  /** The calling client, if there are several: they share the places for running calls. */
  readonly client?: string | undefined;
}

/**
 * Shares a service among connections. `stateKey` signs what clients hold while a call waits. Copies that share it can
 * continue each other's calls.
 */
export function serve(service: McpService, host: Host, stateKey: string): Served {
  const states = openCallStates(host, stateKey);
  return { service, states, held: openHeldCalls(host, states), background: openBackgroundCalls(host) };
}
