// The user's settings for the web, and the message if one is missing.
import { failed } from "../../core/tool/base-tool.ts";
import type { Outcome } from "../../core/tool/call.ts";
import type { SettingName, ToolContext } from "../../core/tool/tool.ts";

/** Returns the hosts of `web.allow_hosts`: `name` or `name:port`, separated by commas or blanks. */
export async function allowedHosts(context: ToolContext): Promise<readonly string[]> {
  const text = (await context.setting("web.allow_hosts")) ?? "";
  return text.split(/[\s,]+/).filter((entry) => entry !== "");
}

interface MissingSetting {
  readonly name: SettingName;
  /** A description, such as "an API key". */
  readonly what: string;
}

export function notConfigured(tool: string, missing: readonly MissingSetting[]): Outcome {
  const reasons = missing.map(({ name, what }) => `needs ${what}: set ${placeOf(name)}`);
  return failed({ kind: "unavailable", tool, reasons });
}

/** Returns the setting without the spaces around it; empty if it is not set. */
export async function settingText(name: SettingName, context: ToolContext): Promise<string> {
  return ((await context.setting(name)) ?? "").trim();
}

/** Why a setting cannot be used. */
interface SettingTrouble {
  readonly kind: "failed";
  readonly outcome: Outcome;
}

interface Endpoint {
  readonly kind: "endpoint";
  readonly url: URL;
  /** The user wrote it. */
  readonly isConfigured: boolean;
}

/** Returns an API's address: from a setting, or else the usual one. */
export async function endpointOf(
  name: SettingName,
  usual: string,
  context: ToolContext,
): Promise<Endpoint | SettingTrouble> {
  const configured = await settingText(name, context);
  const text = configured === "" ? usual : configured;
  if (URL.canParse(text)) return { kind: "endpoint", url: new URL(text), isConfigured: configured !== "" };
  return settingTrouble(
    `${environmentName(name)} is not a web address`,
    `set ${placeOf(name)}, to an address like \`https://search.example.com/\``,
  );
}

interface ApiKey {
  readonly kind: "key";
  /** Empty if it is not set. */
  readonly key: string;
}

/** Returns a key that can be sent as it is. */
export async function keyOf(name: SettingName, context: ToolContext): Promise<ApiKey | SettingTrouble> {
  const key = await settingText(name, context);
  if (/^[\x21-\x7e]{0,512}$/.test(key)) return { kind: "key", key };
  return settingTrouble(
    `${environmentName(name)} has characters that cannot be in an API key`,
    `set ${placeOf(name)}, to the key and nothing else`,
  );
}

export function settingTrouble(reason: string, help: string): SettingTrouble {
  return { kind: "failed", outcome: failed({ kind: "rejected", reason, help: [help] }) };
}

/** Returns where a setting is made, for messages. */
export function placeOf(name: SettingName): string {
  return `${environmentName(name)} in the environment, or \`${name}\` in \`config.yaml\``;
}

/** Returns the variable of a setting: `google_search.key` → `GOOGLE_SEARCH_KEY`. */
function environmentName(name: SettingName): string {
  return name.replaceAll(".", "_").toUpperCase();
}
