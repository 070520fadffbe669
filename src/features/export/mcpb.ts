// An MCP bundle: one file that a desktop client installs. It is a zip archive of the manifest and an executable.
// The format: https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md, version 0.3.
import { rowOf } from "../../core/text/row-of.ts";
import { Buffer } from "node:buffer";
import { ZipFile } from "yazl";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { Making } from "./making.ts";
import { variablesOf } from "./variables.ts";

/** The format's names for the systems in the names of releases. */
const systems: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win: "win32" };

/** Half the time of the default, for 2 % more bytes. */
const COMPRESSION = 3;

/** Every file has this time, the earliest of the format, so that the same tools give the same archive. */
const TIME = new Date(1980, 0, 1);

export async function mcpbFiles(making: Making): Promise<readonly UnpackedFile[]> {
  const { facts, executable } = making;
  const path = `server/${facts.name}${executable.platform.startsWith("win") ? ".exe" : ""}`;
  const zip = new ZipFile();
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    zip.outputStream.on("data", (chunk: Buffer) => void chunks.push(chunk));
    zip.outputStream.on("end", resolve);
    zip.outputStream.on("error", reject);
  });
  const add = (name: string, bytes: Uint8Array, mode: number): void =>
    zip.addBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), name, {
      mode,
      mtime: TIME,
      forceDosTimestamp: true,
      compressionLevel: COMPRESSION,
    });
  add("manifest.json", Buffer.from(`${JSON.stringify(manifest(making, path), undefined, 2)}\n`), 0o100_644);
  add(path, executable.bytes, 0o100_755);
  zip.end();
  await ended;
  return [{ path: "", bytes: Buffer.concat(chunks), isExecutable: false }];
}

function manifest({ facts, executable: { platform }, words }: Making, path: string): Readonly<Record<string, unknown>> {
  const { name, version, description, license, homepage, keywords, repository, tools } = facts;
  // A variable that need not be set would be passed as the text of its placeholder.
  const secrets = variablesOf(tools).flatMap((variable) =>
    variable.isSecret && variable.isRequired ? [variable.name] : [],
  );
  return {
    manifest_version: "0.3",
    name,
    version,
    description,
    author: facts.author ?? { name },
    ...(license === undefined ? {} : { license }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(repository === undefined ? {} : { repository: { type: "git", url: repository } }),
    server: {
      type: "binary",
      entry_point: path,
      mcp_config: {
        command: `\${__dirname}/${path}`,
        args: words,
        env: Object.fromEntries(secrets.map((variable) => [variable, `\${user_config.${variable}}`])),
      },
    },
    ...(secrets.length === 0 ? {} : { user_config: Object.fromEntries(secrets.map(asked)) }),
    tools: tools.map(({ name: tool, summary }) => ({ name: tool, description: summary })),
    compatibility: { platforms: [rowOf(systems, platform.split("-")[0] ?? "") ?? platform] },
  };
}

/** The client's user has no shell whose environment it would pass on, so the client asks for the secret and stores it. */
function asked(name: string): readonly [string, object] {
  const description = `The value of ${name}, which the tools need`;
  return [name, { type: "string", title: name, description, sensitive: true, required: true }];
}
