// A bundle that updates itself, by the built executable: from places of each kind, and from places that attack. What was
// there is there after each refusal.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { typeAtTerminal } from "../at-terminal.ts";
import { selfSigned } from "../base/self-signed.ts";
import { assert, suite } from "../harness.ts";
import { startRegistry } from "../packages/registry-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";
import {
  type Answer,
  answerWith,
  asked,
  bundle,
  copy,
  FACTS,
  first,
  folder,
  greet,
  isAsBefore,
  key,
  made,
  NOBODY,
  place,
  project,
  publish,
  root,
  run,
  type RunOptions,
  serve,
  url,
  write,
} from "./updates.ts";

const test = suite("self-update");

test("`--new-key` writes a private key that only its owner can read, and replaces no file", async () => {
  assert.match(made.stdout, /^wrote .*team\.key: keep it secret, and keep it, /);
  assert.is(statSync(key).mode & 0o777, 0o600);
  const again = await run(packagedFile, ["bundle", "--new-key", key]);
  assert.equal([again.exitCode, /exists; `--new-key` takes the name of a new file/.test(again.stderr)], [64, true]);
});

test("self-update replaces the file behind a link, with its rights, and the old one stays beside it", async () => {
  await publish("1.1.0");
  const file = copy();
  chmodSync(file, 0o750);
  const link = join(folder("links"), "ot");
  symlinkSync(file, link);
  const home = folder("home");
  assert.equal(await run(link, ["self-update"], { home }), {
    exitCode: 0,
    stdout: `ourtools 1.1.0 is in place of 1.0.0; the old one is \`${file}.old\`\n`,
    stderr: "",
  });
  assert.equal(readdirSync(dirname(file)), ["ourtools", "ourtools.old"]);
  assert.equal(
    [file, link, `${file}.old`].map((path) => statSync(path).mode & 0o777),
    [0o750, 0o750, 0o750],
  );
  const greeted = await Promise.all(
    [link, `${file}.old`].map((path) => run(path, ["greet", "--name", "Ana"], { home })),
  );
  assert.equal(
    greeted.map(({ stdout }) => stdout),
    ["1.1.0 Ana\n", "1.0.0 Ana\n"],
  );
  assert.equal(await run(file, ["self-update"], { home }), {
    exitCode: 0,
    stdout: `ourtools 1.1.0 is the newest that ${url} has\n`,
    stderr: "",
  });
});

test("a folder is a place too, and one release replaces another there", async () => {
  const shared = folder("shared");
  const file = await bundle("1.0.0", { from: shared, release: shared });
  await bundle("1.0.1", { from: shared, release: shared });
  await bundle("1.0.2-beta.1", { from: shared, release: shared });
  assert.match((await run(file, ["self-update"])).stdout, /^ourtools 1\.0\.2-beta\.1 is in place of 1\.0\.0;/);
});

test("packages of a registry are a place too", async () => {
  const [npm = ""] = needPrograms("npm");
  const registry = await startRegistry();
  const home = folder("home");
  const login = `${registry.url.replace("http:", "")}:_authToken=any\n`;
  write(join(home, ".npmrc"), `registry=${registry.url}\n${login}`);
  const release = folder("release");
  const from = "npm:@team/ourtools";
  const file = await bundle("1.0.0", { from, release });
  const packed = join(release, `ourtools-${packagedTarget}`);
  const publishing = async (): Promise<void> => {
    const environment = { PATH: `${dirname(npm)}:${process.env["PATH"] ?? ""}` };
    const published = await run(npm, ["publish", packed, "--loglevel=error"], { home, environment });
    assert.is(published.exitCode, 0, published.stderr);
  };
  await publishing();
  assert.is(
    (await run(file, ["self-update"], { home })).stdout,
    "ourtools 1.0.0 is the newest that npm:@team/ourtools has\n",
  );
  rmSync(packed, { recursive: true });
  await bundle("1.1.0", { from, release });
  await publishing();
  const updated = await run(file, ["self-update"], { home });
  assert.match(updated.stdout, /^ourtools 1\.1\.0 is in place of 1\.0\.0;/, updated.stderr);
  assert.is((await run(file, ["greet", "--name", "Ana"])).stdout, "1.1.0 Ana\n");
});

/** Returns the first line of what a copy of the first version says, which stays as it is. */
async function refusal(options: RunOptions = {}): Promise<string> {
  const file = copy();
  const { exitCode, stdout, stderr } = await run(file, ["self-update"], options);
  assert.equal([stdout, exitCode === 0, isAsBefore(file)], ["", false, true], stderr);
  return stderr.split("\n", 1)[0]?.replaceAll(url, "PLACE") ?? "";
}

