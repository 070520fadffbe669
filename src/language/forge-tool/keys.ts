// Every key of forge's `tool.yaml`, by the map that it stands in. `README.md` beside this file says what each does.
import type { KnownKeys } from "../yaml/fields.ts";
import { choice, describedKeys, flag, mapList, text, value } from "../yaml/key-values.ts";
import { parameterTypes } from "../yaml/parameter-fields.ts";

export const parameterKeys = describedKeys(
  "a parameter",
  {
    name: text("the word `--NAME=value` of the program", "since"),
    type: choice(parameterTypes, "what a value is; default: string", "string"),
    required: flag("a call must give it"),
    description: text("what a value means: all that a model knows of it"),
    default: value("the value of a call that does not give it"),
  },
  { required: ["name"], alsoCalled: { desc: "description", help: "description" } },
);

export const toolKeys = describedKeys(
  "a tool with an `entrypoint`",
  {
    name: text("what it is called; default: the folder's name", "recent-commits"),
    description: text("what it does and when to use it: all that a model knows of it"),
    version: text("its version", "1.0.0"),
    entrypoint: text("the program, in the folder of this file", "recent-commits"),
    usage: text("more about it, for `show` and help"),
    parameters: mapList(parameterKeys, "what a call gives"),
  },
  {
    required: ["entrypoint"],
    alsoCalled: {
      summary: "description",
      about: "description",
      command: "entrypoint",
      help: "usage",
      arguments: "parameters",
      args: "parameters",
      params: "parameters",
    },
  },
);

/** For what has to name them all: the path of each map, and its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["parameters[].", parameterKeys],
];
