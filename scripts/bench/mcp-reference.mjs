// A server with two tools, written as in the documentation of fastmcp, for comparison. The words are `stdio`, or `http
// PORT`.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { FastMCP } from "fastmcp";

// From fastmcp's own copy, because a schema belongs to the copy that reads it.
const { z } = createRequire(import.meta.resolve("fastmcp"))("zod");

const [transport, port] = process.argv.slice(2);
const server = new FastMCP({ name: "reference", version: "1.0.0" });
server.addTool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ file_path: z.string() }),
  execute: ({ file_path }) => readFile(file_path, "utf8"),
});
server.addTool({
  name: "find",
  description: "Finds files.",
  parameters: z.object({ arguments: z.array(z.string()) }),
  execute: ({ arguments: words }) =>
    new Promise((resolve, reject) =>
      execFile("find", words, (error, stdout) => (error ? reject(error) : resolve(stdout))),
    ),
});
if (transport === "http")
  await server.start({ transportType: "httpStream", httpStream: { host: "127.0.0.1", port: Number(port) } });
else await server.start({ transportType: "stdio" });
if (transport === "http") console.error(`listening on ${port}`);
