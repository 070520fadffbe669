// A registry in front of another one, which changes what it says: a test's way to a registry that signs, knows
// vulnerabilities, or attacks.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ProxyFixture {
  /** With a `/` at the end. */
  readonly url: string;
  /** What was asked, as `GET /path`. */
  readonly asked: readonly string[];
}

export interface ProxyRules {
  /** Answers itself. Returns false to ask the other registry. */
  answer?(request: IncomingMessage, response: ServerResponse, body: string): boolean;
  /** Changes the document of a package. */
  change?(document: PackageDocument): void;
}

export interface PackageDocument {
  readonly name: string;
  readonly versions: Record<
    string,
    { readonly version: string; deprecated?: string; readonly dist: Record<string, unknown> }
  >;
}

/** It ends with the process of the tests. */
export async function startProxy(registry: string, rules: ProxyRules): Promise<ProxyFixture> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void pass(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/" } = request;
    asked.push(`${method} ${url}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (rules.answer?.(request, response, body.toString())) return;
    const answer = await fetch(registry + url.slice(1), {
      method,
      ...(body.length === 0 ? {} : { body, headers: { "content-type": "application/json" } }),
    });
    const type = answer.headers.get("content-type") ?? "";
    let bytes: Uint8Array = Buffer.from(await answer.arrayBuffer());
    if (answer.ok && type.includes("json") && rules.change) {
      const document = JSON.parse(Buffer.from(bytes).toString()) as PackageDocument;
      if ("versions" in document) rules.change(document);
      bytes = Buffer.from(JSON.stringify(document));
    }
    response.writeHead(answer.status, { "content-type": type });
    response.end(bytes);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

export function answerJson(response: ServerResponse, json: unknown, status = 200): true {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(json));
  return true;
}
