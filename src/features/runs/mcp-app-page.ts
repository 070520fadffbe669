// The page of an MCP App, as those who have it give it to the server.
import type { PageAnswer } from "./tool-form.ts";

/** What the page is, and what it shows of runs. */
export interface AppPage {
  readonly html: string;
  /** Answers a request of the page for what is about runs. The body of an answer with bytes is `{base64}`. */
  answer(method: string, path: string): Promise<PageAnswer>;
}
