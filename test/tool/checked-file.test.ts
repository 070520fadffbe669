import { checkedContent, checksumOf, withChecksum } from "../../src/core/store/checked-file.ts";
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

test("a checksum is that of earlier versions, wherever the bytes lie in memory", () => {
  const bytes = Uint8Array.from({ length: 5_003 }, (_, index) => (index * 7919) >>> 3);
  for (const offset of [0, 1, 2, 3]) {
    const moved = new Uint8Array(offset + bytes.length);
    moved.set(bytes, offset);
    assert.is(checksumOf(moved.subarray(offset)), "9a1219f60000138b", `offset ${offset}`);
  }
  assert.is(
    new TextDecoder().decode(withChecksum(FORMAT, content)),
    `dottool-file example 2 31 721b952e00000039\n${content}`,
  );
});

test.run();
