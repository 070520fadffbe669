// Every key of forge's `tool.yaml`, by the map that it stands in. `README.md` beside this file says what each does.
import type { KnownKeys } from "../yaml/fields.ts";

export const toolKeys: KnownKeys = {
  owner: "a tool with an `entrypoint`",
  keys: ["name", "description", "version", "entrypoint", "usage", "parameters"],
  alsoCalled: { summary: "description", about: "description", command: "entrypoint", help: "usage", arguments: "parameters", args: "parameters", params: "parameters" },
};

export const parameterKeys: KnownKeys = {
  owner: "a parameter",
  keys: ["name", "type", "required", "description", "default"],
  alsoCalled: { desc: "description", help: "description" },
};

/** For what has to name them all: the path of each map, and its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["parameters[].", parameterKeys],
];
