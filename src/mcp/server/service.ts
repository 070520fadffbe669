// What every connection of one server shares: the offer of this moment and the work that is under way.
import type { Mode } from "./modes.ts";
import { makeOffer, type McpSource, type Offer, type OfferedTool } from "./offer.ts";

export type Change = { readonly kind: "tools" | "prompts" | "resources" } | { readonly kind: "resource"; readonly uri: string };

export interface McpService {
  /** Of this moment. */
  offer(): Promise<Offer>;
  /** Remembers work until it is done, so that the program can wait for it. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Settles when nothing is under way any more. */
  idle(): Promise<void>;
  /** The folders have changed: what is offered from now on is what they hold. Tells of what is something else. */
  reload(): Promise<void>;
  tell(change: Change): void;
  /** Gives the way to stop being told. */
  onChange(listener: (change: Change) => void): () => void;
}

export interface McpServiceOptions {
  readonly source: McpSource;
  /** Default: full. */
  readonly mode?: Mode | undefined;
  /** Opens the folders anew. */
  open(): Promise<McpSource>;
}

export function openService({ source, open, mode = "full" }: McpServiceOptions): McpService {
  const working = new Set<Promise<unknown>>();
  const listeners = new Set<(change: Change) => void>();
  let offer: Promise<Offer> | undefined;
  let reloading = Promise.resolve();
  const current = (): Promise<Offer> => (offer ??= makeOffer(source, mode));
  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const replace = async (): Promise<void> => {
    const before = await current();
    const was = await partsOf(before, await before.told());
    const next = await makeOffer(await open(), mode);
    offer = Promise.resolve(next);
    const is = await partsOf(next, await next.shown(next.names));
    for (const kind of ["tools", "prompts", "resources"] as const) if (was[kind] !== is[kind]) tell({ kind });
  };
  return {
    offer: current,
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
    // One that failed says so to whoever asked for it, and stands in the way of none.
    reload: () => (reloading = reloading.catch(() => undefined).then(replace)),
    tell,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** All that clients can see of it, for comparing. */
async function partsOf(offer: Offer, tools: readonly OfferedTool[]): Promise<Readonly<Record<"tools" | "prompts" | "resources", string>>> {
  return { tools: JSON.stringify(tools.map(({ shown }) => shown)), prompts: JSON.stringify(await offer.prompts()), resources: JSON.stringify(offer.resources) };
}
