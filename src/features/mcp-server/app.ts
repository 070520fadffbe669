// The page of runs as an MCP App, for clients that show them: https://github.com/modelcontextprotocol/ext-apps,
// revision 2026-01-26. One tool opens it; by another one, which is not for models, it asks what it shows.
import type { Offer } from "./offered.ts";
import { toMcpTool } from "../dialects/mcp.ts";
import { string } from "../../core/schema/declare.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { type PageAnswer, toolForm } from "../runs/tool-form.ts";
import { firstSentence } from "../../core/text/first-sentence.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { APP_URI, RUNS_PAGE, SHOW_RUNS } from "./app-names.ts";
import type { CallToolResult } from "./protocol.ts";
import type { AppPage } from "../runs/mcp-app-page.ts";

const MEDIA_TYPE = "text/html;profile=mcp-app";
const PATH_CHARACTERS_MAX = 2_000;
const RUNS_NAMED_MAX = 20;

const notCalled = (): Promise<never> => Promise.reject(new Error("tools of the page are answered without the gate"));

/** Only shown: calls are answered here. What they show is stored, and a cancel is what a person presses. */
export const appTools: readonly JsonObject[] = [
  withPage(
    baseTool({
      name: SHOW_RUNS,
      title: "Show runs",
      description:
        "Show the person a page with the runs of this folder: their steps, their output and how they ended, and forms for the tools.",
      parameters: {},
      effects: ["read"],
      execute: notCalled,
    }),
    ["model", "app"],
  ),
  withPage(
    baseTool({
      name: RUNS_PAGE,
      title: "Page of runs",
      description: "Answers the page of runs.",
      parameters: {
        method: string("GET or POST", { required: true }),
        path: string("What the page asks for", { required: true }),
      },
      effects: ["read"],
      execute: notCalled,
    }),
    ["app"],
  ),
];

function withPage(tool: Tool, visibility: readonly string[]): JsonObject {
  return { ...toMcpTool(tool), _meta: { ui: { resourceUri: APP_URI, visibility } } };
}

export function appResource(uri: string, { html }: AppPage): JsonObject {
  return { contents: [{ uri, mimeType: MEDIA_TYPE, text: html, _meta: { ui: { prefersBorder: true } } }] };
}

/** Answers a call of one of its tools. */
export async function callAppTool(
  name: string,
  args: Json,
  { offer, page }: { readonly offer: Offer; readonly page: AppPage },
): Promise<CallToolResult> {
  if (name === SHOW_RUNS) return { content: [{ type: "text", text: await runsText(page) }] };
  const { method, path } = isJsonObject(args) ? args : {};
  const isKnown = (method === "GET" || method === "POST") && typeof path === "string" && path.startsWith("/");
  if (!isKnown || path.length > PATH_CHARACTERS_MAX)
    return { content: [{ type: "text", text: "`runs_page` is for the page that `show_runs` opens" }], isError: true };
  const answer = (await toolAnswer(method, path, offer)) ?? (await page.answer(method, path));
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: { ...answer } };
}

async function runsText(page: AppPage): Promise<string> {
  const { body } = await page.answer("GET", "/runs");
  const runs = (Array.isArray(body["runs"]) ? body["runs"] : []).filter((run) => isJsonObject(run));
  if (runs.length === 0) return "There are no runs in this folder. The person sees the page.";
  const lines = runs.slice(0, RUNS_NAMED_MAX).map((run) => forModels(`${run["id"]}  ${run["state"]}  ${run["tool"]}`));
  return `The person sees the page of runs. The latest:\n${lines.join("\n")}`;
}

/** The tools are those of the server, which the client calls by their names. */
async function toolAnswer(method: string, path: string, offer: Offer): Promise<PageAnswer | undefined> {
  const [, root, named] = path.split("/");
  if (root !== "tools" || method !== "GET") return undefined;
  const names = offer.instead.size > 0 ? [] : offer.names;
  if (named === undefined) {
    const tools = (await offer.shown(names)).map(({ tool: { definition }, shown }) => ({
      name: String(shown["name"]),
      title: definition.title,
      summary: firstSentence(definition.description),
      origin: "",
      unavailable: [],
    }));
    return { status: 200, body: { tools } };
  }
  const name = decodeURIComponent(named);
  const [found] = names.includes(name) ? await offer.shown([name]) : [];
  if (!found) return { status: 404, body: { message: `there is no tool \`${name}\`` } };
  return toolForm(name, found.tool, { folder: offer.session.cwd, paths: [] });
}
