// `prompts/list`, `prompts/get` and `completion/complete`.
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import { askableClient } from "./call-session.ts";
import type { OfferedPrompt } from "./offered-prompts.ts";
import type { OpenRequest } from "./open-request.ts";
import { knownPage } from "./pages.ts";
import { invalidParams } from "./protocol.ts";
import type { Served } from "./served.ts";

const COMPLETIONS_MAX = 100;

export async function listPrompts({ params }: OpenRequest, served: Served): Promise<JsonObject> {
  const { items, nextCursor } = knownPage(await promptsOf(served), params["cursor"]);
  return { prompts: items.map(({ shown }) => shown), ...(nextCursor === undefined ? {} : { nextCursor }) };
}

export async function complete({ params }: OpenRequest, served: Served): Promise<JsonObject> {
  const { ref, argument } = params as { readonly ref: JsonObject; readonly argument: Record<"name" | "value", string> };
  if (ref["type"] !== "ref/prompt") return { completion: { values: [], total: 0, hasMore: false } };
  const prompt = (await promptsOf(served)).find(({ shown }) => shown.name === ref["name"]);
  if (!prompt) throw invalidParams(`there is no prompt \`${String(ref["name"]).slice(0, 100)}\``);
  const values = prompt
    .suggest(argument.name)
    .filter((value) => value.toLowerCase().startsWith(argument.value.toLowerCase()));
  return {
    completion: {
      values: values.slice(0, COMPLETIONS_MAX),
      total: values.length,
      hasMore: values.length > COMPLETIONS_MAX,
    },
  };
}

async function promptsOf({ service }: Served): Promise<readonly OfferedPrompt[]> {
  return (await service.offer()).prompts();
}

export function getPrompt(request: OpenRequest, served: Served): Promise<JsonObject> {
  return served.service.track(filledPrompt(request, served));
}

async function filledPrompt(request: OpenRequest, served: Served): Promise<JsonObject> {
  const { name, arguments: given } = request.params;
  const args = (isJsonObject(given) ? given : {}) as Readonly<Record<string, string>>;
  const prompts = await promptsOf(served);
  const prompt = prompts.find(({ shown }) => shown.name === name);
  if (!prompt) {
    const similar = didYouMean(
      String(name),
      prompts.map(({ shown }) => shown.name),
    );
    throw invalidParams(`there is no prompt \`${String(name)}\`${similar}`);
  }
  const { held } = await served.calls();
  return held.run({ request, about: ["prompts/get", name, args] }, async (begun): Promise<JsonObject> => {
    const client = askableClient({ begun, request });
    return {
      ...(prompt.shown.description === undefined ? {} : { description: prompt.shown.description }),
      messages: await prompt.get(args, { signal: begun.held.signal, client }),
    };
  });
}
