// Observations hold as long as each answer is the same. A question that cannot be repeated is never observed.
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { isAsObserved, observe } from "../../src/features/list/observed-host.ts";
import type { FileFacts, Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { CatalogueBench } from "./catalogue-bench.ts";

const test = suite("observed host");

const LATER_MS = 10_000;

interface Bench extends CatalogueBench {
  readonly later: Host;
}

function withFiles(body: (bench: Bench) => void): void {
  const bench = new CatalogueBench({ "a/x": "one", "a/y": "two", "bin/run": "", "other/bin/run": "" });
  try {
    for (const path of ["bin/run", "other/bin/run"]) chmodSync(bench.at(path), 0o755);
    symlinkSync(bench.at("a"), bench.at("link"));
    const later = { ...bench.host, timestamp: () => new Date(Date.now() + LATER_MS).toISOString() };
    body(Object.assign(bench, { later }));
  } finally {
    bench.remove();
  }
}

/** A changed file differs in size, because the clock only pretends to be later. */
const questions: Readonly<
  Record<string, readonly [ask: (host: Host, bench: Bench) => unknown, change: (bench: Bench) => void]>
> = {
  stat: [({ instant }, { at }) => instant.stat(at("a/x")), (bench) => utimesSync(bench.at("a/x"), 1, 1)],
  "stat of nothing": [({ instant }, { at }) => instant.stat(at("a/z")), (bench) => bench.write("a/z", "")],
  isLink: [({ instant }, { at }) => instant.isLink(at("a/z")), (bench) => symlinkSync("nowhere", bench.at("a/z"))],
  names: [({ instant }, { at }) => instant.names(at("a")), (bench) => bench.write("a/z", "")],
  realPath: [
    ({ instant }, { at }) => instant.realPath(at("link")),
    (bench) => {
      rmSync(bench.at("link"));
      symlinkSync(bench.at("bin"), bench.at("link"));
    },
  ],
  readBytes: [({ instant }, { at }) => instant.readBytes(at("a/x"), 100), (bench) => bench.write("a/x", "longer")],
  readStart: [({ instant }, { at }) => instant.readStart(at("a/x"), 2), (bench) => bench.write("a/x", "longer")],
  isFileWith: [
    ({ instant }, { at }) => instant.isFileWith(at("a/x"), instant.stat(at("a/x")) as FileFacts),
    (bench) => rmSync(bench.at("a/x")),
  ],
  "processes.find": [
    ({ processes }, { at }) => processes.find("run", at("bin")),
    (bench) => rmSync(bench.at("bin/run")),
  ],
  "processes.find of nothing": [
    ({ processes }, { at }) => processes.find("walk", at("bin")),
    (bench) => {
      bench.write("bin/walk", "");
      chmodSync(bench.at("bin/walk"), 0o755);
    },
  ],
};

for (const [what, [ask, change]] of Object.entries(questions)) {
  test(`observe notes ${what}, whose answer changes`, () => {
    withFiles((bench) => {
      const bound = Object.assign(bench, { at: bench.at.bind(bench) });
      const { host, observations } = observe(bench.later);
      assert.equal(ask(host, bound), ask(bench.later, bound));
      const seen = JSON.parse(JSON.stringify(observations()));
      assert.is(isAsObserved(seen, bench.later), true);
      change(bench);
      let isSame = true;
      try {
        isSame = isAsObserved(seen, bench.later);
      } catch {
        isSame = false;
      }
      assert.is(isSame, false);
    });
  });
}

test("observe notes the environment", () => {
  withFiles(({ later }) => {
    const { host, observations } = observe({ ...later, environment: (name) => (name === "A" ? "1" : undefined) });
    assert.equal([host.environment("A"), host.environment("B")], ["1", undefined]);
    const seen = observations();
    assert.ok(seen);
    const holds = (environment: Readonly<Record<string, string>>): boolean =>
      isAsObserved(seen, { ...later, environment: (name) => environment[name] });
    assert.equal(
      [holds({ A: "1" }), holds({ A: "1", B: "" }), holds({ A: "2" }), holds({})],
      [true, false, false, false],
    );
  });
});

const foreseen = ["platform", "folders", "sha256", "runBounded", "environment", "bundle", "executable"];
const foreseenOfFiles = ["stat", "isLink", "isFileWith", "names", "readBytes", "readStart", "realPath"];

test("observe gives nothing once anything else was asked or done", () => {
  withFiles((bench) => {
    const inert = <T extends object>(port: T): T =>
      Object.fromEntries(
        Object.entries(port).map(([name, part]) => [name, typeof part === "function" ? () => undefined : part]),
      ) as T;
    const { timestamp } = bench.later;
    const later: Host = {
      ...inert(bench.later),
      instant: inert(bench.later.instant),
      processes: inert(bench.later.processes),
      timestamp,
    };
    const invalidates = (use: (host: Host) => unknown): boolean => {
      const { host, observations } = observe(later);
      use(host);
      return observations() === undefined;
    };
    assert.is(
      invalidates(() => undefined),
      false,
    );
    const others = Object.keys(later).filter(
      (name) => ![...foreseen, "instant", "processes"].includes(name),
    ) as (keyof Host)[];
    for (const name of others)
      assert.equal(
        [
          name,
          invalidates((host) =>
            typeof host[name] === "function" ? (host[name] as () => unknown)() : Object.values(host[name] ?? {}),
          ),
        ],
        [name, true],
      );
    for (const name of ["run", "endAll", "killAll"] as const)
      assert.equal([name, invalidates(({ processes }) => (processes[name] as () => unknown)())], [name, true]);
    const ofFiles = Object.keys(later.instant).filter(
      (name) => !foreseenOfFiles.includes(name),
    ) as (keyof Host["instant"])[];
    assert.equal(ofFiles.sort(), ["list", "readLink", "remove", "replace"]);
    for (const name of ofFiles)
      assert.equal(
        [name, invalidates(({ instant }) => (instant[name] as (path: string) => unknown)(bench.at("none")))],
        [name, true],
      );
    assert.is(
      invalidates(({ folders }) => folders.temporary),
      true,
    );
  });
});

test("observe gives nothing where a file is odd, or so young that it can change unseen", () => {
  withFiles((bench) => {
    mkdirSync(bench.at("folder"));
    const isSeen = (use: (host: Host) => unknown, host = bench.later): boolean => {
      const observed = observe(host);
      try {
        use(observed.host);
      } catch {
        // The call ends as it would without observation.
      }
      return observed.observations() !== undefined;
    };
    const read = ({ instant }: Host): unknown => instant.readBytes(bench.at("a/x"), 100);
    assert.equal([isSeen(read), isSeen(read, bench.host)], [true, false]);
    for (const path of ["a/z", "folder"])
      assert.is(
        isSeen(({ instant }) => instant.readStart(bench.at(path), 100)),
        false,
      );
    assert.is(
      isSeen(({ instant }) => instant.readBytes(bench.at("a/x"), 1)),
      false,
    );
    assert.is(
      isSeen(({ instant }) => instant.names(bench.at("none"))),
      false,
    );
    assert.is(
      isSeen(({ instant }) => instant.realPath(bench.at("none"))),
      false,
    );
    const { sizeBytes, mtimeMs, ctimeMs } = bench.later.instant.stat(bench.at("a/x")) as FileFacts;
    assert.is(
      isSeen(({ instant }) => instant.isFileWith(bench.at("a/x"), { sizeBytes, mtimeMs, ctimeMs })),
      false,
    );
    assert.is(
      isSeen(({ instant }) => instant.isFileWith(bench.at("a/x"), { sizeBytes: 1, mtimeMs, ctimeMs, inode: 1 })),
      false,
    );
  });
});

test.run();
