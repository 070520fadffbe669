// `dottool import` of OpenAPI: the definitions word for word, and what reaches a server.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("import of OpenAPI");

const description = (server: string): string => `openapi: 3.0.3
info: { title: Pet Store, version: "1" }
servers: [{ url: "${server}/{base}", variables: { base: { default: v1 } } }]
security: [{ api_key: [] }]
paths:
  /pets/{pet-id}:
    parameters:
      - { name: pet-id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getPet
      summary: One pet
      security: []
      parameters: [{ name: view, in: query, required: true, schema: { type: string, enum: [short, long] } }]
    put:
      operationId: changePet
      parameters: [{ name: X-Trace, in: header, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
  /pets:
    get:
      operationId: listPets
      parameters:
        - { $ref: "#/components/parameters/limit" }
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
    post:
      security: [{ bearer: [] }]
      requestBody: { content: { application/x-www-form-urlencoded: { schema: { required: [name], properties: { name: { type: string }, nicknames: { type: array, maxItems: 3, items: { type: string, maxLength: 9 } }, ages: { type: array, items: { type: integer, minimum: 0 } } } } } } }
  /photos:
    post:
      requestBody: { content: { multipart/form-data: { schema: { type: object } } } }
components:
  parameters:
    limit: { name: limit, in: query, description: How many, schema: { type: integer, minimum: 1, maximum: 100 } }
  securitySchemes:
    api_key: { type: apiKey, in: header, name: X-Api-Key }
    bearer: { type: http, scheme: bearer }
  schemas:
    Pet:
      allOf:
        - type: object
          required: [name]
          properties:
            id: { type: integer, readOnly: true }
            name: { type: string, description: "[short] name" }
        - properties:
            owner: { type: object, properties: { name: { type: string } } }
            tags: { type: array, items: { type: string } }
`;

test("import makes tools of an OpenAPI description as in golden/import-openapi.txt", async () => {
  using bench = testProject({
    "openapi.yaml": description("https://pets.example.org"),
    "bare.yaml": "openapi: 3.1.0\npaths: { /x: { get: {} } }\n",
    "package.json": '{"scripts": {"build": "true"}}',
    "old.yaml": "swagger: '2.0'\npaths: {}\n",
  });
  const texts: string[] = [];
  for (const words of [
    ["import", "openapi.yaml", "--print"],
    ["import", "bare.yaml"],
    ["import", "bare.yaml", "--print", "--server", "http://127.0.0.1:8000/v1/"],
    ["import", "bare.yaml", "--server", "ftp://a.example"],
    ["import", "package.json", "--server", "http://127.0.0.1:8000"],
    ["import", "--help-of", "ls", "--server", "http://127.0.0.1:8000"],
    ["import", "old.yaml"],
  ]) {
    const { stdout, stderr, exitCode } = await bench.here(words);
    texts.push(`$ dottool ${words.join(" ")}\n${stdout}${stderr}exit ${exitCode}\n`);
  }
  assertGolden("cli/golden/import-openapi.txt", texts.join("\n"));
});

test("imported operations send what the description says, from its address too", async () => {
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    const keys = ["x-api-key", "authorization", "x-trace", "content-type"].flatMap((name) => headers[name] ?? []);
    if (url === "/openapi.yaml") return void response.end(description(""));
    seen.push([method, url, keys, body]);
    response.statusCode = url?.includes("broken") ? 500 : 200;
    response.end(`done ${url}`);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  using bench = testProject({ "home/.config/dottool/config.yaml": `web:\n  allow_hosts: "${host}"\n` });
  try {
    await bench.here(["import", `http://${host}/openapi.yaml`]);
    const environment = { PET_STORE_API_KEY: "key-key-key", PET_STORE_BEARER: "token-token" };
    const outputs: unknown[] = [];
    for (const words of [
      ["getPet", "--pet-id", "a/b ?", "--view", "long"],
      [
        "changePet",
        "--pet-id",
        "7",
        "--name",
        "Rex",
        "--owner",
        '{"name": "Ann"}',
        "--tags",
        "x",
        "--tags",
        "y",
        "--X-Trace",
        "t",
      ],
      ["listPets", "--limit", "5", "--tags", "a&b", "--tags", "c"],
      ["listPets"],
      ["post-pets", "--name", "é"],
      ["changePet", "--pet-id", "broken", "--name", "x"],
    ]) {
      const { stdout, exitCode } = await bench.here(words, { environment });
      outputs.push([
        stdout
          .replace(/^.*\n\n/s, "")
          .trim()
          .slice(0, 40),
        exitCode,
      ]);
    }
    assert.equal(seen, [
      ["GET", "/v1/pets/a%2Fb%20%3F?view=long", [], ""],
      [
        "PUT",
        "/v1/pets/7",
        ["key-key-key", "t", "application/json"],
        '{"name":"Rex","owner":{"name":"Ann"},"tags":["x","y"]}',
      ],
      ["GET", "/v1/pets?limit=5&tags=a%26b&tags=c", ["key-key-key"], ""],
      ["GET", "/v1/pets", ["key-key-key"], ""],
      ["POST", "/v1/pets", ["Bearer token-token", "application/x-www-form-urlencoded"], "name=%C3%A9"],
      ["PUT", "/v1/pets/broken", ["key-key-key", "application/json"], '{"name":"x"}'],
    ]);
    assert.equal(outputs.at(2), ["done /v1/pets?limit=5&tags=a%26b&tags=c", 0]);
    assert.is((outputs.at(-1) as readonly unknown[])[1], 1);
  } finally {
    server.close();
  }
});

