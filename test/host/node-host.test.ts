import { assert, suite } from "../harness.ts";
import { findFolders } from "../../src/core/host/files/folders.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";

const test = suite("node-host");
const host = createNodeHost();

test("findFolders follows XDG, and takes no notice of relative paths", () => {
  const environment: Readonly<Record<string, string>> = {
    HOME: "/home/ana",
    XDG_CONFIG_HOME: "/etc/ana",
    XDG_STATE_HOME: "relative",
    XDG_CACHE_HOME: "",
  };
  const { temporary: _temporary, ...folders } = findFolders("linux", (name) => environment[name]);
  assert.equal(folders, {
    home: "/home/ana",
    config: "/etc/ana/dottool",
    state: "/home/ana/.local/state/dottool",
    cache: "/home/ana/.cache/dottool",
  });
});

test("findFolders is the same on macOS, and takes no notice of a relative HOME", () => {
  const folders = findFolders("macos", (name) => (name === "HOME" ? "." : undefined));
  assert.equal(
    [folders.home.startsWith("/"), folders.config],
    [true, `${folders.home.replace(/\/$/, "")}/.config/dottool`],
  );
});

test("sha256 is that of the bytes, and text is UTF-8", () => {
  const expected = "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c";
  assert.equal([host.sha256("é"), host.sha256(new Uint8Array([0xc3, 0xa9]))], [expected, expected]);
});

test("randomId is 32 hexadecimal digits, and another one every time", () => {
  const ids = Array.from({ length: 100 }, () => host.randomId());
  assert.equal([ids.every((id) => /^[0-9a-f]{32}$/.test(id)), new Set(ids).size], [true, 100]);
});

test("timestamp is ISO 8601 in UTC with milliseconds", () => {
  assert.match(host.timestamp(), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("sleep resolves early when its signal aborts, and at once when it has", async () => {
  const controller = new AbortController();
  const sleeping = host.sleep(1_000_000, controller.signal);
  controller.abort();
  await sleeping;
  await host.sleep(1_000_000, controller.signal);
});

test("sleep lasts as long as it says", async () => {
  const startMs = host.nowMs();
  await host.sleep(20, new AbortController().signal);
  assert.ok(host.nowMs() - startMs >= 19);
});

test("runBounded gives back what the work gives, and throws what it throws", () => {
  assert.is(
    host.runBounded(() => 7, 1_000),
    7,
  );
  assert.throws(
    () =>
      host.runBounded(() => {
        throw new TypeError("the work's own");
      }, 1_000),
    (error: unknown) => error instanceof TypeError,
  );
});

test("runBounded stops a regular expression that would go on for ever", () => {
  const endless = (): boolean => /^(a+)+$/.test(`${"a".repeat(60)}b`);
  assert.throws(
    () => host.runBounded(endless, 50),
    (error: unknown) => codeOf(error) === "ETIMEDOUT",
  );
  assert.is(
    host.runBounded(() => "and works on", 1_000),
    "and works on",
  );
});

test("processes.find looks through PATH without starting anything", () => {
  assert.equal(
    [
      host.processes.find("sh", "relative::/bin:/usr/bin")?.endsWith("/sh"),
      host.processes.find("no-such-program", "/bin"),
    ],
    [true, undefined],
  );
});

test("processes run nothing once they are ended", async () => {
  const { processes } = createNodeHost();
  await processes.endAll();
  const result = await processes.run({
    argv: ["true"],
    cwd: "/",
    environment: { PATH: "/bin:/usr/bin" },
    confinement: { unconfined: "trusted" },
    signal: new AbortController().signal,
    outputBytesMax: 10,
    onOutput: () => undefined,
  });
  assert.equal(result, { kind: "exited", cutBytes: 0, stopped: "aborted" });
});

test.run();
