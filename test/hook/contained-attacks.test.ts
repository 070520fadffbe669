// Lines of agents and of tests of other sandboxes, run for real: each does something outside of the project without a
// wall, and none does in it.
import { join } from "node:path";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { hookSession } from "../../src/features/hook/hook-session.ts";
import { judgeHook } from "../../src/features/hook/judge-hook.ts";
import { sampleOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { turnOfCommit } from "../in-turn.ts";
import { leftOut, needPrograms } from "../programs-needed.ts";
import { type ContainedAttack, containedAttacks } from "./contained-attacks.ts";
import { type ContainedPlace, containedPlace, restored } from "./contained-place.ts";

const test = suite("contained attacks");

/** The most that a line gets: git may write its data, and package managers reach their registry. */
const WALL = ["sandbox", "--work", "--git", "--network", "*.npmjs.org", "--"];
/** Lines of one start. */
const BATCH = 40;
/** Each push tries some, which its commit decides, so that the same code has the same result. */
const turn = turnOfCommit();

function batches(attacks: readonly ContainedAttack[]): readonly (readonly ContainedAttack[])[] {
  const count = Math.ceil(attacks.length / BATCH);
  return Array.from({ length: count }, (_one, index) => attacks.slice(index * BATCH, (index + 1) * BATCH));
}

test("each line does something without a wall", async () => {
  needPrograms("bwrap");
  const wrong: string[] = [];
  for (const attacks of batches(sampleOf(containedAttacks, 24, turn))) {
    using place = await containedPlace();
    const did = await place.freely(attacks.map(({ line }) => line));
    for (const [index, { source, line }] of attacks.entries()) {
      const [, missing] = /: (\S+): command not found/.exec(did[index] ?? "") ?? [];
      if (missing !== undefined) leftOut.push(`contained attacks: ${line}: \`${missing}\` is not on the PATH`);
      else if (!/^ (?:reached|read|wrote|ran)/.test(did[index] ?? "")) wrong.push(`${source}: ${line}: ${did[index]}`);
    }
  }
  assert.equal(wrong, []);
});

test("no line reads a key, writes outside of the project or reaches a server from within the wall", async () => {
  needPrograms("bwrap");
  const wrong: string[] = [];
  for (const attacks of batches(sampleOf(containedAttacks, 9, turn))) {
    using place = await containedPlace();
    wrong.push(...(await through(place, attacks)));
  }
  assert.equal(wrong, []);
});

test("of these lines only those that read a file without a key run as they are, and the client decides", async () => {
  needPrograms("bwrap");
  using place = await containedPlace();
  const [home, project] = ["home", "project"].map((name) => join(place.bench.folder, name));
  const real = createNodeHost();
  const variables: Readonly<Record<string, string | undefined>> = { HOME: home, PATH: "/usr/bin:/bin" };
  const session = hookSession(project ?? "", () => undefined, {
    ...real,
    folders: {
      home: home ?? "",
      config: join(home ?? "", ".config/dottool"),
      state: join(home ?? "", ".local/state/dottool"),
      cache: join(home ?? "", ".cache/dottool"),
      temporary: join(home ?? "", "tmp"),
    },
    environment: (name) => variables[name],
  });
  const passed: string[] = [];
  for (const { line } of containedAttacks) {
    const call = { tool: "Bash", arguments: { command: place.filled(line) } };
    const options = { session, client: "claude", program: ["dottool"], isContained: true } as const;
    const { decision, sandboxed } = await judgeHook(call, options);
    if (!sandboxed && decision !== "ask" && decision !== "deny") passed.push(`${decision}: ${line}`);
  }
  const reads = ["head -1", "tail -n 1", "grep .", "cat"].map((program) => `none: ${program} @OUT/canary`);
  assert.equal(passed.toSorted(), reads.toSorted());
});

/** Returns the lines that came through, each with what it did: those of a batch that did something, by halves. */
async function through(place: ContainedPlace, attacks: readonly ContainedAttack[]): Promise<readonly string[]> {
  const did = await place.inWall(
    WALL,
    attacks.map(({ line }) => line),
  );
  if (did === undefined) return [];
  restored(place);
  const [only, second] = attacks;
  if (only && !second) return [`${only.source}: ${only.line}: ${did}`];
  const middle = Math.ceil(attacks.length / 2);
  const found = [...(await through(place, attacks.slice(0, middle))), ...(await through(place, attacks.slice(middle)))];
  return found.length > 0 ? found : [`${attacks.map(({ line }) => line).join(" | ")}: ${did}`];
}

test.run();
