// Times in settings.

/** Reads `500ms`, `30s` or `5m`, up to a day; undefined for anything else. */
export function shortTimeMs(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(digits) * ({ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN);
  return ms > 0 && ms <= 86_400_000 ? ms : undefined;
}
