// The servers of another client's configuration (`mcpServers` of Claude, Cursor and others, `servers` of VS Code) as
// `mcp_servers:` for `config.yaml`. Their tools are known only after `dottool pin`.
import { stringify } from "yaml";
import { soundsSecret } from "../../core/text/secret-names.ts";
import { type ImportedSource, type SourceText, Unreadable } from "./imported-tool.ts";
import { SecretFinder } from "./secret-finder.ts";
import { isMap, listOf, mapOf, parsedYaml, scalarOf, type SourceMap } from "./source-data.ts";

export function readMcpServers({ text }: SourceText): ImportedSource {
  // VS Code allows comments, which YAML does not have in JSON.
  const root = mapOf(parsedYaml(text.replaceAll(/^\s*\/\/.*$/gm, "")));
  const servers = Object.entries(mapOf(root["mcpServers"] ?? root["servers"])).filter(([, server]) => isMap(server));
  if (servers.length === 0) throw new Unreadable("it has no `mcpServers:`");
  const notes: string[] = [];
  const read = servers.map(([name, server]) => {
    const ours = name.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
    return [ours, serverOf(ours, mapOf(server), notes)] as const;
  });
  return {
    format: "MCP servers",
    tools: [],
    notes,
    settings: stringify({ mcp_servers: Object.fromEntries(read) }, { lineWidth: 0 }),
    next: read.map(([name]) => `dottool pin ${name} && dottool import mcp:${name}`),
  };
}

function serverOf(name: string, server: SourceMap, notes: string[]): SourceMap {
  const finder = new SecretFinder(name, new Set());
  const taken = new Set<string>();
  const value = (key: string, text: string): string => {
    const [, variable] = /^\$\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(text) ?? [];
    if (variable !== undefined) return `env:${variable}`;
    const [, word = "", rest = text] = /^(Bearer |Basic |token )?(.*)$/is.exec(text) ?? [];
    const [, inner] = /^\$\{(?:env:)?([A-Za-z_]\w*)\}$/.exec(rest) ?? [];
    if (inner !== undefined) return `${word}env:${inner}`;
    const isSecret = soundsSecret(key) || finder.hidden(`${key}=${text}`) !== `${key}=${text}`;
    if (!isSecret) return text;
    const own = /^[A-Z_][A-Z0-9_]*$/.test(key) ? key : `${name}_${key}`.toUpperCase().replaceAll(/[^A-Z0-9_]/g, "_");
    taken.add(own);
    return `${word}env:${own}`;
  };
  const [command, url, cwd] = [
    scalarOf(server["command"]),
    scalarOf(server["url"] ?? server["serverUrl"]),
    scalarOf(server["cwd"]),
  ];
  const args = listOf(server["args"]).map((one) => String(one));
  const shown = finder.hidden(args.join(" ")).split(" ");
  const isSame = shown.length === args.join(" ").split(" ").length && finder.hidden(args.join(" ")) === args.join(" ");
  if (!isSame) notes.push(`\`${name}\`: a secret among its \`args:\` is \`…\`: a server takes secrets in \`env:\``);
  const ours = {
    ...(command === undefined ? {} : { command }),
    ...(args.length === 0 ? {} : { args: isSame ? args : shown }),
    ...valuesOf("env", mapOf(server["env"]), value),
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined ? {} : { url: finder.hidden(url) }),
    ...valuesOf("headers", mapOf(server["headers"]), value),
  };
  for (const variable of taken) notes.push(`\`${name}\`: set \`${variable}\` to the secret of the source`);
  return ours;
}

function valuesOf(key: "env" | "headers", values: SourceMap, read: (key: string, text: string) => string): SourceMap {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const text = scalarOf(value);
    return text === undefined ? [] : [[name, read(name, text)] as const];
  });
  return entries.length === 0 ? {} : { [key]: Object.fromEntries(entries) };
}