const divided = (server: string): string => `openapi: 3.0.3
info: { title: Shop, version: "1" }
servers: [{ url: "${server}" }]
paths:
  /items:
    get:
      operationId: findItems
      parameters:
        - { $ref: "parts/parameters.yaml#/Limit" }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: ids, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: string } } }
        - { name: filter, in: query, style: deepObject, schema: { type: object } }
    put:
      operationId: putItem
      requestBody: { content: { application/json: { schema: { oneOf: [{ $ref: "parts/item.yaml" }, { $ref: "#/components/schemas/Code" }] } } } }
    post:
      operationId: addItems
      requestBody: { content: { application/json: { schema: { type: array, items: { type: object } } } } }
    patch:
      operationId: lostItem
      requestBody: { content: { application/json: { schema: { properties: { a: { $ref: "#/components/schemas/Gone" } } } } } }
    delete: { operationId: outside, parameters: [{ $ref: "../../../secret.yaml#/Limit" }] }
  /other: { $ref: "https://example.org/other.yaml#/paths/x" }
components: { schemas: { Code: { type: object, required: [code, shop], properties: { code: { type: integer }, shop: { type: string } } } } }
`;

test("a description in several files is read whole, and what cannot be read is left out with the reason", async () => {
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    seen.push([request.method, request.url, await text(request)]);
    response.end("done");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  using bench = testProject({
    "home/.config/dottool/config.yaml": `web:\n  allow_hosts: "${host}"\n`,
    "api/openapi.yaml": divided(`http://${host}`),
    "api/parts/parameters.yaml":
      "Limit: { name: limit, in: query, required: true, schema: { $ref: 'item.yaml#/properties/size' } }\n",
    "api/parts/item.yaml":
      "type: object\nrequired: [name, shop]\nproperties: { name: { type: string }, shop: { type: string }, size: { type: integer, maximum: 9 }, part: { $ref: '#' } }\n",
  });
  try {
    const { stderr } = await bench.here(["import", "api/openapi.yaml"]);
    assert.equal(
      stderr.split("\n").filter((line) => line.startsWith("not imported")),
      [
        "not imported: `lostItem`: it refers to `#/components/schemas/Gone`, which is not there",
        "not imported: `outside`: it refers to `../../../secret.yaml`, which is not there, or is outside of the folder of the description and of yours",
        "not imported: `/other`: it refers to `https://example.org/other.yaml#/paths/x`, and only files beside the description are read",
      ],
    );
    const words = ["findItems", "--limit", "5", "--tags", "a", "--tags", "b", "--ids", "1", "--ids", "2"];
    await bench.here([...words, "--filter", '{"color": "red"}']);
    await bench.here(["putItem", "--shop", "s", "--code", "3"]);
    await bench.here(["addItems", "--body", '[{"n": 1}]']);
    assert.equal(seen, [
      ["GET", "/items?limit=5&tags=a%2Cb&ids=1%7C2&filter%5Bcolor%5D=red", ""],
      ["PUT", "/items", '{"shop":"s","code":3}'],
      ["POST", "/items", '[{"n":1}]'],
    ]);
    assert.is((await bench.here(["findItems", "--limit", "10"])).exitCode, 64);
  } finally {
    server.close();
  }
});

test("a hostile description ends soon, and costs no more than its own operations", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 26 }, (_, at) => [
      `S${at}`,
      { oneOf: [`S${at + 1}`, `S${at + 1}`].map((name) => ({ $ref: `#/components/schemas/${name}` })) },
    ]),
  );
  const body = (name: string): unknown => ({
    requestBody: { content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } } },
  });
  const pair = (first: string, second: string): unknown => ({
    oneOf: [{ $ref: `#/components/schemas/${first}` }, second],
  });
  using bench = testProject({
    "hostile.json": JSON.stringify({
      openapi: "3.0.0",
      servers: [{ url: "https://a.example" }],
      paths: {
        "/chain": { post: { operationId: "chain", ...(body("S0") as object) } },
        "/round": { post: { operationId: "round", ...(body("A") as object) } },
        "/escape": { get: { operationId: "escape", parameters: [{ $ref: "a%zz.json" }] } },
        "/inherited": { get: { operationId: "inherited", parameters: [{ $ref: "constructor" }] } },
        "/link": { get: { operationId: "link", parameters: [{ $ref: "link.json" }] } },
        "/fine": { get: { operationId: "fine" } },
      },
      components: {
        schemas: {
          ...chain,
          S26: { properties: { constructor: { type: "string" }, toString: { type: "integer" } } },
          A: pair("B", "x"),
          B: pair("A", "x"),
        },
      },
    }),
  });
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  try {
    writeFileSync(join(outside, "p.json"), '{"name": "outside", "in": "query"}');
    symlinkSync(join(outside, "p.json"), join(bench.folder, "link.json"));
    const { stdout, stderr } = await bench.here(["import", "hostile.json", "--print"]);
    assert.equal(
      [...stdout.matchAll(/@name (.*)/g)].map(([, name]) => name),
      ["chain", "round", "fine"],
    );
    assert.match(stdout, "@param toString {integer}");
    assert.is(stderr.match(/^not imported: `(?:escape|inherited|link)`: it refers to/gm)?.length, 3);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test.run();
