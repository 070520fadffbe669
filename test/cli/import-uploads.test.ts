// `dottool import` of operations that send files: what reaches a server, and what values cannot do.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject } from "../test-project.ts";

const test = suite("import of uploads");

const description = (server: string): string => `openapi: 3.0.3
info: { title: Photos, version: "1" }
servers: [{ url: "${server}" }]
components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
paths:
  /pets/{id}/photo:
    put:
      operationId: putPhoto
      security: [{ bearer: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: note, in: query, schema: { type: string } }
      requestBody: { content: { image/png: { schema: { type: string, format: binary } } } }
  /photos:
    post:
      operationId: addPhotos
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                title: { type: string }
                photos: { type: array, items: { type: string, format: binary } }
  /pairs:
    post:
      operationId: addPair
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { a: { type: string, format: binary }, b: { type: string, format: binary } } }
`;

test("a file is sent as the description says, and values stay values", async () => {
  needPrograms("curl");
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = (await text(request)).replaceAll(headers["content-type"]?.split("boundary=")[1] ?? "-", "BOUNDARY");
    // Versions of curl differ in these.
    const sent = body.replace("Content-Type: application/octet-stream\r\n", "");
    seen.push([method, url?.toLowerCase(), headers.authorization ?? headers["content-type"]?.split(";")[0], sent]);
    response.end("done\n");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using bench = testProject({ "photos.yaml": description(address), "a b.png": "PIXELS\n" });
  try {
    const imported = await bench.here(["import", "photos.yaml"]);
    assert.equal(
      imported.stderr.split("\n").filter((line) => line !== ""),
      [
        "`addPhotos`: the API takes several files, and one is sent",
        "not imported: `addPair`: its form has 2 files, and one is sent",
      ],
    );
    const environment = { PHOTOS_BEARER: "secret-token" };
    const run = async (...words: readonly string[]): Promise<readonly [number | null, string]> => {
      const { exitCode, stdout } = await bench.run(words, { environment });
      return [exitCode, stdout];
    };
    const file = ["--file", "a b.png"];
    assert.equal(await run("putPhoto", "--id", "7", "--note", "@/etc/passwd&x=1", ...file), [0, "done\n"]);
    assert.equal(await run("addPhotos", "--title", "@/etc/passwd", "--photos", "a b.png"), [0, "done\n"]);
    assert.is((await run("putPhoto", "--id", "../x", ...file))[0], 64);
    const part = (head: string, content: string): string =>
      `--BOUNDARY\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
    assert.equal(seen, [
      ["PUT", "/pets/7/photo?note=%40%2fetc%2fpasswd%26x%3d1", "Bearer secret-token", "PIXELS\n"],
      [
        "POST",
        "/photos",
        "multipart/form-data",
        `${part('name="title"', "@/etc/passwd")}${part('name="photos"; filename="upload"', "PIXELS\n")}--BOUNDARY--\r\n`,
      ],
    ]);
  } finally {
    server.close();
  }
});

test.run();
