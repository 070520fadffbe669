// How a person logs in to a server with a browser.
import type { Host } from "./host.ts";

/** Asks a person to open an address in a browser, and receives what the browser brings back. */
export interface LoginPrompt {
  readonly redirectUrl: string;
  /** Returns what the browser brings back. Rejects if that never comes. */
  visit(address: SignInAddress): Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Opens a login prompt. `port` is the one used before; if it is taken, another one is used. */
export type OpenLoginPrompt = (server: string, port: number | undefined, host: Host) => Promise<LoginPrompt>;

export interface SignInAddress {
  /**
   * The host, with its port unless that is the usual one. Letters of other scripts than Latin are written as in DNS
   * (`xn--…`).
   */
  readonly host: string;
  readonly address: string;
}
