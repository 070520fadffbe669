// What all connections of one server share: the current offer and the work in progress.
import type { McpSource, Offer } from "./offered.ts";
import type { Mode } from "./modes.ts";
import type { AuditLog } from "../../core/policy/audit-log.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { type CallMoment, openMoment } from "./moment.ts";
import { makeOffer } from "./offer.ts";

export type Change =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

export function changeNotification(change: Change): { readonly method: string; readonly params: JsonObject } {
  return change.kind === "resource"
    ? { method: "notifications/resources/updated", params: { uri: change.uri } }
    : { method: `notifications/${change.kind}/list_changed`, params: {} };
}

export interface McpService {
  offer(): Promise<Offer>;
  /** Returns what the calls share that came since the last `beginMoment`; without any, in this turn of the event loop. */
  moment(offer: Offer): CallMoment;
  /** Called before input is read: what was looked up before that does not count for the calls in it. */
  beginMoment(): void;
  /** Set where answers are written at the end of turns: the lines of this log are written before them. */
  holdLog?: (log: AuditLog) => void;
  readonly changes: ToolChanges;
  /** Whether a result was cut, so that there is something to read on in. */
  hasCut(): boolean;
  noteCut(): void;
  /** Keeps work until it is done, so that the program can wait for it. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Settles when no work is in progress. */
  idle(): Promise<void>;
  /** Makes a new offer after a change of the folders, and reports what is different. */
  reload(): Promise<void>;
  tell(change: Change): void;
  /** Adds a listener. Returns a function that removes it. */
  onChange(listener: (change: Change) => void): () => void;
}

interface McpServiceOptions {
  readonly source: McpSource;
  /** The default is `full`. */
  readonly mode?: Mode | undefined;
  /** Opens the folders again. */
  open(): Promise<McpSource>;
  /** Calls its argument when all that is ready now has been handled. */
  readonly afterTurn?: ((work: () => void) => void) | undefined;
}

export function openService({
  source,
  open,
  mode = "full",
  afterTurn = queueMicrotask,
}: McpServiceOptions): McpService {
  const working = new Set<Promise<unknown>>();
  const listeners = new Set<(change: Change) => void>();
  // The first source serves the first offer only, since each offer is made for what the folders hold then.
  let first: McpSource | undefined = source;
  let offer: Promise<Offer> | undefined;
  let comesInPieces = false;
  let hasCut = false;
  let moment: CallMoment | undefined;
  let reloading = Promise.resolve();
  const current = (): Promise<Offer> => {
    if (first) offer = makeOffer(first, mode);
    first = undefined;
    return offer ?? Promise.reject(new Error("a service has a source"));
  };
  const tell = (change: Change): void => {
    for (const listener of [...listeners]) listener(change);
  };
  const replace = async (): Promise<void> => {
    const before = await current();
    const told = await before.told();
    const was = await othersOf(before);
    const next = await makeOffer(await open(), mode);
    offer = Promise.resolve(next);
    if (await areOthers({ before, told, next })) tell({ kind: "tools" });
    const is = await othersOf(next);
    for (const kind of ["prompts", "resources"] as const) if (was[kind] !== is[kind]) tell({ kind });
  };
  return {
    offer: current,
    moment: (of) => {
      if (moment?.offer === of) return moment;
      // Requests over HTTP come one by one: a turn has those that came at the same time.
      if (!comesInPieces) afterTurn(() => (moment = undefined));
      return (moment = openMoment(of));
    },
    beginMoment: () => {
      comesInPieces = true;
      moment = undefined;
    },
    changes: new ToolChanges(),
    hasCut: () => hasCut,
    noteCut: () => {
      if (!hasCut) {
        hasCut = true;
        tell({ kind: "tools" });
      }
    },
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
    // A failed reload rejects for its caller, and does not block the next.
    reload: () => (reloading = reloading.catch(() => undefined).then(replace)),
    tell,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Offers {
  readonly before: Offer;
  /** The names in `before` that were not hidden. */
  readonly told: ReadonlySet<string>;
  readonly next: Offer;
}

/** Whether clients see other tools. Only tools whose content has changed are built. */
async function areOthers({ before, told, next }: Offers): Promise<boolean> {
  const seen = await next.told();
  return [...new Set([...told, ...seen])].some((name) => {
    if (told.has(name) && seen.has(name)) {
      const key = next.contentKeyOf(name);
      if (key !== undefined && key === before.contentKeyOf(name)) return false;
    }
    const [was, is] = [
      told.has(name) ? before.listed(name) : undefined,
      seen.has(name) ? next.listed(name) : undefined,
    ];
    return JSON.stringify(was) !== JSON.stringify(is);
  });
}

/** Returns what else clients can see of an offer, for comparison. */
async function othersOf(offer: Offer): Promise<Readonly<Record<"prompts" | "resources", string>>> {
  return { prompts: JSON.stringify(await offer.prompts()), resources: JSON.stringify(offer.resources) };
}

// A call that changes which tools there are, such as a forging: requests that come after it wait until it is answered,
// since they may be about the new tool.

class ToolChanges {
  #last: Promise<unknown> | undefined;

  /** Does the work at once unless such a call is open. */
  inTurn<T>(isChange: boolean, work: () => Promise<T>): Promise<T> {
    const done = this.#last ? this.#last.then(work) : work();
    if (isChange) {
      const open: Promise<unknown> = Promise.allSettled([done]).finally(() => {
        if (this.#last === open) this.#last = undefined;
      });
      this.#last = open;
    }
    return done;
  }
}
