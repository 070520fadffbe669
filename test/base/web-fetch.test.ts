import { createHash } from "node:crypto";
import { assert, suite } from "../harness.ts";
import { webFetch } from "../../src/features/web/web-fetch.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import { runWebTool, type WebCall } from "./web-context.ts";
import { startServer } from "./web-server.ts";
import { wordList } from "../lines.ts";

const test = suite("base/web-fetch");

interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Returns the result of `web_fetch` for one page, at `http://site.test:PORT/docs/page?q=1`. */
async function fetched(page: Page, args: JsonObject = {}, call: WebCall = {}): Promise<Outcome> {
  const server = await startServer(
    (_request, response) => void response.writeHead(page.status ?? 200, page.headers).end(page.body),
  );
  try {
    const outcome = await runWebTool(
      webFetch,
      { url: `http://site.test:${server.port}/docs/page?q=1`, ...args },
      { ...call, settings: { "web.allow_hosts": `other.test, site.test:${server.port}` } },
    );
    return JSON.parse(JSON.stringify(outcome).replaceAll(`:${server.port}`, ":PORT")) as Outcome;
  } finally {
    await server.close();
  }
}

function html(body: string | Uint8Array, contentType = "text/html; charset=utf-8"): Page {
  return { headers: { "content-type": contentType }, body };
}

function text(value: string): Outcome {
  return { status: "ok", content: [{ type: "text", text: value }], isUntrusted: true };
}

function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const filler =
  "This sentence is here so that the main content is long enough to be taken for the main content of the page. "
    .repeat(2)
    .trim();
const article = `<!doctype html><html><head><title>The page</title><style>p{}</style><base href="/base/"></head><body>
<header><a href="/home">Home</a></header><nav><a href="/menu">Menu</a></nav>
<main><h1>Hello &amp; welcome</h1><p>${filler}</p>
<p>See <a href="next?x=1&amp;y=2">next</a>, <a href="//cdn.test/f">far</a>, <a href="#part">part</a>, <a href="javascript:alert(1)">script</a> and <a href="data:text/html,x">data</a>.</p>
<img src="pic.png" alt="A picture"><img src="data:image/png;base64,AAAA" alt="Inline"><img src="pixel.gif">
<ul><li>one<ul><li>two</li></ul></li></ul><pre><code class="language-js">let x = 1 &lt; 2;</code></pre>
<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
<aside>Advertisement</aside><button>Buy</button><script>var hidden = "</main>";</script></main><footer>Imprint</footer></body></html>`;

test("web_fetch turns the main content of a page into Markdown", async () => {
  assert.equal(
    await fetched(html(article)),
    text(`The page

# Hello & welcome

${filler}

See [next](http://site.test:PORT/base/next?x=1&y=2), [far](http://cdn.test/f), [part](#part), script and data.

![A picture](http://site.test:PORT/base/pic.png)

- one
  - two

\`\`\`js
let x = 1 < 2;
\`\`\`

| a | b |
| --- | --- |
| 1 | 2 |`),
  );
});

test("web_fetch turns the main content of a page into plain text", async () => {
  assert.equal(
    await fetched(
      html(
        `<head><title>T</title></head><nav>Menu</nav><main><h1>Hello</h1><p><b>Bold</b> <a href="x">link</a> ${filler}</p></main>`,
      ),
      { format: "text" },
    ),
    text(`T

Hello

Bold link ${filler}`),
  );
});

test("web_fetch takes the whole page when the main content is next to nothing", async () => {
  assert.equal(
    await fetched(html("<nav><a href='/menu'>Menu</a></nav><main><p>Little</p></main><div>Loaded elsewhere</div>")),
    text(`[Menu](http://site.test:PORT/menu)

Little

Loaded elsewhere`),
  );
});

test("web_fetch gives a page as it came with raw", async () => {
  assert.equal(await fetched(html("<p>caf\u{e9}\u{1b}[0m</p>"), { format: "raw" }), text("<p>caf\u{e9}\u{1b}[0m</p>"));
});

test("web_fetch removes what moves a cursor or hides from a reader", async () => {
  assert.equal(
    await fetched(html("<p>a\u{1b}[2Jb\u{9b}c\u{e0041}\u{e0042}d\te\u{200d}f</p>")),
    text("a\\[2Jbcd e\u{200d}f"),
  );
  assert.equal(
    await fetched({ headers: { "content-type": "text/plain" }, body: "a\u{1b}]0;title\u{7}b\r\nc" }),
    text("a]0;titleb\r\nc"),
  );
});

