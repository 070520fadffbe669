// A connection that may need a person to log in: it uses earlier grants, and has an address opened where these do not
// suffice.
import { SdkHttpError, type StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type { Host } from "../../core/tool/host.ts";
import { textsOf } from "./configured-texts.ts";
import type { LoginPrompt, OpenLoginPrompt } from "../../core/tool/login-prompt.ts";
import { hasLogin, keptPort, Login, LoginNeeded } from "./login.ts";
import type { WebServer } from "./server-settings.ts";
import { NotConnected } from "./server-trouble.ts";

export interface LoginSession {
  readonly login: Login;
  readonly secrets: string[];
  /** Uses what the browser brought back. Returns false if there is nothing. */
  finish(transport: unknown): Promise<boolean>;
  /** Opens the login prompt. Returns false if there is no person, or if it is open. */
  askPerson(): Promise<boolean>;
  /** Repeats the work after each login that it needs. A person is asked first where earlier grants do not suffice. */
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
  const openPrompt =
    openLoginPrompt && (() => openLoginPrompt(server.name, keptPort({ server: server.name, host }), host));
  const openedSession = async (): Promise<LoginSession> => {
    const { secret, ...client } = server.login;
    const secrets: string[] = [];
    const texts = secret ? await textsOf(new Map([["client_secret", secret]]), { host, secrets }) : {};
    const { client_secret: told } = texts;
    const login = new Login({
      server: server.name,
      host,
      secrets,
      client: { ...client, ...(told === undefined ? {} : { secret: told }) },
    });
    return loginSession(login, secrets, openPrompt);
  };
  const earlier = hasLogin({ server: server.name, host }) ? await openedSession() : undefined;
  try {
    return await open(earlier);
  } catch (error) {
    if (!openPrompt || !wantsLogin(error)) throw error;
  }
  const session = await openedSession();
  await session.askPerson();
  try {
    return await open(session);
  } catch (error) {
    await session.close();
    throw error;
  }
}

function loginSession(
  login: Login,
  secrets: string[],
  openPrompt: (() => Promise<LoginPrompt>) | undefined,
): LoginSession {
  // Set before it is open: two calls at once ask one time.
  let prompt: Promise<LoginPrompt> | undefined;
  const finish = async (transport: unknown): Promise<boolean> => {
    const brought = login.takeBrought();
    if (!brought) return false;
    await (transport as StreamableHTTPClientTransport).finishAuth(brought);
    return true;
  };
  const askPerson = async (): Promise<boolean> => {
    if (prompt || !openPrompt) return false;
    prompt = openPrompt();
    login.attach(await prompt);
    return true;
  };
  return {
    login,
    secrets,
    finish,
    askPerson,
    again: async (transport, work) => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (await finish(transport)) continue;
          if (!(error instanceof LoginNeeded) || !(await askPerson())) throw error;
        }
      }
    },
    close: async () => (await prompt?.catch(() => undefined))?.close(),
  };
}

function wantsLogin(error: unknown): boolean {
  const cause = error instanceof NotConnected ? error.cause : error;
  if (cause instanceof LoginNeeded || cause instanceof UnauthorizedError) return true;
  return cause instanceof SdkHttpError && (cause.data as { readonly status?: number } | undefined)?.status === 401;
}
