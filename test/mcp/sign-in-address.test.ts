import { Login, signInAddress } from "../../src/features/mcp-client/login.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("signInAddress");

const shown = (address: string): unknown => {
  try {
    return signInAddress(new URL(address));
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};
const refused = (problem: string): string =>
  `its login address ${problem}, so it is not opened; one begins with https:// and a host, or with http:// and a host of this machine`;

test("An address of https, or of this machine, is offered with its host", () => {
  const addresses = [
    "https://login.example.com/authorize?a=1",
    "https://login.example.com:8443/",
    "http://127.0.0.1:4000/x",
    "http://localhost/",
    "http://auth.localhost:80/",
    "http://[::1]:3000/",
    "https://192.0.2.1/",
  ];
  assert.equal(addresses.map(shown), [
    { host: "login.example.com", address: "https://login.example.com/authorize?a=1" },
    { host: "login.example.com:8443", address: "https://login.example.com:8443/" },
    { host: "127.0.0.1:4000", address: "http://127.0.0.1:4000/x" },
    { host: "localhost", address: "http://localhost/" },
    { host: "auth.localhost", address: "http://auth.localhost/" },
    { host: "[::1]:3000", address: "http://[::1]:3000/" },
    { host: "192.0.2.1", address: "https://192.0.2.1/" },
  ]);
});

test("A host in letters that look like others is shown as DNS has it, and hidden characters are spelled out", () => {
  assert.equal(
    [shown("https://gіthub.com/"), shown("https://a.example/\u202emoc.buhtig")],
    [
      { host: "xn--gthub-n2e.com", address: "https://xn--gthub-n2e.com/" },
      { host: "a.example", address: "https://a.example/%E2%80%AEmoc.buhtig" },
    ],
  );
});

test("Everything else is refused, and the message says what is accepted", () => {
  assert.equal(
    [
      shown("http://login.example.com/"),
      shown("http://localhost.example.com/"),
      shown("http://127.0.0.1.example.com/"),
      shown("https://github.com@evil.example/"),
      shown("https://:x@evil.example/"),
      shown("javascript:alert(1)"),
      shown("file:///etc/passwd"),
      shown("data:text/html,x"),
      shown("vscode://x/y"),
      shown(`https://a.example/?${"x".repeat(9_000)}`),
    ],
    [
      "uses plain HTTP to login.example.com",
      "uses plain HTTP to localhost.example.com",
      "uses plain HTTP to 127.0.0.1.example.com",
      "has a user name before its host",
      "has a user name before its host",
      "begins with javascript:",
      "begins with file:",
      "begins with data:",
      "begins with vscode:",
      "has more than 8,192 characters",
    ].map(refused),
  );
});

test("Nobody is sent to an address that is refused", async () => {
  const visited: string[] = [];
  const login = new Login({ server: "it", host: memoryHost({}), client: {}, secrets: [] });
  login.attach({
    redirectUrl: "http://127.0.0.1:1/callback",
    visit: async ({ address }) => {
      visited.push(address);
      return new URLSearchParams({ state: "" });
    },
    close: async () => undefined,
  });
  const said = await login.redirectToAuthorization(new URL("http://evil.example/")).then(
    () => "sent",
    (error: Error) => error.message,
  );
  await login.redirectToAuthorization(new URL("https://good.example/"));
  assert.equal([said, visited], [refused("uses plain HTTP to evil.example"), ["https://good.example/"]]);
});

test.run();