test("web_fetch gives text, JSON and XML as they are", async () => {
  const types = wordList(`
    text/plain text/markdown text/css application/json application/problem+json application/xml
    application/rss+xml image/svg+xml application/javascript
  `);
  const outcomes = await Promise.all(
    types.map((type) => fetched({ headers: { "content-type": type }, body: `{"a": "<b>é</b>"}\n` })),
  );
  assert.equal(
    outcomes,
    types.map(() => text(`{"a": "<b>é</b>"}\n`)),
  );
});

const latin1 = Buffer.from("caf\u{e9} \u{fc}ber", "latin1");
const charsets: readonly (readonly [name: string, page: Page, expected: string])[] = [
  ["header", { headers: { "content-type": "text/plain; charset=ISO-8859-1" }, body: latin1 }, "café über"],
  [
    "quoted header",
    { headers: { "content-type": 'text/plain; format=flowed; charset="iso-8859-1"' }, body: latin1 },
    "café über",
  ],
  [
    "windows-1252 under its alias latin1",
    { headers: { "content-type": "text/plain; charset=latin1" }, body: Uint8Array.of(0x80, 0x20, 0x93) },
    "€ “",
  ],
  [
    "shift_jis",
    {
      headers: { "content-type": "text/plain; charset=Shift_JIS" },
      body: Uint8Array.of(0x83, 0x65, 0x83, 0x58, 0x83, 0x67),
    },
    "テスト",
  ],
  [
    "gb18030",
    { headers: { "content-type": "text/plain; charset=gb2312" }, body: Uint8Array.of(0xd6, 0xd0, 0xce, 0xc4) },
    "中文",
  ],
  ["euc-kr", { headers: { "content-type": "text/plain; charset=euc-kr" }, body: Uint8Array.of(0xc7, 0xd1) }, "한"],
  [
    "koi8-r",
    { headers: { "content-type": "text/plain; charset=koi8-r" }, body: Uint8Array.of(0xcd, 0xc9, 0xd2) },
    "мир",
  ],
  [
    "UTF-16LE mark",
    {
      headers: { "content-type": "text/plain" },
      body: Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from("wide é", "utf16le")]),
    },
    "wide é",
  ],
  [
    "UTF-16BE mark",
    {
      headers: { "content-type": "text/plain" },
      body: Buffer.concat([Uint8Array.of(0xfe, 0xff), Buffer.from("wide é", "utf16le").swap16()]),
    },
    "wide é",
  ],
  [
    "UTF-16LE header",
    { headers: { "content-type": "text/plain; charset=utf-16le" }, body: Buffer.from("wide é", "utf16le") },
    "wide é",
  ],
  ["mark before header", { headers: { "content-type": "text/plain; charset=iso-8859-1" }, body: "\u{feff}é" }, "é"],
  [
    "meta",
    html(
      Buffer.from('<meta charset="windows-1251"><p>\u{ef}\u{f0}\u{e8}\u{e2}\u{e5}\u{f2}</p>', "latin1"),
      "text/html",
    ),
    "привет",
  ],
  [
    "meta http-equiv",
    html(
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\u{ec}</p>', "latin1"),
      "text/html",
    ),
    "м",
  ],
  ["header before meta", html('<meta charset="windows-1251"><p>é</p>', "text/html; charset=utf-8"), "é"],
  ["meta that lies about UTF-16", html('<meta charset="utf-16"><p>é</p>', "text/html"), "é"],
  [
    "XML declaration",
    {
      headers: { "content-type": "application/xml" },
      body: Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u{e9}</a>', "latin1"),
    },
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>',
  ],
  ["none, UTF-8 bytes", { headers: { "content-type": "text/plain" }, body: "café" }, "café"],
  ["none, other bytes", { headers: { "content-type": "text/plain" }, body: latin1 }, "café über"],
  ["unknown name", { headers: { "content-type": "text/plain; charset=klingon" }, body: "café" }, "café"],
];

test("web_fetch decodes by byte order mark, header, declaration and by the bytes", async () => {
  const actual = await Promise.all(charsets.map(async ([name, page]) => [name, await fetched(page)]));
  assert.equal(
    actual,
    charsets.map(([name, , expected]) => [name, text(expected)]),
  );
});

test("web_fetch reads a page without a type by its first bytes", async () => {
  assert.equal(
    await Promise.all([
      fetched({ body: "<!-- c -->\n<!DOCTYPE html><p>page</p>" }),
      fetched({ headers: { "content-type": "nonsense" }, body: "<html><p>page</p>" }),
      fetched({ headers: { "content-type": "application/octet-stream" }, body: "#!/bin/sh\necho <p>é\n" }),
    ]),
    [text("page"), text("page"), text("#!/bin/sh\necho <p>é\n")],
  );
});

