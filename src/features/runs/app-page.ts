// The page of runs for clients of MCP that show it: it reads and cancels the runs of the folder of the server.
import { Buffer } from "node:buffer";
import { runsPage } from "../../generated/runs-page.ts";
import type { AppPage } from "./mcp-app-page.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { answerRuns, type SeenRuns } from "./page-answers.ts";

export function appPage(seen: Required<SeenRuns>): AppPage {
  return {
    html: runsPage,
    answer: async (method, path) => {
      const answer = await answerRuns(new Request(`http://page.invalid${path}`, { method }), seen);
      const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
      const body = isJson
        ? ((await answer.json()) as JsonObject)
        : { base64: Buffer.from(await answer.arrayBuffer()).toString("base64") };
      return { status: answer.status, body };
    },
  };
}
