// TypeScript of plugins that is more than types. A text that breaks the compiler does not affect the next one.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasSyntaxToTransform, transformTypeScript } from "../../src/features/javascript/host/transform-typescript.ts";
import { amount } from "../amount.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("host/transform-typescript");

test("a text that breaks the compiler breaks it for nobody else", () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-transform-"));
  try {
    for (const name of ["a", "b"]) {
      assert.throws(
        () => transformTypeScript(`enum A { B }\n${"(".repeat(100_000)}`, `/${name}.ts`, folder),
        (error: unknown) => error instanceof Error,
      );
      assert.match(
        transformTypeScript(`export enum A { B = "${name}" }`, `/${name}.ts`, folder),
        `A["B"] = "${name}";`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("hasSyntaxToTransform takes time linear to a text", () => {
  const texts: readonly ((length: number) => string)[] = [
    (length) => `${"\n".repeat(length)}x`,
    (length) => "constructor (".repeat(length / 13),
    (length) => `export ${" ".repeat(length)}x`,
  ];
  for (const text of texts)
    assertLinear(text(13), amount(20_000, 60_000), (length) => assert.is(hasSyntaxToTransform(text(length)), false));
  assert.equal(
    ["const a = 1;\n  export  enum A {", "class A {\n  constructor(a: string, private b = 1) {}"].map(
      hasSyntaxToTransform,
    ),
    [true, true],
  );
});

test.run();