const png = Buffer.concat([Buffer.from("\u{89}PNG\r\n\u{1a}\n", "latin1"), Buffer.alloc(20)]);

test("web_fetch returns an image as an image, by its bytes and not by its header", async () => {
  const image: Outcome = {
    status: "ok",
    content: [{ type: "image", mediaType: "image/png", base64: png.toString("base64") }],
    isUntrusted: true,
  };
  assert.equal(await fetched({ headers: { "content-type": "image/jpeg" }, body: png }), image);
});

test("web_fetch describes an image that is too large, or cut, as a file", async () => {
  const large = Buffer.concat([png, Buffer.alloc(3_750_000)]);
  assert.equal(await fetched({ headers: { "content-type": "image/png" }, body: large }), {
    status: "ok",
    content: [{ type: "file", mediaType: "image/png", sizeBytes: large.length, sha256: sha256(large) }],
    isUntrusted: true,
  });
  assert.equal(await fetched({ headers: { "content-type": "image/png" }, body: png }, { max_bytes: 20 }), {
    status: "ok",
    content: [
      { type: "file", mediaType: "image/png", sizeBytes: 20 },
      { type: "text", text: "[cut: these are the first 20 bytes; pass a larger `max_bytes` for more]" },
    ],
    isUntrusted: true,
  });
});

test("web_fetch describes other files by type, size and hash", async () => {
  const files: readonly (readonly [type: string, body: string, mediaType: string])[] = [
    ["application/pdf", "%PDF-1.7", "application/pdf"],
    ["Application/ZIP; x=y", "PK", "application/zip"],
    ["application/octet-stream", "\0\u{1}\u{2}", "application/octet-stream"],
    ["text/html", "<p>\0\u{1}", "text/html"],
    ["image/png", "no image", "image/png"],
    ['video/mp4; x="\u{1b}[0m"', "film", "video/mp4"],
  ];
  const actual = await Promise.all(
    files.map(([type, body]) => fetched({ headers: { "content-type": type.replace("\u{1b}", "") }, body })),
  );
  assert.equal(
    actual,
    files.map(([, body, mediaType]) => ({
      status: "ok",
      content: [{ type: "file", mediaType, sizeBytes: body.length, sha256: sha256(body) }],
      isUntrusted: true,
    })),
  );
});

test("web_fetch gives the bytes of anything with base64", async () => {
  assert.equal(
    await fetched(
      { headers: { "content-type": "application/pdf" }, body: Uint8Array.of(0, 255, 10) },
      { format: "base64" },
    ),
    text("AP8K"),
  );
});

test("web_fetch gives no part of a file as if it were the file", async () => {
  assert.equal(
    await fetched(
      { headers: { "content-type": "application/pdf" }, body: "0123456789" },
      { format: "base64", max_bytes: 4 },
    ),
    {
      status: "failed",
      content: [],
      failure: { kind: "limit", limit: 4, unit: "bytes of answer", help: ["pass a larger `max_bytes`"] },
    },
  );
});

test("web_fetch says where it cut a text, and cuts no character into a wrong one", async () => {
  assert.equal(await fetched({ headers: { "content-type": "text/plain" }, body: "aé".repeat(10) }, { max_bytes: 5 }), {
    status: "ok",
    content: [
      { type: "text", text: "aéa" },
      { type: "text", text: "[cut: these are the first 5 bytes; pass a larger `max_bytes` for more]" },
    ],
    isUntrusted: true,
  });
});

test("web_fetch gives empty text for an empty answer", async () => {
  assert.equal(await Promise.all([fetched({ status: 204, body: "" }), fetched(html(""))]), [text(""), text("")]);
});

function answered(status: number, help: readonly string[], content: readonly unknown[] = []): unknown {
  return {
    status: "failed",
    content,
    failure: {
      kind: "network",
      url: "http://site.test:PORT/docs/page?q=1",
      reason: `the answer has status ${status}`,
      help,
    },
    isUntrusted: true,
  };
}

test("web_fetch fails with the status and the start of what came with it", async () => {
  assert.equal(
    await fetched({ ...html("<h1>Not here</h1>"), status: 404 }),
    answered(404, ["check the spelling of the address"], [{ type: "text", text: "# Not here" }]),
  );
  assert.equal(
    await fetched({ headers: { "content-type": "text/plain" }, body: "x".repeat(3_000), status: 500 }),
    answered(500, ["try again later"], [{ type: "text", text: `${"x".repeat(2_000)}…` }]),
  );
  assert.equal(
    await fetched({ headers: { "content-type": "image/png" }, body: png, status: 403 }),
    answered(403, ["the page needs a login, or blocks programs"]),
  );
  assert.equal(
    await fetched({ body: "", status: 429, headers: { "retry-after": "30" } }),
    answered(429, ["try again in 30 s"]),
  );
  assert.equal(
    await fetched({ body: "", status: 503, headers: { "retry-after": "Fri, 31 Dec 2027 23:59:59 GMT" } }),
    answered(503, ["try again later"]),
  );
  assert.equal(await fetched({ body: "", status: 418 }), answered(418, []));
  assert.equal(await fetched({ body: "", status: 304 }), answered(304, []));
});

