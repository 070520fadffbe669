// A WebAssembly module gets no more memory than its limit, also the compiler of TypeScript.
import { amaroPlace } from "../../src/features/javascript/host/amaro-place.ts";
import { loadAmaro } from "../../src/features/javascript/host/amaro.ts";
import { withMemoryLimit } from "../../src/features/javascript/host/wasm-memory.ts";
import { assert, suite } from "../harness.ts";

const test = suite("host/wasm-memory");

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const exported = [7, 5, 1, 1, 0x6d, 2, 0];

interface Memory {
  grow(pages: number): number;
}

const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Instance: new (module: object) => { readonly exports: { readonly m: Memory } };
  };
};

/** Counts the pages that it gets. */
function pagesOf(bytes: Uint8Array): number {
  const { m } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  for (let pages = 1; pages <= 300; pages++) {
    try {
      m.grow(1);
    } catch {
      return pages;
    }
  }
  return Infinity;
}

test("a memory without a limit gets one", () => {
  const unlimited = Uint8Array.from([...header, 5, 3, 1, 0, 1, ...exported]);
  assert.equal(
    [pagesOf(unlimited), pagesOf(withMemoryLimit(unlimited, 3)), pagesOf(withMemoryLimit(unlimited, 200))],
    [Infinity, 3, 200],
  );
});

test("a memory that has a limit keeps it, and a module without a memory stays as it is", () => {
  const limited = Uint8Array.from([...header, 5, 4, 1, 1, 1, 2, ...exported]);
  const none = Uint8Array.from(header);
  assert.equal(
    [
      pagesOf(withMemoryLimit(limited, 100)),
      withMemoryLimit(none, 1) === none,
      withMemoryLimit(Uint8Array.from([1]), 1).length,
    ],
    [2, true, 1],
  );
});

test("the compiler's own module takes a limit", () => {
  const { Module } = WebAssembly;
  const sizes: number[] = [];
  // biome-ignore lint/complexity/useArrowFunction: it is called with `new`
  WebAssembly.Module = function (bytes: Uint8Array): object {
    const limited = withMemoryLimit(bytes, 2_048);
    sizes.push(limited.length - bytes.length);
    return new Module(limited);
  } as unknown as typeof Module;
  try {
    const compiler = loadAmaro(amaroPlace());
    assert.is(compiler.transformSync("const a: number = 1", { mode: "strip-only" }).code, "const a         = 1");
    // A maximum of 2,048 pages takes two bytes.
    assert.equal(sizes, [2]);
  } finally {
    WebAssembly.Module = Module;
  }
});

test.run();
