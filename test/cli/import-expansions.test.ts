// `dottool import` of files whose values are put into each other without end: each is read or refused, at once.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("features/import/expansions.ts");

const LIMIT = "with all values put in, one of its commands has more than 1,000,000 characters";
const numbers = Array.from({ length: 20 }, (_, index) => index);
const lines = (line: (index: number) => string): string => numbers.map(line).join("\n");

const rows: readonly (readonly [file: string, text: string, end: string])[] = [
  // Only make can tell what a value within itself is.
  ["Makefile", ".PHONY: x\nA := $(if $(A),$(A),x)\nx:\n\techo $(A)\n", "@command make --silent --no-print-directory x"],
  [
    "Makefile",
    ".PHONY: x\nA = $(B) $(B)\nB = $(A) $(A)\nx:\n\techo $(A)\n",
    "@command make --silent --no-print-directory x",
  ],
  [
    "Makefile",
    `.PHONY: x\n${lines((at) => `V${at} = $(V${at + 1}) $(V${at + 1}) $(V${at + 1})`)}\nx:\n\techo $(V0)\n`,
    LIMIT,
  ],
  ["justfile", "a := b + b\nb := a + a\nx:\n  echo {{a}}\n", LIMIT],
  ["Taskfile.yml", "version: '3'\nvars:\n  A: '{{.B}}{{.B}}'\n  B: 'a{{.A}}{{.A}}'\ntasks:\n  x: echo {{.A}}\n", LIMIT],
  [
    "openapi.json",
    JSON.stringify({
      openapi: "3.0.0",
      info: { title: "t", version: "1" },
      servers: [{ url: "https://example.org" }],
      components: {
        schemas: {
          S: { properties: { a: { type: "string" } }, allOf: Array(100).fill({ $ref: "#/components/schemas/S" }) },
        },
      },
      paths: {
        "/a": {
          post: {
            operationId: "x",
            requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/S" } } } },
            responses: {},
          },
        },
      },
    }),
    "@param a {string}",
  ],
];

for (const [index, [file, text, end]] of rows.entries())
  test(`row ${index}: ${file} is read or refused, and it says why`, async () => {
    using bench = testProject({ [file]: text });
    const { stdout, stderr } = await bench.here(["import", file, "--print"]);
    assert.ok(`${stdout}${stderr}`.includes(end), `${stdout}${stderr}`.slice(0, 2_000));
  });

for (const [file, text] of [
  [
    "Makefile",
    `.PHONY: x y\n${lines((at) => `V${at} = $(V${at + 1}) $(V${at + 1}) $(V${at + 1})`)}\nx:\n\techo $(V0)\ny:\n\techo y\n`,
  ],
  ["justfile", "a := b + b\nb := a + a\nx:\n  echo {{a}}\ny:\n  echo y\n"],
  [
    "Taskfile.yml",
    "version: '3'\nvars:\n  A: '{{.B}}{{.B}}'\n  B: 'a{{.A}}{{.A}}'\ntasks:\n  x: echo {{.A}}\n  y: echo y\n",
  ],
] as const)
  test(`${file}: only what uses a value without end is left out, and it says so`, async () => {
    using bench = testProject({ [file]: text });
    const { stdout, stderr, exitCode } = await bench.here(["import", file, "--print"]);
    assert.match(stdout, "echo y");
    assert.match(`${stdout}${stderr}`, new RegExp(`x\\b[^\\n]*${LIMIT}`));
    assert.is(exitCode, 0);
  });

test("a file in which all uses values without end is refused", async () => {
  const tasks = Array.from({ length: 30 }, (_, index) => `  t${index}: echo {{.A}}\n`).join("");
  using bench = testProject({
    "Taskfile.yml": `version: '3'\nvars:\n  A: '{{.B}}{{.B}}'\n  B: 'a{{.A}}{{.A}}'\ntasks:\n${tasks}`,
  });
  assert.match(
    (await bench.here(["import", "Taskfile.yml", "--print"])).stderr,
    "cannot be read as Taskfile: with all",
  );
});

test.run();
