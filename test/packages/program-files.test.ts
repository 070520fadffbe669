import { gunzipSync } from "node:zlib";
import { pack } from "../../src/features/packages/host/archives.ts";
import { assert, suite } from "../harness.ts";

const test = suite("files of packages");

const BLOCK_BYTES = 512;

test("only a file that begins with `#!` may be executed", () => {
  const modeOf = (content: string): string => {
    const bytes = new TextEncoder().encode(content);
    const archive = gunzipSync(pack([{ path: "a", bytes }]));
    return archive.subarray(0, BLOCK_BYTES).toString("latin1", 100, 106);
  };
  assert.equal(["#!/bin/sh", "# a comment", "!#", "", "text"].map(modeOf), [
    "000755",
    "000644",
    "000644",
    "000644",
    "000644",
  ]);
});

test.run();
