// The text of a moment is the same as that of `Date`.
import { utcText } from "../../src/core/host/node-host.ts";
import { assert, suite } from "../harness.ts";

const test = suite("utc-text");

const DAY_MS = 86_400_000;
/** The days after which the calendar repeats itself. */
const ERA_DAYS = 146_097;

test("utcText writes what Date writes, on every day of 400 years", () => {
  for (let day = 0; day < ERA_DAYS; day++) {
    const epochMs = day * DAY_MS + ((day * 7_919_333) % DAY_MS);
    const expected = new Date(epochMs).toISOString();
    // One assertion for each would take a second.
    if (utcText(epochMs) !== expected) assert.is(utcText(epochMs), expected);
  }
});

test("utcText knows the first and the last millisecond of days, months and years", () => {
  for (const text of [
    "1970-01-01T00:00:00.000Z",
    "1999-12-31T23:59:59.999Z",
    "2000-02-29T00:00:00.000Z",
    "2026-11-21T09:08:07.006Z",
    "2100-02-28T23:59:59.999Z",
    "9999-12-31T23:59:59.999Z",
  ])
    assert.is(utcText(Date.parse(text)), text);
});

test.run();
