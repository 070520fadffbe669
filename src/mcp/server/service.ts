// What every connection of one server shares: the offer of this moment, and the work that is under way.
import type { Session } from "../../run/session.ts";
import { makeOffer, type Offer } from "./offer.ts";

export interface McpService {
  /** Of this moment. */
  offer(): Promise<Offer>;
  /** Remembers work until it is done, so that the program can wait for it. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Settles when nothing is under way any more. */
  idle(): Promise<void>;
}

export interface McpServiceOptions {
  readonly session: Session;
}

export function openService({ session }: McpServiceOptions): McpService {
  const working = new Set<Promise<unknown>>();
  let offer: Promise<Offer> | undefined;
  return {
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
