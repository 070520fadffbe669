// What a tool is made of, as told by its keys, and which other keys do not go with that.
import type { Fields } from "../fields.ts";
import { commandKeys } from "./extension-keys.ts";
import { EXTENSION } from "./keys.ts";

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
  if (extension && ours !== undefined && first !== undefined)
    fields.findings.error("conflicting-keys", `a tool has one action, and this has \`${first}\` and \`${ours}\``, {
      at: extension.place(ours),
      related: [{ span: fields.place(first), text: "" }],
    });
  if (first === undefined && ours === undefined && !extension?.has("wraps")) missing(fields);
  const isAlias = first === "type" && fields.choice("type", ["alias"]) === "alias";
  for (const key of first === "type" ? [] : ["base-tool", "default-parameters"])
    if (fields.has(key))
      fields.findings.error("conflicting-keys", `\`${key}\` can only be used in an alias`, {
        at: fields.place(key),
        help: ["add `type: alias`, and remove the command"],
      });
  if (fields.has("shell") && first !== "script")
    fields.findings.error("conflicting-keys", "`shell` can only be used with `script`", {
      at: fields.place("shell"),
      help: first === undefined || first === "type" ? [] : [`\`${first}\` already determines how it runs`],
    });
  const makes =
    first === "type"
      ? isAlias
        ? "alias"
        : undefined
      : first !== undefined
        ? (first as Makes)
        : ours === "commands"
          ? "entries"
          : ours === "javascript"
            ? "javascript"
            : extension?.has("wraps")
              ? "wrap"
              : undefined;
  if (extension && makes !== undefined) checkExtension(extension, makes);
  return makes;
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
  for (const key of isWrap ? [] : wrapKeys)
    if (extension.has(key))
      extension.findings.error(
        "conflicting-keys",
        `\`${EXTENSION}.${key}\` is for a tool that is made from another one`,
        { at: extension.place(key) },
      );
  for (const key of isWrap || makes === "steps" ? [] : ["secrets", "pass-environment"])
    if (extension.has(key))
      extension.findings.error("conflicting-keys", `\`${EXTENSION}.${key}\` is for commands`, {
        at: extension.place(key),
      });
  for (const key of makes === "steps" ? [] : ["output", "cleanup"])
    if (extension.has(key))
      extension.findings.error("conflicting-keys", `\`${EXTENSION}.${key}\` is for a tool with \`steps\``, {
        at: extension.place(key),
      });
}

export function isWrapping(extension: Fields | undefined): boolean {
  return extension !== undefined && wrapKeys.some((key) => extension.has(key));
}
