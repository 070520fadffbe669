import { checkedContent, checksumLine, versionInLine, withChecksum } from "../../src/core/tool/checked-file.ts";
import { Checksum, checksumOf } from "../../src/core/tool/checksum.ts";
import { assert, suite } from "../harness.ts";

const test = suite("checked-file");
const FORMAT = { name: "example", version: 2 };
const content = '{"decision":"deny","tool":"rm"}';
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test("checkedContent gives what withChecksum was given", () => {
  for (const text of ["", "a", content, "{", "ü\n\n", "x".repeat(10_001)]) {
    const read = checkedContent(FORMAT, withChecksum(FORMAT, text));
    assert.equal(read, { kind: "content", bytes: encode(text) });
  }
});

test("checkedContent tells every flipped bit, every other byte and every cut", () => {
  const whole = withChecksum(FORMAT, content);
  for (let index = 0; index < whole.length; index++) {
    for (let other = 0; other < 256; other++) {
      const changed = whole.slice();
      if (changed[index] === other) continue;
      changed[index] = other;
      assert.is(checkedContent(FORMAT, changed).kind, "damaged", `byte ${index} as ${other}`);
    }
    assert.is(checkedContent(FORMAT, whole.subarray(0, index)).kind, "damaged", `cut at ${index}`);
  }
});

test("checkedContent knows another format, an earlier version and a later one", () => {
  assert.is(checkedContent(FORMAT, withChecksum({ name: "other", version: 2 }, content)).kind, "damaged");
  assert.equal(checkedContent(FORMAT, withChecksum({ ...FORMAT, version: 1 }, content)), {
    kind: "damaged",
    reason: "is of an earlier dottool",
  });
  assert.equal(checkedContent(FORMAT, withChecksum({ ...FORMAT, version: 3 }, content)), { kind: "newer", version: 3 });
  assert.is(checkedContent(FORMAT, encode(content)).kind, "damaged");
});

test("Checksum gives one text, however the content comes in parts", () => {
  const bytes = Uint8Array.from({ length: 5_003 }, (_, index) => (index * 7919) >>> 3);
  for (const size of [1, 2, 3, 5, 7, 64, 1_000, 4_099]) {
    const checksum = new Checksum();
    for (let start = 0; start < bytes.length; start += size) checksum.add(bytes.subarray(start, start + size));
    assert.is(checksum.text, checksumOf(bytes), `${size} bytes a part`);
  }
});

test("versionInLine accepts at the end of a file what checksumLine made of its parts", () => {
  const summed = (...parts: readonly string[]): Checksum => {
    const checksum = new Checksum();
    for (const part of parts) checksum.add(encode(part));
    return checksum;
  };
  const line = checksumLine(FORMAT, summed("one\n", "two\n"));
  assert.is(versionInLine(line, "example", summed("one\ntwo\n")), 2);
  assert.is(versionInLine(line, "example", summed("one\ntwa\n")), undefined);
});

test.run();
