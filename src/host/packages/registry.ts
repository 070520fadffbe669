// Requests to registries of packages, by npm's own library: logins, proxies, certificates and second tries are npm's.
import type { RegistryAnswer, RegistryRequest } from "../../tool/host-packages.ts";
import { codeOf } from "../../tool/error-code.ts";
import fetchFrom from "npm-registry-fetch";

const TIMEOUT_MS = 60_000;
const RETRY = { retries: 2, factor: 2, minTimeout: 500, maxTimeout: 5_000 };
const USER_AGENT = "dottool";
/** Of the whole answer, which may come byte by byte. */
const ANSWER_MS_MAX = 10 * 60_000;

type Body = AsyncIterable<Uint8Array> & { destroy(error: Error): void };

export async function registryOf(name: string, settings: RegistryRequest["settings"]): Promise<string> {
  const registry = fetchFrom.pickRegistry(name, settings);
  return registry.endsWith("/") ? registry : `${registry}/`;
}

export async function askRegistry({
  url,
  settings,
  bytesMax,
  integrity,
  ...request
}: RegistryRequest): Promise<RegistryAnswer> {
  try {
    const response = await fetchFrom(url, {
      ...settings,
      ...(request.method === undefined ? {} : { method: request.method }),
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.headers === undefined ? {} : { headers: request.headers }),
      ...(integrity === undefined ? {} : { integrity }),
      timeout: TIMEOUT_MS,
      retry: RETRY,
      userAgent: USER_AGENT,
    });
    // Its types are those of a browser.
    return await contentOf(response.body as unknown as Body, bytesMax);
  } catch (error) {
    const code = codeOf(error) ?? "EUNKNOWN";
    return { kind: "failed", code, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function contentOf(body: Body, bytesMax: number): Promise<RegistryAnswer> {
  const late = setTimeout(() => body.destroy(new Error("the answer took too long")), ANSWER_MS_MAX);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of body) {
      sizeBytes += chunk.length;
      if (sizeBytes > bytesMax) return { kind: "failed", code: "EFBIG", reason: `has more than ${bytesMax} bytes` };
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(late);
  }
  return { kind: "answer", bytes: Buffer.concat(chunks) };
}
