// The time that the gate adds to a call: without rules, and with a thousand, of which most name their tools and some
// are about everything.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withFolder } from "./programs.mjs";
import { takeTurns } from "./take-turns.mjs";

const ROUNDS = 1_000;
const GATE_MS_MAX = 0.3;

const RULES = [
  ...Array.from({ length: 900 }, (_, index) => `{decision: deny, tool: tool_${index}, front_end: mcp}`),
  ...Array.from({ length: 40 }, (_, index) => `{decision: ask, tool: "other_${index}_*"}`),
  ...Array.from({ length: 30 }, (_, index) => `{decision: deny, command: program_${index} word}`),
  ...Array.from({ length: 20 }, (_, index) => `{decision: deny, arguments: {file_path: "/secret_${index}/*"}}`),
  ...Array.from(
    { length: 10 },
    (_, index) => `{decision: allow, tool: [read_file, tool_${index}], arguments: {file_path: "src/*"}}`,
  ),
];

export async function benchPolicy() {
  return withFolder(async ({ project, home }) => {
    const saved = process.env.HOME;
    process.env.HOME = home;
    try {
      return await measured(project, home);
    } finally {
      process.env.HOME = saved;
    }
  });
}

async function measured(project, home) {
  const { assemble } = await import("../../src/core/session/assemble.ts");
  const { callTool } = await import("../../src/core/run/call-tool.ts");
  const { permit } = await import("../../src/core/run/permit.ts");
  const { prepareCall } = await import("../../src/core/run/prepare.ts");
  writeFileSync(join(project, "a.txt"), "text\n");
  const { signal } = new AbortController();
  const call = { id: "1", tool: "read_file", arguments: { file_path: "a.txt" } };
  const command = { id: "1", tool: "run_command", arguments: { argv: ["true", "a", "b"] } };
  const bare = (await assemble({ cwd: project })).session;
  mkdirSync(join(home, "rules", "dottool"), { recursive: true });
  writeFileSync(
    join(home, "rules", "dottool", "config.yaml"),
    `policy:\n${RULES.map((rule) => `  - ${rule}\n`).join("")}`,
  );
  process.env.XDG_CONFIG_HOME = join(home, "rules");
  const ruled = (await assemble({ cwd: project })).session;
  const startMs = performance.now();
  const { problems, rules } = await ruled.guard.current();
  const readMs = performance.now() - startMs;
  delete process.env.XDG_CONFIG_HOME;
  if (problems.length > 0 || rules.length !== RULES.length) throw new Error(`the rules are not read: ${problems[0]}`);
  const { guard: _none, ...unguarded } = bare;
  const prepared = await Promise.all([call, command].map((one) => prepareCall(one, ruled)));
  const ok = async (session) => {
    const result = await callTool(call, session, signal);
    if (result.status !== "ok") throw new Error(JSON.stringify(result.failure));
  };
  const ms = await takeTurns(ROUNDS, {
    none: () => ok(unguarded),
    guarded: () => ok(bare),
    ruled: () => ok(ruled),
    decideBare: () => permit(prepared[0].prepared, bare, { signal }),
    decide: () => permit(prepared[0].prepared, ruled, { signal }),
    decideCommand: () => permit(prepared[1].prepared, ruled, { signal }),
  });
  return [
    { name: "call with policy and log, no rules", value: ms.guarded, unit: "ms", reference: ms.none, of: "no gate" },
    { name: "call under 1,000 rules", value: ms.ruled, unit: "ms", reference: ms.guarded, of: "no rules" },
    {
      name: "decision about a file, 1,000 rules",
      value: ms.decide,
      unit: "ms",
      reference: ms.decideBare,
      of: "no rules",
      target: GATE_MS_MAX,
    },
    { name: "decision about a command, 1,000 rules", value: ms.decideCommand, unit: "ms", target: GATE_MS_MAX },
    { name: "reading 1,000 rules, once", value: readMs, unit: "ms" },
  ];
}
