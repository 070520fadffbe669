// Runs commands as on a machine that refuses user namespaces: in one of another user, in which none can be made. Started
// as a program, it runs those that its input names, a line of JSON each, and answers with their results.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { SpawnRequest } from "../../src/core/tool/host.ts";
import { processFixture, type Ran } from "./process-fixture.ts";

type Wanted = Pick<SpawnRequest, "argv" | "cwd" | "environment" | "confinement">;

const OWN = fileURLToPath(import.meta.url);
const WITHOUT = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';

interface Other {
  readonly child: ChildProcess;
  readonly waiting: ((ran: Ran) => void)[];
  /** Whether this process runs as long as that one. */
  hold(isHeld: boolean): void;
}

let other: Other | undefined;

/** The other process lasts as long as this one. */
export async function runWithoutNamespaces(wanted: Wanted): Promise<Ran> {
  const { child, waiting, hold } = (other ??= start());
  hold(true);
  const ran = await new Promise<Ran>((resolve) => {
    waiting.push(resolve);
    child.stdin?.write(`${JSON.stringify({ wanted, home: process.env["HOME"] })}\n`);
  });
  if (waiting.length === 0) hold(false);
  return ran;
}

function start(): Other {
  const words = ["--user", "--map-user=1000", "--map-group=1000", "--keep-caps", "sh", "-c", WITHOUT, "sh"];
  const child = spawn("unshare", [...words, process.execPath, OWN], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting: Other["waiting"][number][] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(JSON.parse(line) as Ran));
  child.on("exit", () => {
    for (const resolve of waiting)
      resolve({ result: { kind: "not-started", reason: "system", detail: "`unshare` ended" }, stdout: "", stderr: "" });
  });
  const handles = [child, child.stdin, child.stdout] as unknown as readonly NodeJS.RefCounted[];
  return { child, waiting, hold: (isHeld) => void handles.map((one) => (isHeld ? one.ref() : one.unref())) };
}

if (process.argv[1] === OWN) {
  const { useFeatures } = await import("../../src/core/tool/feature.ts");
  useFeatures((await import("../../src/features/index.ts")).features);
  for await (const line of createInterface({ input: process.stdin })) {
    const { wanted, home } = JSON.parse(line) as { wanted: Wanted; home: string };
    process.env["HOME"] = home;
    process.stdout.write(`${JSON.stringify(await processFixture().run(wanted.argv, wanted))}\n`);
  }
}