test("what is not signed as it is with the team's key is refused, and the program stays as it is", async () => {
  await publish("2.0.0");
  const executable = join(place, `ourtools-2.0.0-${packagedTarget}`);
  const bytes = readFileSync(executable);
  const facts = readFileSync(join(place, FACTS), "utf8");
  const said: string[] = [];
  const tries: readonly (() => void | Promise<void>)[] = [
    () => writeFileSync(executable, bytes.subarray(0, bytes.length - 1000)),
    () => writeFileSync(executable, bytes.fill(7, 1000, 1001)),
    () => writeFileSync(executable, Buffer.concat([bytes, bytes])),
    () => rmSync(executable),
    () => writeFileSync(join(place, FACTS), facts.replace("2.0.0", "3.0.0")),
    () => writeFileSync(join(place, FACTS), facts.replace(/"signature".*/, '"signature": "" ')),
    () => writeFileSync(join(place, FACTS), "<html>"),
    () => rmSync(join(place, FACTS)),
    () => publish("0.9.0"),
    () => publish("2.0.0", { name: "others" }),
    () => cpSync(join(place, `others-${packagedTarget}.json`), join(place, FACTS)),
    async () => {
      const other = join(root, "other.key");
      await run(packagedFile, ["bundle", "--new-key", other]);
      await publish("2.0.0", { sign: other });
    },
  ];
  for (const attack of tries) {
    await attack();
    said.push(await refusal());
  }
  const [exe, unsigned] = [
    `ourtools-2.0.0-${packagedTarget}`,
    `\`${FACTS}\` in \`PLACE\` is not signed with the key of ourtools`,
  ];
  assert.equal(
    said,
    [
      `\`${exe}\` from \`PLACE\` is not the file that was signed`,
      `\`${exe}\` from \`PLACE\` is not the file that was signed`,
      `\`PLACE/${exe}\` cannot be reached: has more than ${bytes.length} bytes`,
      `there is nothing at \`PLACE/${exe}\``,
      unsigned,
      unsigned,
      unsigned,
      `there is nothing at \`PLACE/${FACTS}\``,
      "`PLACE` has ourtools 0.9.0, which is older than this, 1.0.0",
      `there is nothing at \`PLACE/${FACTS}\``,
      unsigned,
      unsigned,
    ].map((line) => `failed[self-update]: ${line}`),
  );
});

test("a place without end, that hangs or that breaks off is given up, and the program stays as it is", async () => {
  await publish("2.0.0");
  const endless = (response: ServerResponse): void => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  };
  const said: string[] = [];
  for (const attack of [
    (_request, response) => endless(response),
    (request, response) => (request.url?.endsWith(".json") ? serve(request, response) : endless(response)),
    () => undefined,
    (request, response) => {
      if (request.url?.endsWith(".json")) return serve(request, response);
      response.writeHead(200, { "content-length": 1000 }).write("MZ");
      setImmediate(() => response.destroy());
    },
  ] satisfies readonly Answer[]) {
    answerWith(attack);
    said.push((await refusal()).replace(/(?<=reached: )(?!has).*/, "…"));
  }
  const { sizeBytes } = JSON.parse(readFileSync(join(place, FACTS), "utf8")) as { readonly sizeBytes: number };
  const executable = `ourtools-2.0.0-${packagedTarget}`;
  assert.equal(said, [
    `failed[self-update]: \`PLACE/${FACTS}\` cannot be reached: has more than 65536 bytes`,
    `failed[self-update]: \`PLACE/${executable}\` cannot be reached: has more than ${sizeBytes} bytes`,
    "failed[self-update]: `PLACE` did not answer within 10 s",
    `failed[self-update]: \`PLACE/${executable}\` cannot be reached: …`,
  ]);
});

test("a place that leads from https to http is refused", async () => {
  const secure = createSecure({ cert: selfSigned.certificate, key: selfSigned.key }, (request, response) => {
    response.writeHead(302, { location: `${url}${request.url ?? ""}` }).end();
  });
  await once(secure.listen(0, "127.0.0.1"), "listening");
  secure.unref();
  await publish("2.0.0");
  const file = await bundle("1.0.0", { from: `https://127.0.0.1:${(secure.address() as AddressInfo).port}/` });
  const home = folder("home");
  write(join(home, ".npmrc"), "strict-ssl=false\n");
  const before = asked.length;
  const { exitCode, stderr } = await run(file, ["self-update"], { home });
  assert.equal([exitCode, asked.length - before], [1, 0]);
  assert.match(stderr, "it leads from https to http: ");
});

