// `prompts/list`, `prompts/get` and `completion/complete`.
import {
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { didYouMean } from "../../core/text/suggest.ts";
import { isModern } from "./client-of.ts";
import { askableClient } from "./call-session.ts";
import type { OfferedPrompt } from "./offered-prompts.ts";
import { knownPage } from "./known-cursor.ts";
import type { Served } from "./served.ts";
import type { McpService } from "./service.ts";

const COMPLETIONS_MAX = 100;

export function addPromptMethods(server: Server, { service, held }: Served): void {
  server.setRequestHandler("prompts/list", async ({ params }) => {
    const { items, nextCursor } = knownPage(await promptsOf(service), params?.cursor);
    return { prompts: items.map(({ shown }) => shown), ...(nextCursor === undefined ? {} : { nextCursor }) };
  });
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    service.track(getPrompt(params, { server, service, held, context })),
  );
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const { ref, argument } = params;
    if (ref.type !== "ref/prompt") return { completion: { values: [], total: 0, hasMore: false } };
    const prompt = (await promptsOf(service)).find(({ shown }) => shown.name === ref.name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt \`${ref.name}\``);
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
  });
}

async function promptsOf(service: McpService): Promise<readonly OfferedPrompt[]> {
  return (await service.offer()).prompts();
}

interface Getting extends Omit<Served, "states" | "background"> {
  readonly server: Server;
  readonly context: ServerContext;
}

async function getPrompt(
  { name, arguments: args = {} }: { readonly name: string; readonly arguments?: Record<string, string> | undefined },
  { server, service, held, context }: Getting,
): Promise<GetPromptResult | InputRequiredResult> {
  const prompts = await promptsOf(service);
  const prompt = prompts.find(({ shown }) => shown.name === name);
  if (!prompt)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `there is no prompt \`${name}\`${didYouMean(
        name,
        prompts.map(({ shown }) => shown.name),
      )}`,
    );
  return held.run({ context, about: ["prompts/get", name, args], staysOpen: !isModern(server) }, async (begun) => {
    const client = askableClient({ begun, server, context });
    return {
      ...(prompt.shown.description === undefined ? {} : { description: prompt.shown.description }),
      messages: await prompt.get(args, { signal: begun.held.signal, client }),
    };
  });
}
