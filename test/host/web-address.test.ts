import { assert, suite } from "../harness.ts";
import { specialRange } from "../../src/core/host/address-ranges.ts";
import { judgeAddress } from "../../src/features/web/host/web-address.ts";
import { createWeb } from "../../src/features/web/host/web.ts";
import { wordList } from "../lines.ts";

const test = suite("host/web-address");

/** Returns the guard's decision on an address, without a connection: a refusal, or that it would connect. */
async function judged(url: string, allowedHosts: readonly string[] = []): Promise<string> {
  const web = createWeb({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
  const result = await web.fetch({
    url,
    signal: new AbortController().signal,
    bytesMax: 10,
    timeoutMs: 5_000,
    redirectsMax: 0,
    allowedHosts,
  });
  return result.kind === "refused" ? result.reason : result.kind;
}

const range = (what: string, name: string): string =>
  `\`${name}\` is ${what === "unspecified" ? "an" : "a"} ${what} address, not one on the public internet`;
const named = (name: string): string => `\`${name}\` is 127.0.0.1, a loopback address, not one on the public internet`;
const unreadable = (text: string): string => `\`${text}\` is not a web address`;

const notations: readonly (readonly [url: string, reason: string])[] = [
  ["http://127.0.0.1/", range("loopback", "127.0.0.1")],
  ["http://127.0.0.1./", range("loopback", "127.0.0.1")],
  ["http://127.1/", range("loopback", "127.0.0.1")],
  ["http://127.0.1/", range("loopback", "127.0.0.1")],
  ["http://2130706433/", range("loopback", "127.0.0.1")],
  ["http://0x7f000001/", range("loopback", "127.0.0.1")],
  ["http://0x7f.1/", range("loopback", "127.0.0.1")],
  ["http://0177.0.0.1/", range("loopback", "127.0.0.1")],
  ["http://017700000001/", range("loopback", "127.0.0.1")],
  ["http://0x7F.0x0.0x0.0x1/", range("loopback", "127.0.0.1")],
  ["http://127.0.0.1%2e/", range("loopback", "127.0.0.1")],
  ["http://127%2e0.0.1/", range("loopback", "127.0.0.1")],
  ["http://①②⑦.⓪.⓪.①/", range("loopback", "127.0.0.1")],
  ["http://１２７.０.０.１/", range("loopback", "127.0.0.1")],
  ["http://127。0。0。1/", range("loopback", "127.0.0.1")],
  ["http:127.0.0.1/", range("loopback", "127.0.0.1")],
  ["http:\\\\127.0.0.1/", range("loopback", "127.0.0.1")],
  ["ht\ntp://127.0.\t0.1/", range("loopback", "127.0.0.1")],
  ["http://[::1]/", range("loopback", "::1")],
  ["http://[0:0:0:0:0:0:0:1]/", range("loopback", "::1")],
  ["http://[::ffff:127.0.0.1]/", range("loopback", "::ffff:7f00:1")],
  ["http://[::ffff:7f00:1]/", range("loopback", "::ffff:7f00:1")],
  ["http://[0:0:0:0:0:ffff:10.0.0.1]/", range("private", "::ffff:a00:1")],
  ["http://[::127.0.0.1]/", range("reserved", "::7f00:1")],
  ["http://[64:ff9b::127.0.0.1]/", range("loopback", "64:ff9b::7f00:1")],
  ["http://[64:ff9b::a9fe:a9fe]/", range("cloud metadata", "64:ff9b::a9fe:a9fe")],
  ["http://[64:ff9b:1::1]/", range("tunnel", "64:ff9b:1::1")],
  ["http://[2002:7f00:1::]/", range("tunnel", "2002:7f00:1::")],
  ["http://[2001:0:7f00:1::]/", range("tunnel", "2001:0:7f00:1::")],
  ["http://[fe80::1]/", range("link-local", "fe80::1")],
  ["http://[fe80::1%25eth0]/", unreadable("http://[fe80::1%25eth0]/")],
  ["http://[fe80::1%eth0]/", unreadable("http://[fe80::1%eth0]/")],
  ["http://[fd00::1]/", range("private", "fd00::1")],
  ["http://[fd00:ec2::254]/", range("cloud metadata", "fd00:ec2::254")],
  ["http://[fec0::1]/", range("private", "fec0::1")],
  ["http://[ff02::1]/", range("multicast", "ff02::1")],
  ["http://[::]/", range("unspecified", "::")],
  ["http://[2001:db8::1]/", range("reserved", "2001:db8::1")],
  ["http://[4000::1]/", range("reserved", "4000::1")],
  ["http://[100::1]/", range("reserved", "100::1")],
  ["http://0/", range("unspecified", "0.0.0.0")],
  ["http://４２/", range("unspecified", "0.0.0.42")],
  ["http://10.0.0.1/", range("private", "10.0.0.1")],
  ["http://172.16.0.1/", range("private", "172.16.0.1")],
  ["http://172.31.255.255/", range("private", "172.31.255.255")],
  ["http://192.168.1.1/", range("private", "192.168.1.1")],
  ["http://0300.0250.1/", range("private", "192.168.0.1")],
  ["http://169.254.169.254/latest/meta-data/", range("cloud metadata", "169.254.169.254")],
  ["http://2852039166/", range("cloud metadata", "169.254.169.254")],
  ["http://169.254.1.1/", range("link-local", "169.254.1.1")],
  ["http://168.63.129.16/", range("cloud metadata", "168.63.129.16")],
  ["http://100.100.100.200/", range("cloud metadata", "100.100.100.200")],
  ["http://100.64.0.1/", range("carrier-shared", "100.64.0.1")],
  ["http://192.0.0.1/", range("reserved", "192.0.0.1")],
  ["http://192.0.2.1/", range("reserved", "192.0.2.1")],
  ["http://192.88.99.1/", range("tunnel", "192.88.99.1")],
  ["http://198.18.0.1/", range("reserved", "198.18.0.1")],
  ["http://198.51.100.1/", range("reserved", "198.51.100.1")],
  ["http://203.0.113.1/", range("reserved", "203.0.113.1")],
  ["http://224.0.0.1/", range("multicast", "224.0.0.1")],
  ["http://240.0.0.1/", range("reserved", "240.0.0.1")],
  ["http://255.255.255.255/", range("reserved", "255.255.255.255")],
  ["http://localhost/", named("localhost")],
  ["http://localhost./", named("localhost")],
  ["http://LOCALHOST/", named("localhost")],
  ["http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", named("localhost")],
  ["http://127.0.0.1.nip.test/", named("127.0.0.1.nip.test")],
  ["http://1.2.3.4.5/", unreadable("http://1.2.3.4.5/")],
  ["http://256.1.1.1/", unreadable("http://256.1.1.1/")],
  ["http://user:password@example.test/", "the address of `example.test` holds a user name or a password"],
  ["http://user@127.0.0.1/", "the address of `127.0.0.1` holds a user name or a password"],
  ["http://example.test:25/", "port 25 is blocked, because it belongs to a service other than the web"],
  ["https://example.test:6667/", "port 6667 is blocked, because it belongs to a service other than the web"],
  ["http://example.test:0/", "port 0 is blocked, because it belongs to a service other than the web"],
  ["https://http://example.test/", "the address has two schemes"],
  ["http://https:///", "the address has two schemes"],
  ["file:///etc/passwd", "`file:` addresses are not supported"],
  ["ftp://example.test/", "`ftp:` addresses are not supported"],
  ["gopher://example.test/", "`gopher:` addresses are not supported"],
  ["data:text/html,hello", "`data:` addresses are not supported"],
  ["javascript:alert(1)", "`javascript:` addresses are not supported"],
  ["unix:/var/run/docker.sock", "`unix:` addresses are not supported"],
  ["//example.test/", unreadable("//example.test/")],
  ["example.test", unreadable("example.test")],
  ["", unreadable("")],
  ["http://", unreadable("http://")],
  ["\u{1b}[2Jhttp://x y/", unreadable("\u{FFFD}[2Jhttp://x y/")],
  [`http://example.test/${"a".repeat(16_384)}`, "the address has 16404 characters; the limit is 16384"],
];

test("createWeb refuses every address that is not of the public internet, in every notation", async () => {
  const actual = await Promise.all(notations.map(async ([url]) => [url, await judged(url)]));
  assert.equal(actual, notations);
});

test("specialRange leaves the public internet alone", () => {
  const addresses = wordList(`
    1.1.1.1 8.8.8.8 93.184.216.34 172.15.255.255 172.32.0.0 100.63.255.255 100.128.0.0 192.0.1.0 198.17.255.255
    223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2a00::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
  `);
  assert.equal(
    addresses.filter((address) => specialRange(address) !== undefined),
    [],
  );
});

test("specialRange does not know what is no IP address", () => {
  assert.equal(["", "localhost", "1.2.3", "127.0.0.1/8"].map(specialRange), [
    "unknown",
    "unknown",
    "unknown",
    "unknown",
  ]);
});

test("specialRange ignores a zone", () => {
  assert.equal(specialRange("fe80::1%eth0"), "link-local");
});

const entries: readonly (readonly [entry: string, url: string, isAllowed: boolean])[] = [
  ["wiki.test", "http://wiki.test/", true],
  ["wiki.test", "https://wiki.test:8443/", true],
  ["WIKI.test", "http://wiki.test./", true],
  ["wiki.test:80", "http://wiki.test/", true],
  ["wiki.test:443", "https://wiki.test/", true],
  ["wiki.test:80", "http://wiki.test:8080/", false],
  ["wiki.test:8080", "http://wiki.test/", false],
  ["wiki.test", "http://evil-wiki.test/", false],
  ["wiki.test", "http://wiki.test.evil.test/", false],
  ["wiki.test", "http://sub.wiki.test/", false],
  ["*", "http://wiki.test/", false],
  ["*.test", "http://wiki.test/", false],
  ["", "http://wiki.test/", false],
  ["127.0.0.1:3000", "http://2130706433:3000/", true],
  ["::1", "http://[::1]:3000/", true],
  ["[::1]:3000", "http://[0::1]:3000/", true],
  ["[::1]:3000", "http://[::1]:3001/", false],
  ["wiki.test@evil.test", "http://evil.test/", false],
  ["wiki.test/path", "http://wiki.test/", false],
  ["wiki.test:port", "http://wiki.test/", false],
];

test("judgeAddress allows exactly the configured hosts", () => {
  const actual = entries.map(([entry, url]) => {
    const verdict = judgeAddress(url, [entry]);
    return [entry, url, verdict.kind === "address" && verdict.isAllowedPrivate];
  });
  assert.equal(actual, entries);
});

test("createWeb says how a person allows a private address", async () => {
  const web = createWeb({ resolve: async () => [{ address: "10.1.2.3", family: 4 }] });
  const result = await web.fetch({
    url: "http://wiki.test/page",
    signal: new AbortController().signal,
    bytesMax: 10,
    timeoutMs: 5_000,
    redirectsMax: 0,
    allowedHosts: [],
  });
  assert.equal(result, {
    kind: "refused",
    reason: "`wiki.test` is 10.1.2.3, a private address, not one on the public internet",
    help: [
      "if a person wants to allow this server: set WEB_ALLOW_HOSTS, or `web.allow_hosts` in `config.yaml`, to `wiki.test:80`",
    ],
  });
});

test("createWeb does not say how to open cloud metadata", async () => {
  const web = createWeb();
  const result = await web.fetch({
    url: "http://169.254.169.254/",
    signal: new AbortController().signal,
    bytesMax: 10,
    timeoutMs: 5_000,
    redirectsMax: 0,
    allowedHosts: [],
  });
  assert.equal(result, {
    kind: "refused",
    reason: "`169.254.169.254` is a cloud metadata address, not one on the public internet",
    help: [],
  });
});

test.run();
