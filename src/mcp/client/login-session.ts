// A connection that may need a person to log in: it uses earlier grants, and has an address opened where these do not
// suffice.
import { SdkHttpError, type StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type { Host } from "../../tool/host.ts";
import { textsOf } from "./configured-texts.ts";
import { hasLogin, keptPort, Login, LoginNeeded, type OpenLoginPrompt, type LoginPrompt } from "./login.ts";
import type { WebServer } from "./server-settings.ts";
import { NotConnected } from "./server-trouble.ts";

export interface LoginSession {
  readonly login: Login;
  readonly secrets: string[];
  /** Uses what the browser brought back. Returns false if there is nothing. */
  finish(transport: unknown): Promise<boolean>;
  /** Repeats the work after each login that it needs. */
  again<T>(transport: unknown, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface LoginSurroundings {
  readonly host: Host;
  readonly openLoginPrompt?: OpenLoginPrompt | undefined;
}

export async function openLoggedIn<Connection>(
  { host, openLoginPrompt }: LoginSurroundings,
  server: WebServer,
  open: (session?: LoginSession) => Promise<Connection>,
): Promise<Connection> {
  const hasKey = [...server.headers.keys()].some((name) => name.toLowerCase() === "authorization");
  if (hasKey) return open();
  const sessionWith = async (prompt: LoginPrompt | undefined): Promise<LoginSession> => {
    const { secret, ...client } = server.login;
    const secrets: string[] = [];
    const texts = secret ? await textsOf(new Map([["client_secret", secret]]), { host, secrets }) : {};
    const { client_secret: told } = texts;
    return loginSession(
      new Login(
        { server: server.name, host, secrets, client: { ...client, ...(told === undefined ? {} : { secret: told }) } },
        prompt,
      ),
      secrets,
      prompt,
    );
  };
  try {
    return await open(hasLogin({ server: server.name, host }) ? await sessionWith(undefined) : undefined);
  } catch (error) {
    if (!openLoginPrompt || !wantsLogin(error)) throw error;
  }
  const prompt = await openLoginPrompt(server.name, keptPort({ server: server.name, host }), host);
  try {
    return await open(await sessionWith(prompt));
  } catch (error) {
    await prompt.close();
    throw error;
  }
}

function loginSession(login: Login, secrets: string[], prompt: LoginPrompt | undefined): LoginSession {
  const finish = async (transport: unknown): Promise<boolean> => {
    const brought = login.takeBrought();
    if (!brought) return false;
    await (transport as StreamableHTTPClientTransport).finishAuth(brought);
    return true;
  };
  return {
    login,
    secrets,
    finish,
    again: async (transport, work) => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!(await finish(transport))) throw error;
        }
      }
    },
    close: async () => prompt?.close(),
  };
}

function wantsLogin(error: unknown): boolean {
  const cause = error instanceof NotConnected ? error.cause : error;
  if (cause instanceof LoginNeeded || cause instanceof UnauthorizedError) return true;
  return cause instanceof SdkHttpError && (cause.data as { readonly status?: number } | undefined)?.status === 401;
}