test("a folder that cannot be written to is said before the download, with what to type", async () => {
  await publish("2.0.0");
  const file = copy();
  chmodSync(file, 0o755);
  chmodSync(dirname(file), 0o555);
  const before = asked.length;
  const { exitCode, stderr } = await run(file, ["self-update"], process.getuid?.() === 0 ? { user: NOBODY } : {});
  assert.equal(
    [exitCode, stderr, asked.slice(before)],
    [
      1,
      `failed[self-update]: \`${file}\` cannot be replaced (EACCES); nothing has changed\n  = \`sudo ${file} self-update\`, or copy it to a folder of yours, and update it there\n`,
      [`/${FACTS}`],
    ],
  );
  assert.ok(isAsBefore(file));
});

test("a full disk leaves the old one alone", async () => {
  writeFileSync(join(project, ".tools/more"), randomBytes(1 << 20));
  await publish("2.1.0");
  rmSync(join(project, ".tools/more"));
  const found: unknown[] = [];
  const size = statSync(first).size;
  const { sizeBytes } = JSON.parse(readFileSync(join(place, FACTS), "utf8")) as { readonly sizeBytes: number };
  for (const limitBytes of [size - 4096, (size + sizeBytes) / 2]) {
    const file = copy();
    const line = `trap '' XFSZ; ulimit -f ${Math.ceil(limitBytes / 512)}; exec "$@"`;
    const { exitCode, stderr } = await run("/bin/sh", ["-c", line, "sh", file, "self-update"]);
    const greeted = await run(file, ["greet", "--name", "Ana"]);
    found.push([exitCode, stderr.split("\n")[0]?.replace(file, "FILE"), greeted.stdout, readdirSync(dirname(file))]);
  }
  const said = "failed[self-update]: `FILE` cannot be replaced (EFBIG); nothing has changed";
  assert.equal(found, [
    [1, said, "1.0.0 Ana\n", ["ourtools"]],
    [1, said, "1.0.0 Ana\n", ["ourtools"]],
  ]);
});

test("two self-updates at once leave the new one and the old one", async () => {
  await publish("2.0.0");
  const file = copy();
  const both = await Promise.all([1, 2].map(() => run(file, ["self-update"])));
  for (const { exitCode, stderr } of both)
    assert.ok(
      exitCode === 0 ||
        /was replaced while this program ran\n {2}= another update has just replaced it; run it again to see\n$/.test(
          stderr,
        ),
      stderr,
    );
  assert.ok(both.some(({ exitCode }) => exitCode === 0));
  assert.equal(readdirSync(dirname(file)), ["ourtools", "ourtools.old"]);
  const versions = await Promise.all([file, `${file}.old`].map((path) => run(path, ["greet", "--name", "Ana"])));
  assert.equal(
    versions.map(({ stdout }) => stdout),
    ["2.0.0 Ana\n", "1.0.0 Ana\n"],
  );
});

test("a tool does not update the program", async () => {
  await publish("2.0.0");
  assert.is(
    await refusal({ environment: { DOTTOOL_RUN_ID: "x" } }),
    "failed[self-update]: a tool started `self-update`, and only a person may update",
  );
});

