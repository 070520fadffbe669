// What calls that came in one piece of input share: rules and folders are looked up once for all of them, after they
// came. None of them waits for another, so none can have changed what decides about the next. Calls that these make are
// judged by what there is then.
import type { Moment } from "../../core/run/ask-for-call.ts";
import type { Offer } from "./offered.ts";
import { GuardedPlaces } from "../../core/policy/guarded-places.ts";
import { placeOptions } from "../../core/run/permit.ts";
import { backgroundAfterMs, taskOnlyNames } from "./background-after.ts";

export interface CallMoment extends Moment {
  readonly offer: Offer;
  backgroundAfterMs(): Promise<number | undefined>;
  taskOnlyNames(): Promise<ReadonlySet<string>>;
}

export function openMoment(offer: Offer): CallMoment {
  const { session } = offer;
  return {
    offer,
    current: once(() => session.guard?.current() ?? Promise.resolve(undefined)),
    places: once(() => new GuardedPlaces(placeOptions(session))),
    backgroundAfterMs: once(() => backgroundAfterMs(session)),
    taskOnlyNames: once(() => taskOnlyNames(session)),
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
