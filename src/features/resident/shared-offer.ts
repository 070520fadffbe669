// What sessions of MCP clients are offered. All sessions with the same folder, words and environment share it: the
// catalogue, the watch of the folders, and the offer made of them.
import type { CallerFacts } from "./host/caller-facts.ts";
import { createLookingHost } from "./host/call-host.ts";
import { OrdinaryWay } from "./host/launcher-link.ts";
import type { McpService } from "../mcp-server/service.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../core/tool/terminal.ts";
import type { CommandInput } from "../../cli/command.ts";
import { openServing } from "../mcp-server/commands/mcp.ts";
import type { GlobalOptions } from "../../cli/words/global-options.ts";

/** Whoever looks at a shared offer. */
export interface OfferMember {
  /** The offer can no longer be made here. */
  onLost(): void;
  onErrors(text: string): void;
}

interface OfferOptions {
  readonly facts: CallerFacts;
  readonly words: readonly string[];
  readonly options: GlobalOptions;
  readonly input: CommandInput;
}

export interface SharedOffer {
  readonly service: McpService;
  readonly host: Host;
  /** What was written about the folders when it was opened. */
  readonly errors: readonly string[];
  leave(member: OfferMember): void;
}

const offers = new Map<string, Promise<OpenOffer | undefined>>();

/** Returns undefined if the offer can only be made by the executable. */
export async function joinOffer(options: OfferOptions, member: OfferMember): Promise<SharedOffer | undefined> {
  const { facts, words, options: given } = options;
  const key = JSON.stringify([facts.workingFolder, given, words, [...facts.environment]]);
  const known = offers.get(key);
  const opening = known ?? openOffer(options, () => void (offers.get(key) === opening && offers.delete(key)));
  offers.set(key, opening);
  const offer = await opening;
  if (!offer) {
    offers.delete(key);
    return undefined;
  }
  offer.members.add(member);
  // Rules, programs and plugins may have changed since, and no folder with them.
  if (known) await offer.service.reload().catch(() => offer.lose());
  if (!offer.isLost) return offer;
  offer.leave(member);
  return undefined;
}

interface OpenOffer extends SharedOffer {
  readonly members: Set<OfferMember>;
  /** Nobody may join it any more. */
  readonly isLost: boolean;
  lose(): void;
}

async function openOffer({ facts, options, input }: OfferOptions, forget: () => void): Promise<OpenOffer | undefined> {
  const ended = new AbortController();
  const members = new Set<OfferMember>();
  const errors: string[] = [];
  let isOpening = true;
  const lose = (): void => {
    forget();
    ended.abort();
    for (const member of [...members]) member.onLost();
  };
  const host = createLookingHost(facts, (need) => {
    lose();
    throw new OrdinaryWay(need);
  });
  const tell = (text: string): void => {
    // Later sessions would not hear it.
    if (isOpening) errors.push(text);
    else forget();
    for (const member of members) member.onErrors(text);
  };
  const context = { terminal: offerTerminal(facts, { tell, signal: ended.signal }), options, host };
  try {
    const served = await openServing(input, { context, signal: ended.signal });
    if (typeof served === "number") return undefined;
    await served.service.offer();
    if (ended.signal.aborted) return undefined;
    isOpening = false;
    return {
      service: served.service,
      host,
      errors,
      members,
      get isLost() {
        return ended.signal.aborted;
      },
      lose,
      leave: (member) => {
        members.delete(member);
        if (members.size > 0) return;
        forget();
        ended.abort();
      },
    };
  } catch {
    // The executable says why.
    lose();
    return undefined;
  }
}

/** A terminal that nobody sits at, and whose errors are told to all sessions. */
function offerTerminal(
  facts: CallerFacts,
  { tell, signal }: { readonly tell: (text: string) => void; readonly signal: AbortSignal },
): Terminal {
  const port: TerminalPort = {
    isTerminal: false,
    hasColor: false,
    movesCursor: false,
    columns: 80,
    rows: 24,
    write: (content) => tell(typeof content === "string" ? content : new TextDecoder().decode(content)),
  };
  return {
    runtime: "",
    workingFolder: () => facts.workingFolder,
    output: port,
    errors: port,
    input: {
      isTerminal: false,
      readBytes: () => Promise.resolve(undefined),
      ask: () => Promise.resolve(undefined),
      listen: () => undefined,
    },
    signal,
    ending: undefined,
  };
}
