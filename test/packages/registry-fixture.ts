// A registry of packages for tests: a real Verdaccio, on this machine alone, with a storage of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { packageArchive, packageFiles, type PackageText } from "./package-fixture.ts";

export interface RegistryFixture {
  /** With a `/` at the end. */
  readonly url: string;
  /** Publishes a package as npm does. */
  publish(text: PackageText, more?: Readonly<Record<string, unknown>>): Promise<void>;
}

const STARTED = "http address";

/** It ends with the process of the tests. What it does not have comes from the registry at `uplink`, if that is given. */
export async function startRegistry(uplink?: string): Promise<RegistryFixture> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-registry-"));
  const url = `http://127.0.0.1:${await freePort()}/`;
  const config = join(folder, "config.json");
  const everyone = { access: "$all", publish: "$all", unpublish: "$all" };
  writeFileSync(
    config,
    JSON.stringify({
      storage: join(folder, "storage"),
      auth: { htpasswd: { file: join(folder, "htpasswd") } },
      uplinks: uplink === undefined ? {} : { npm: { url: uplink } },
      packages: {
        dottool: everyone,
        "@dottool/*": everyone,
        "**": uplink === undefined ? everyone : { ...everyone, proxy: "npm" },
      },
      max_body_size: "200mb",
      web: { enable: false },
      log: { type: "stdout", format: "pretty", level: "warn" },
    }),
  );
  const child = await started(config, url);
  process.once("exit", () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return { url, publish: (text, more) => publish(url, text, more) };
}

/** Resolves once it listens. */
function started(config: string, url: string): Promise<ChildProcess> {
  const main = join(dirname(createRequire(import.meta.url).resolve("verdaccio/package.json")), "bin/verdaccio");
  const child = spawn(process.execPath, [main, "--config", config, "--listen", url], {
    env: { PATH: process.env["PATH"] ?? "", NODE_EXTRA_CA_CERTS: process.env["NODE_EXTRA_CA_CERTS"] },
  });
  return new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (!text.includes(STARTED)) return;
      child.unref();
      for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
      resolve(child);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`verdaccio has ended: ${text}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function publish(
  registry: string,
  text: PackageText,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const manifest = { ...(JSON.parse(packageFiles(text)["package.json"] ?? "") as Record<string, unknown>), ...more };
  const { name, version } = manifest as { readonly name: string; readonly version: string };
  const archive = packageArchive(text);
  const file = `${name}-${version}.tgz`;
  const dist = {
    integrity: `sha512-${createHash("sha512").update(archive).digest("base64")}`,
    shasum: createHash("sha1").update(archive).digest("hex"),
    tarball: `${registry}${name}/-/${file}`,
  };
  const response = await fetch(registry + name.replace("/", "%2f"), {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      _id: name,
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist } },
      _attachments: {
        [file]: { content_type: "application/octet-stream", data: archive.toString("base64"), length: archive.length },
      },
    }),
  });
  if (!response.ok) throw new Error(`cannot publish ${file}: ${response.status} ${await response.text()}`);
}
