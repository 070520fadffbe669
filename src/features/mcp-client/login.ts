// Logging in to a server over HTTP: the SDK's OAuth, with its data in a file of the user's own, and with a person who
// opens an address. Without a person, earlier grants are only used and renewed.
import { join } from "node:path";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { readCheckedJson, requireNotNewer, putAside, withChecksum } from "../../core/store/checked-file.ts";
import type { LoginPrompt, SignInAddress } from "../../core/tool/login-prompt.ts";
import type { Host } from "../../core/tool/host.ts";

/** The client that the user has registered with the server. If absent, dottool registers itself. */
interface LoginClient {
  readonly id?: string;
  readonly secret?: string;
  /** The address of a document that describes this client, for servers that accept it as the client's id. */
  readonly metadataUrl?: string;
  readonly scope?: string;
}

interface Kept {
  readonly port?: number;
  /** The registered clients, by the address of their issuer. */
  readonly clients: Readonly<Record<string, StoredOAuthClientInformation>>;
  readonly tokens: Readonly<Record<string, StoredOAuthTokens>>;
  /** The issuer of the last login. */
  readonly last?: string;
}

const FORMAT = { name: "login", version: 1 };
const FILE_BYTES_MAX = 1024 * 1024;
/** The limit of logins of one connection. A server that keeps asking is refused. */
const VISITS_MAX = 3;
const NOBODY = "";

interface LoginOptions {
  readonly server: string;
  readonly host: Host;
  readonly client: LoginClient;
  /** Collects values that may not be shown. */
  readonly secrets: string[];
}

export class Login implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly #options: LoginOptions;
  #prompt: LoginPrompt | undefined;
  #verifier = "";
  #state = "";
  #visits = 0;
  #discovered: OAuthDiscoveryState | undefined;
  #brought: URLSearchParams | undefined;

  constructor(options: LoginOptions) {
    this.#options = options;
    if (options.client.metadataUrl !== undefined) this.clientMetadataUrl = options.client.metadataUrl;
  }

  /** Sets the person who can log in. Without one, only earlier grants are used. */
  attach(prompt: LoginPrompt): void {
    this.#prompt = prompt;
  }

  get redirectUrl(): string {
    return this.#prompt?.redirectUrl ?? "http://127.0.0.1/callback";
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.#options.client;
    return {
      client_name: "dottool",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(scope === undefined ? {} : { scope }),
    };
  }

  /** Returns what the browser brought, the first time only. */
  takeBrought(): URLSearchParams | undefined {
    const brought = this.#brought;
    this.#brought = undefined;
    return brought;
  }

  state(): string {
    return (this.#state = this.#options.host.randomId());
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { id, secret } = this.#options.client;
    if (id !== undefined) return { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
    const known = readKept(this.#options).clients[context?.issuer ?? NOBODY];
    // The SDK would register an address of return at which nothing listens.
    if (!known && !this.#prompt) throw new LoginNeeded();
    return known;
  }

  saveClientInformation(information: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    this.#keep((kept) => ({
      ...kept,
      port: Number(new URL(this.redirectUrl).port),
      clients: { ...kept.clients, [context?.issuer ?? NOBODY]: information },
    }));
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const kept = readKept(this.#options);
    const tokens = kept.tokens[context?.issuer ?? kept.last ?? NOBODY];
    if (tokens)
      this.#options.secrets.push(
        ...[tokens.access_token, tokens.refresh_token ?? ""].filter((text) => typeof text === "string" && text !== ""),
      );
    return tokens;
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    const issuer = context?.issuer ?? NOBODY;
    this.#keep((kept) => ({ ...kept, tokens: { ...kept.tokens, [issuer]: tokens }, last: issuer }));
    // A later refusal may mean that the server has moved to another issuer, so it is asked anew.
    this.#discovered = undefined;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    if (!this.#prompt || ++this.#visits > VISITS_MAX) throw new LoginNeeded();
    const brought = await this.#prompt.visit(signInAddress(url));
    // Any process on this machine can connect, but only the server knows the state.
    if (url.searchParams.has("state") && brought.get("state") !== this.#state)
      throw new Error("the browser returned an answer to another login");
    this.#brought = brought;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  /** Saves the login server that the person was sent to, for the second half of the login. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  invalidateCredentials(which: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (which === "verifier") this.#verifier = "";
    if (which === "all" || which === "discovery") this.#discovered = undefined;
    this.#keep((kept) => ({
      ...kept,
      ...(which === "all" || which === "client" ? { clients: {} } : {}),
      ...(which === "all" || which === "tokens" ? { tokens: {} } : {}),
    }));
  }

  #keep(change: (kept: Kept) => Kept): void {
    const { host, server } = this.#options;
    const path = loginFile(server, host);
    const read = requireNotNewer(path, { host, format: FORMAT, bytesMax: FILE_BYTES_MAX });
    if (read.kind === "damaged") putAside(path, host);
    const text = `${JSON.stringify(change(readKept(this.#options)))}\n`;
    host.instant.replace(path, withChecksum(FORMAT, text), { isSynced: true });
  }
}

/** A person has to log in first. */
export class LoginNeeded extends Error {
  constructor() {
    super("a person has to log in");
  }
}

/** Whether a person has logged in to the server before. */
export function hasLogin(options: Pick<LoginOptions, "server" | "host">): boolean {
  return Object.keys(readKept(options).tokens).length > 0;
}

/** Returns the port of the last login's address. */
export function keptPort(options: Pick<LoginOptions, "server" | "host">): number | undefined {
  return readKept(options).port;
}

function loginFile(server: string, host: Host): string {
  return join(host.folders.state, "mcp", `${server}.login.json`);
}

function readKept({ server, host }: Pick<LoginOptions, "server" | "host">): Kept {
  const path = loginFile(server, host);
  try {
    if (host.instant.stat(path)?.isOwn !== true) return { clients: {}, tokens: {} };
    const kept = readCheckedJson(path, { host, format: FORMAT, bytesMax: FILE_BYTES_MAX }) as
      | Partial<Kept>
      | null
      | undefined;
    return isJsonObject((kept?.clients ?? null) as Json) && isJsonObject((kept?.tokens ?? null) as Json)
      ? (kept as Kept)
      : { clients: {}, tokens: {} };
  } catch {
    return { clients: {}, tokens: {} };
  }
}

// The address at which a server wants a person to log in. The server chooses it, so it is offered only if it shows
// where it leads: https, or plain http on this machine, without text before the host that could be mistaken for it.

const CHARACTERS_MAX = 8_192;
/** Matches addresses of this machine, in the form that browsers give them. */
const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|(?:.+\.)?localhost)$/;

/** Checks an address. Throws an error that says what is accepted. */
export function signInAddress(url: URL): SignInAddress {
  const problem = problemOf(url);
  if (problem !== undefined)
    throw new Error(
      `its login address ${problem}, so it is not opened; one begins with https:// and a host, or with http:// and a host of this machine`,
    );
  return { host: url.host, address: url.href };
}

function problemOf({ protocol, hostname, username, password, href }: URL): string | undefined {
  if (protocol !== "https:" && protocol !== "http:") return `begins with ${protocol.slice(0, 32)}`;
  if (hostname === "") return "has no host";
  if (username !== "" || password !== "") return "has a user name before its host";
  if (protocol === "http:" && !LOOPBACK.test(hostname)) return `uses plain HTTP to ${hostname}`;
  return href.length > CHARACTERS_MAX ? `has more than ${CHARACTERS_MAX.toLocaleString("en")} characters` : undefined;
}
