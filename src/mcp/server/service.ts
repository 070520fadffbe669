// What every connection of one server shares: the offer of this moment, the calls that wait, and the work that is under way.
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
  /** The folders have changed: what is offered from now on is what they hold. Tells `onListChange` where that is something else. */
  reload(): Promise<void>;
  /** Gives the way to stop being told. */
  onListChange(listener: () => void): () => void;
}

export interface McpServiceOptions {
  readonly session: Session;
  /** Opens the folders anew. */
  open(): Promise<Session>;
  /** Signs what clients hold while a call waits. Copies that share it can go on with each other's calls; default: of this process alone. */
  readonly stateKey?: string | undefined;
}

export function openService({ session, open, stateKey = session.host.randomId() }: McpServiceOptions): McpService {
  const states = openCallStates(session.host, stateKey);
  const working = new Set<Promise<unknown>>();
  const listeners = new Set<() => void>();
  let offer: Promise<Offer> | undefined;
  let reloading = Promise.resolve();
  const current = (): Promise<Offer> => (offer ??= makeOffer(session));
  const replace = async (): Promise<void> => {
    const before = await current();
    const next = await makeOffer(await open());
    offer = Promise.resolve(next);
    if (JSON.stringify(before.tools) !== JSON.stringify(next.tools)) for (const listener of [...listeners]) listener();
  };
  return {
    offer: current,
    states,
    held: openHeldCalls(session.host, states),
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
    reload: () => (reloading = reloading.then(replace)),
    onListChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
