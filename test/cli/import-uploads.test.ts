// `dottool import` of operations that send files: they are named, with what is sent.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("import of uploads");

const description = `openapi: 3.0.3
info: { title: Photos, version: "1" }
servers: [{ url: "https://photos.example" }]
paths:
  /pets/{id}/photo:
    put: { operationId: putPhoto, requestBody: { content: { image/png: {} } } }
  /photos:
    post: { operationId: addPhotos, requestBody: { content: { multipart/form-data: {} } } }
  /pets:
    get: { operationId: listPets }
`;

test("an operation that sends a file is left out, with what is sent", async () => {
  using bench = testProject({ "photos.yaml": description });
  const { stdout, stderr, exitCode } = await bench.here(["import", "photos.yaml"]);
  const sent = "and texts, JSON and URL-encoded forms are sent; a `@command` of `curl` can send files";
  assert.equal(
    [stdout, stderr.split("\n").filter((line) => line !== ""), exitCode],
    [
      "wrote .tools/listPets.tool\n",
      [
        `not imported: \`putPhoto\`: its body is \`image/png\`, ${sent}`,
        `not imported: \`addPhotos\`: its body is \`multipart/form-data\`, ${sent}`,
      ],
      0,
    ],
  );
});

test.run();