test("what no program could use as its place, or as its release, is refused when it is built", async () => {
  const says = async (...words: readonly string[]): Promise<string> =>
    (await run(packagedFile, ["bundle", "-o", "ourtools", ...words], { cwd: project })).stderr.split("\n")[0] ?? "";
  const signed = ["--sign", key];
  const released = folder("released");
  const before = readdirSync(project);
  const other = join(root, "another.key");
  await run(packagedFile, ["bundle", "--new-key", other]);
  await bundle("1.0.0", { release: released });
  write(join(project, ".tools/greet.tool"), greet("changed"));
  const at = ["--update-from", url, "--release", released];
  const said = [
    await says("--sign", key),
    await says("--update-from", url),
    await says("--update-from", url, "--sign", "nowhere.key"),
    await says("--update-from", url, "--sign", ".tools/greet.tool"),
    await says("--update-from", url.replace("//", "//ana:secret@"), ...signed),
    await says("--update-from", url.replace("http://", "HTTPS://ana:secret@"), ...signed),
    await says("--update-from", "http:/h/x", ...signed),
    await says("--update-from", "nowhere", ...signed),
    await says("--update-from", "npm:No Name", ...signed),
    await says(...at, ...signed),
  ];
  write(join(project, ".tools/package.json"), '{"version": "1.1.0"}');
  said.push(await says(...at, "--sign", other));
  write(join(project, ".tools/package.json"), '{"version": "0.9.0"}');
  said.push(await says(...at, ...signed));
  write(join(project, ".tools/package.json"), '{"version": "1"}');
  said.push(await says("--update-from", url, ...signed));
  assert.equal(
    said.map((line) => line.replaceAll(released, "RELEASED")),
    [
      "failed[usage]: `--sign` is for a bundle with `--update-from PLACE`",
      "failed[bundle]: updates need a key that signs them",
      "failed[bundle]: there is no `nowhere.key`",
      "failed[bundle]: `.tools/greet.tool` is not a private Ed25519 key in PEM without a passphrase",
      "failed[bundle]: everyone who gets the bundle could read the login in `--update-from`",
      "failed[bundle]: everyone who gets the bundle could read the login in `--update-from`",
      "failed[bundle]: `http:/h/x` is not an address, a folder or the name of a package",
      "failed[bundle]: `nowhere` is not an address, a folder or the name of a package",
      "failed[bundle]: `npm:No Name` is not an address, a folder or the name of a package",
      `failed[bundle]: \`RELEASED/ourtools-1.0.0-${packagedTarget}\` exists, with other content`,
      `failed[bundle]: \`RELEASED/${FACTS}\` is signed with another key`,
      `failed[bundle]: \`RELEASED/${FACTS}\` has 1.0.0, and this is 0.9.0`,
      "failed[bundle]: a bundle with updates needs a version",
    ],
  );
  assert.equal(readdirSync(project), before);
});

test("a person at a terminal is told of a newer version once a day, and nobody else is", async () => {
  needPrograms("script");
  await publish("2.0.0");
  const file = copy();
  const home = folder("home");
  const before = asked.length;
  const environment = { PATH: "/usr/bin:/bin", HOME: home };
  const at = async (line: string, more: Readonly<Record<string, string>> = {}): Promise<boolean> =>
    (await typeAtTerminal(line, { folder: dirname(file), environment: { ...environment, ...more } })).text.includes(
      "ourtools 2.0.0 is there, and this is 1.0.0: `ourtools self-update`",
    );
  const stamp = join(home, ".cache/dottool/updates/ourtools");
  assert.equal(
    [
      await at("./ourtools greet --name Ana"),
      await at("./ourtools list", { CI: "1" }),
      await at("./ourtools list 2>&1 | cat"),
      await at("./ourtools list | wc -l"),
      await at("x=$(./ourtools list --json)"),
      await at("./ourtools list --json"),
      await at("./ourtools mcp < /dev/null"),
      existsSync(stamp),
      asked.length - before,
    ],
    [false, false, false, false, false, false, false, false, 0],
  );
  assert.equal(
    [await at("./ourtools"), await at("./ourtools --help"), await at("./ourtools list")],
    [true, false, false],
  );
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(stamp, longAgo, longAgo);
  assert.equal([await at("./ourtools --help"), await at("./ourtools doctor")], [true, false]);
  assert.is(asked.length - before, 2);
  utimesSync(stamp, longAgo, longAgo);
  await publish("2.0.0-beta.1");
  assert.is(
    (await typeAtTerminal("./ourtools list", { folder: dirname(file), environment })).text.includes("2.0.0"),
    false,
  );
  utimesSync(stamp, longAgo, longAgo);
  answerWith(() => undefined);
  assert.is(await at("./ourtools list"), false);
});

test("doctor --update asks the place, and --bundle-info shows it with the key", async () => {
  await publish("2.0.0");
  const home = folder("home");
  const row = async (): Promise<string | undefined> =>
    (await run(first, ["doctor", "--update"], { home })).stdout
      .split("\n")
      .find((line) => line.includes("newest version"));
  assert.match((await row()) ?? "", /no {2}newest version +2\.0\.0 is at http/);
  await publish("1.0.0");
  assert.match((await row()) ?? "", /ok {2}newest version +this is the newest that/);
  const { stdout } = await run(first, ["--bundle-info"], { home });
  assert.match(stdout, new RegExp(`\nupdates from: ${url}\nsigned with the key: MCowBQYDK2VwAyEA.{43}=\n`));
});

test.run();
