// What every connection of one server shares: the offer of this moment, and the work that is under way.
import type { Session } from "../../run/session.ts";
import { type CallStates, openCallStates } from "./call-state.ts";
import { type HeldCalls, openHeldCalls } from "./held-calls.ts";
import { makeOffer, type Offer } from "./offer.ts";

export interface McpService {
  /** Of this moment. */
  offer(): Promise<Offer>;
  readonly states: CallStates;
  readonly held: HeldCalls;
  /** Remembers work until it is done, so that the program can wait for it. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Settles when nothing is under way any more. */
  idle(): Promise<void>;
}

export interface McpServiceOptions {
  readonly session: Session;
  /** Signs what clients hold while a call waits. Copies that share it can go on with each other's calls; default: of this process alone. */
  readonly stateKey?: string | undefined;
}

export function openService({ session, stateKey = session.host.randomId() }: McpServiceOptions): McpService {
  const states = openCallStates(session.host, stateKey);
  const working = new Set<Promise<unknown>>();
  let offer: Promise<Offer> | undefined;
  return {
    states,
    held: openHeldCalls(session.host, states),
    offer: () => (offer ??= makeOffer(session)),
    track: async (work) => {
      working.add(work);
      try {
        return await work;
      } finally {
        working.delete(work);
      }
    },
    idle: async () => {
      while (working.size > 0) await Promise.allSettled(working);
    },
  };
}
