// What a tool is made of, as told by its keys, and which other keys do not go with that.
import type { Fields } from "../fields.ts";
import { commandKeys } from "./command-keys.ts";
import { EXTENSION } from "../described-keys.ts";

/** A key of a command, or another kind. `entries` is `x-dottool.commands`, and `wrap` has no command. */
export type Makes = (typeof commandKeys)[number] | "commands" | "entries" | "steps" | "alias" | "wrap" | "javascript";

/** Returns undefined if no key decides it, or if a problem was reported. */
export function makesOf(fields: Fields, extension: Fields | undefined): Makes | undefined {
  const keys = [...commandKeys, "commands", "steps", "type"] as const;
  const first = fields.oneOf(
    keys,
    (one, other) =>
      one === "type" || other === "type"
        ? `an alias runs its base tool, so it cannot have \`${one === "type" ? other : one}\``
        : `a tool has one action, and this has \`${one}\` and \`${other}\``,
    ["for several commands, write `steps`; for one command on each platform, write `commands` with `platforms`"],
  );
  const ours = extension?.oneOf(
    ["commands", "javascript"],
    (one, other) => `a tool has one action, and this has \`${one}\` and \`${other}\``,
  );
  if (ours !== undefined && first !== undefined)
    extension?.refuse(ours, `a tool has one action, and this has \`${first}\` and \`${ours}\``, {
      beside: fields.place(first),
    });
  if (first === undefined && ours === undefined && !extension?.has("wraps")) missing(fields);
  const isAlias = first === "type" && fields.choice("type", ["alias"]) === "alias";
  if (first !== "type")
    fields.refuse(["base-tool", "default-parameters"], (key) => `\`${key}\` can only be used in an alias`, {
      help: ["add `type: alias`, and remove the command"],
    });
  if (first !== "script")
    fields.refuse("shell", "`shell` can only be used with `script`", {
      help: first === undefined || first === "type" ? [] : [`\`${first}\` already determines how it runs`],
    });
  const makes =
    first === "type" ? (isAlias ? "alias" : undefined) : ((first as Makes | undefined) ?? below(ours, extension));
  if (extension && makes !== undefined) checkExtension(extension, makes);
  return makes;
}

function below(ours: string | undefined, extension: Fields | undefined): Makes | undefined {
  if (ours !== undefined) return ours === "commands" ? "entries" : "javascript";
  return extension?.has("wraps") ? "wrap" : undefined;
}

function missing(fields: Fields): void {
  fields.findings.error("missing-command", "this tool has no command", {
    at: fields.has("name") ? fields.place("name") : fields.place(""),
    help: fields.has("base-tool") ? ["add `type: alias`"] : ["add `bash:` with a command and `{NAME}` where values go"],
  });
}

const wrapKeys = ["wraps", "with", "defaults", "fallback"] as const;

/** Reports keys that are only for one command, or only for steps. */
function checkExtension(extension: Fields, makes: Makes): void {
  const isWrap = makes !== "alias" && makes !== "javascript" && makes !== "steps";
  const refuse = (keys: readonly string[], what: string): void =>
    extension.refuse(keys, (key) => `\`${EXTENSION}.${key}\` is for ${what}`);
  if (!isWrap) refuse(wrapKeys, "a tool that is made from another one");
  if (!isWrap && makes !== "steps") refuse(["secrets", "pass-environment", "env-file"], "commands");
  if (makes !== "steps") refuse(["output", "cleanup"], "a tool with `steps`");
}

export function isWrapping(extension: Fields | undefined): boolean {
  return extension !== undefined && wrapKeys.some((key) => extension.has(key));
}