test("web_fetch asks for what its format can show", async () => {
  const server = await startServer((_request, response) => void response.end());
  try {
    for (const format of ["markdown", "text", "raw", "base64"])
      await runWebTool(
        webFetch,
        { url: `${server.origin}/`, format },
        { settings: { "web.allow_hosts": "127.0.0.1" } },
      );
    assert.equal(
      server.seen.map((request) => request.headers["accept"]),
      [
        "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
        "text/plain, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5",
        "*/*",
        "*/*",
      ],
    );
  } finally {
    await server.close();
  }
});

test("web_fetch reaches no private address that is not configured", async () => {
  const server = await startServer((_request, response) => void response.end("secret"));
  try {
    const outcome = await runWebTool(
      webFetch,
      { url: `http://user:password@127.0.0.1:${server.port}/` },
      { settings: { "web.allow_hosts": "other.test" } },
    );
    assert.equal(outcome, {
      status: "failed",
      content: [],
      failure: {
        kind: "network",
        url: `${server.origin}/`,
        reason: `the address of \`${server.host}\` holds a user name or a password`,
        help: ["remove the part before the `@`"],
      },
    });
    const second = await runWebTool(webFetch, { url: `${server.origin}/#part` });
    assert.equal(second, {
      status: "failed",
      content: [],
      failure: {
        kind: "network",
        url: `${server.origin}/`,
        reason: "`127.0.0.1` is a loopback address, not one on the public internet",
        help: [
          `if a person wants to allow this server: set WEB_ALLOW_HOSTS, or \`web.allow_hosts\` in \`config.yaml\`, to \`${server.host}\``,
        ],
      },
    });
    assert.is(server.seen.length, 0);
  } finally {
    await server.close();
  }
});

test("web_fetch is bound by the limits and the signal of its call", async () => {
  const stop = new AbortController();
  const server = await startServer((request) => {
    if (request.path === "/stop") stop.abort();
  });
  try {
    const settings = { "web.allow_hosts": "127.0.0.1" };
    assert.equal(await runWebTool(webFetch, { url: `${server.origin}/` }, { settings, timeoutMs: 80 }), {
      status: "failed",
      content: [],
      failure: { kind: "timeout", limitMs: 80 },
    });
    assert.equal(await runWebTool(webFetch, { url: `${server.origin}/stop` }, { settings, signal: stop.signal }), {
      status: "failed",
      content: [],
      failure: { kind: "cancelled" },
    });
  } finally {
    await server.close();
  }
});

test("web_fetch converts pages that were made to be slow", async () => {
  const times = 20_000;
  const hostile = [
    "<div>",
    "<b>",
    "<ul><li>",
    "<blockquote>",
    "<",
    '<a href="',
    "<!--",
    "&amp;",
    "<table><tr><td>",
    "<pre>",
    "<![CDATA[",
    "[](",
    "<svg>",
    "`",
  ];
  const outcomes = await Promise.all(hostile.map((piece) => fetched(html(piece.repeat(times)))));
  assert.equal(
    outcomes.map((outcome) => outcome.status),
    hostile.map(() => "ok"),
  );
});

test("web_fetch gives up on a page that takes too long to convert", async () => {
  assert.equal(await fetched(html("<p>slow</p>"), {}, { isSlow: true }), {
    status: "failed",
    content: [],
    failure: {
      kind: "limit",
      limit: 10_000,
      unit: "ms of converting HTML",
      help: ["pass `raw` as `format` to get the page unchanged"],
    },
  });
  assert.equal(
    await fetched({ ...html("<p>slow</p>"), status: 500 }, {}, { isSlow: true }),
    answered(500, ["try again later"]),
  );
});

test("web_fetch is bounded while it converts, in the real host", async () => {
  const { convertPage } = await import("../../src/features/web/web-page.ts");
  const { createNodeHost } = await import("../../src/core/host/node-host.ts");
  assert.is(
    await convertPage("<p>page</p>", { format: "markdown", url: "http://site.test/", host: createNodeHost() }),
    "page",
  );
});

test.run();
