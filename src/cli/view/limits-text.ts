// The limits of a tool's calls, as data and as text.
import { limitsOf } from "../../core/run/limits.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { DeclaredLimits } from "../../core/tool/definition.ts";
import { type Rate, rateWords } from "../../core/tool/rate.ts";

/** `timeoutFor` is present if the definition sets no limit of time: then a person's call has none. */
export function limitFacts({ retries, rate, ...declared }: DeclaredLimits): JsonObject {
  return {
    ...limitsOf(declared),
    ...(declared.timeoutMs === undefined ? { timeoutFor: "models" } : {}),
    ...(rate ? { rate: { ...rate } } : {}),
    ...(retries ? { retries: { ...retries } } : {}),
  };
}

/** Returns text such as `60 s, 100 MiB of output`. */
export function limitsText(limits: JsonObject): string {
  const { timeoutMs, timeoutFor, outputBytesMax, memoryBytesMax, cpuMsMax, processesMax, rate, retries } = limits;
  const texts: string[] = [];
  if (typeof timeoutMs === "number")
    texts.push(`${timeoutMs / 1000} s${timeoutFor === undefined ? "" : ` for ${String(timeoutFor)}`}`);
  if (typeof outputBytesMax === "number") texts.push(`${sizeText(outputBytesMax)} of output`);
  if (typeof memoryBytesMax === "number") texts.push(`${sizeText(memoryBytesMax)} of memory`);
  if (typeof cpuMsMax === "number") texts.push(`${cpuMsMax / 1000} s of processor time`);
  if (typeof processesMax === "number") texts.push(`${processesMax} processes`);
  if (isJsonObject(rate)) texts.push(rateWords(rate as unknown as Rate));
  if (isJsonObject(retries) && typeof retries["attempts"] === "number")
    texts.push(`up to ${retries["attempts"]} attempts`);
  return texts.join(", ");
}

const units = ["B", "KiB", "MiB", "GiB"] as const;

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${Math.round(size * 10) / 10} ${units[unit] ?? ""}`;
}
