// Every key of forge's `tool.yaml`, by its map. docs/forge-tool.md describes each one.
import type { KnownKeys } from "../known-keys.ts";
import { describedKeys, says } from "../described-keys.ts";
import { choice, flag, mapList, prose, text, value } from "../key-values.ts";
import type { DefinitionHead } from "../../../core/tool/definition.ts";
import { version } from "../custom-tools/text-keys.ts";
import { parameterTypes } from "../custom-tools/parameter-type.ts";

export const parameterKeys = describedKeys(
  "a parameter",
  {
    name: text("the word `--NAME=value` of the program", "since"),
    type: choice(parameterTypes, "what a value is; default: string", "string"),
    required: flag("a call must give it"),
    description: text("what a value means; models see nothing else"),
    default: value("the value when a call does not give one"),
  },
  { required: ["name"], alsoCalled: { description: "desc help" } },
);

export const toolKeys = describedKeys<DefinitionHead>(
  "a tool with an `entrypoint`",
  {
    name: text("its name; default: the name of the folder", "recent-commits"),
    description: says("description", prose("what it does and when to use it; models see nothing else")),
    version: says("version", version("its version", "1.0.0")),
    entrypoint: text("the program, in the folder of this file", "recent-commits"),
    usage: says("help", text("more help, for `show` and `--help`")),
    parameters: mapList(parameterKeys, "the parameters of a call"),
  },
  {
    required: ["entrypoint"],
    alsoCalled: {
      description: "summary about",
      entrypoint: "command",
      usage: "help",
      parameters: "arguments args params",
    },
  },
);

/** The path of each map of the format, with its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["parameters[].", parameterKeys],
];
