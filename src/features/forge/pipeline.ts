// A request for a tool, from its first reading to its registration. Each stage says in the result how it went; the
// first that fails ends the work with a refusal.
import type { Session } from "../../core/run/session.ts";
import { countText } from "../../core/schema/describe.ts";
import type { JsonObject, Json } from "../../core/schema/json.ts";
import { nearestNames } from "../../core/text/suggest.ts";
import type { Checked } from "../../core/text/diagnostic.ts";
import { type ToolDefinition, underlyingTools } from "../../core/tool/definition.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { type ForgedDefinition, type ForgedText, forgedText, type ParametersOf } from "./definition.ts";
import { baseToolNames } from "../../core/tool/base-tool-names.ts";
import { alikeName } from "../../core/tool/alike-names.ts";
import { type CaseResult, judgeEffects, judgeTool, type Verdict } from "./judge.ts";
import type { Tier } from "./record.ts";
import { type Refusal, Refused } from "./refusal.ts";
import { CODE_HELP, type ForgeRequest, readForgeRequest } from "./request.ts";
import { type JudgeOptions, secondJudgement } from "./second-judges.ts";
import { judgeTried, tryCases } from "./try-cases.ts";
import { forgeNames } from "../../core/tool/forge-judge.ts";

type StageName = "shape" | "dedupe" | "build" | "test" | "judge" | "register";

interface Stage {
  readonly stage: StageName;
  readonly status: "passed" | "failed";
  readonly detail: string;
}

export interface ForgeResult {
  readonly success: boolean;
  /** Names the tool with this very content. */
  readonly toolId?: string;
  readonly tool?: JsonObject;
  readonly verdict?: Verdict;
  readonly tests: readonly CaseResult[];
  readonly stages: readonly Stage[];
  readonly error?: Refusal;
}

/** A tool that passed, ready to be registered. */
export interface Forged extends ForgedText {
  readonly tool: Tool;
  readonly verdict: Verdict;
  readonly judges: readonly string[];
}

export interface Registered {
  readonly id: string;
  readonly tier: Tier;
}

/** Where forged tools are kept. */
export interface ForgeRegister {
  /** The names that this session may run. */
  names(): readonly string[];
  /** Returns a forged tool that does the same, under any name. */
  sameAs(definition: ForgedDefinition): { readonly id: string; readonly name: string } | undefined;
  /** Throws `Refused` if there are too many, or if it cannot be stored. */
  register(forged: Forged): Promise<Registered>;
}

interface ForgeOptions extends JudgeOptions {
  readonly register: ForgeRegister;
  build(definition: ToolDefinition): Checked<Tool>;
}

export async function forge(args: JsonObject, options: ForgeOptions): Promise<ForgeResult> {
  const run = new ForgeRun(options);
  try {
    return await run.result(args);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return run.refused(error.refusal);
  }
}

class ForgeRun {
  readonly #options: ForgeOptions;
  readonly #stages: Stage[] = [];
  #stage: StageName = "shape";
  #tests: readonly CaseResult[] = [];
  #verdict: Verdict | undefined;

  constructor(options: ForgeOptions) {
    this.#options = options;
  }

  refused(error: Refusal): ForgeResult {
    this.#stages.push({ stage: this.#stage, status: "failed", detail: error.message });
    return {
      success: false,
      ...(this.#verdict ? { verdict: this.#verdict } : {}),
      tests: this.#tests,
      stages: this.#stages,
      error,
    };
  }

  async result(args: JsonObject): Promise<ForgeResult> {
    const { session, signal, path, register } = this.#options;
    const request = readForgeRequest(args);
    this.#passed(`${request.implementation.mode}, ${countText(request.testCases.length, "test case")}`);

    this.#stage = "dedupe";
    await session.registry.complete();
    if (session.registry.names().includes(request.name) || session.registry.find(request.name))
      throw new Refused("duplicate", `there is a tool \`${request.name}\`, which a forged tool cannot replace`, [
        `call \`${request.name}\` if it does what you need, or choose another name`,
      ]);
    const alike = alikeName(request.name, [
      ...session.registry.names(),
      ...baseToolNames(),
      ...forgeNames,
      ...register.names(),
    ]);
    if (alike !== undefined)
      throw new Refused("duplicate", `\`${request.name}\` would be taken for the tool \`${alike}\``, [
        "choose a name that differs in more than capitals, `-` and `_`",
      ]);
    const written = refusedOr(() => forgedText(request, parametersIn(request, session)));
    const same = written instanceof Refused ? undefined : register.sameAs(written.definition);
    if (same)
      throw new Refused("duplicate", `the forged tool \`${same.name}\` does the same`, [
        `call it: run_forged {"name": ${JSON.stringify(same.name)}, "arguments": {…}}`,
      ]);
    this.#passed("no other tool has this name or does the same");

    this.#stage = "build";
    if (written instanceof Refused) throw written;
    const tool = await this.#built(request, written.definition);
    judgeEffects(tool, request);
    this.#passed(`${countText(tool.parameters.length, "parameter")}, effects ${tool.effects.join(" ") || "unknown"}`);

    this.#stage = "test";
    this.#tests = await tryCases(tool, request.testCases, { session, signal, path });
    this.#verdict = judgeTool(tool, request, this.#tests);
    requirePassed(this.#tests);
    this.#passed(`${countText(this.#tests.length, "test case")} passed, each twice`);

    this.#stage = "judge";
    this.#verdict = await judgeTried(
      tool,
      { testCases: request.testCases, cases: this.#tests },
      { session, signal, path },
    );
    const { verdict, judges, guards, refused } = await secondJudgement(
      { request, tool, text: written.text, cases: this.#tests, verdict: this.#verdict },
      this.#options,
    );
    this.#verdict = verdict;
    if (refused) throw refused;
    this.#passed(`confidence ${verdict.confidence}, by ${[...judges, ...guards].join(", ")}`);

    this.#stage = "register";
    const { id, tier } = await register.register({ ...written, tool, verdict, judges });
    this.#passed(`tier ${tier}`);
    return {
      success: true,
      toolId: id,
      tool: shownTool(tool, tier),
      verdict,
      tests: this.#tests,
      stages: this.#stages,
    };
  }

  #passed(detail: string): void {
    this.#stages.push({ stage: this.#stage, status: "passed", detail });
  }

  async #built(request: ForgeRequest, definition: ForgedDefinition): Promise<Tool> {
    const { session, signal, path, build } = this.#options;
    if (definition.kind === "code") {
      const { syntaxFailureOf } = await import("../javascript/read-code.ts");
      const failure = await syntaxFailureOf(
        { kind: "body", text: definition.code.value },
        { host: session.host, signal, path },
      );
      if (failure)
        throw new Refused(
          "syntax",
          `the code cannot be read: line ${failure.line ?? 1}, column ${failure.column ?? 1}: ${failure.message}`,
          failure.help.length > 0 ? failure.help : [CODE_HELP],
        );
    }
    for (const name of underlyingTools(definition)) await requireTool(name, session);
    const { value, diagnostics } = build(definition);
    if (value) return value;
    const [problem] = diagnostics.filter(({ severity }) => severity === "error");
    throw new Refused(
      problem?.code === "unsafe-placeholder" ? "unsafe" : "syntax",
      `the tool \`${request.name}\` cannot be built: ${problem?.message ?? "it has errors"}`,
      problem?.code === "missing-base-parameter" ? ["add it to the `inputMapping` of the step"] : (problem?.help ?? []),
    );
  }
}

function refusedOr<T>(work: () => T): T | Refused {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function parametersIn({ implementation }: ForgeRequest, { registry }: Session): ParametersOf {
  const names = implementation.mode === "compose" ? implementation.steps.map(({ tool }) => tool) : [];
  const found = new Map(names.map((name) => [name, registry.find(name)?.parameters]));
  return (name) => found.get(name);
}

async function requireTool(name: string, { registry, distrust }: Session): Promise<void> {
  if (forgeNames.some((own) => own === name))
    throw new Refused("unsafe", `a forged tool cannot call \`${name}\``, ["call the tools that do the work"]);
  if (!(await registry.resolve(name))) {
    const near = nearestNames(name, registry.names());
    throw new Refused("unknown_tool", `there is no tool \`${name}\``, [
      near.length === 0
        ? "use one of the tools that you were offered"
        : `did you mean ${near.map((one) => `\`${one}\``).join(" or ")}?`,
    ]);
  }
  if (await distrust?.(name))
    throw new Refused("unsafe", `the tool \`${name}\` is not trusted`, [
      "a person reviews it with `dottool trust` in a terminal",
    ]);
}

function requirePassed(cases: readonly CaseResult[]): void {
  const index = cases.findIndex(({ passed }) => !passed);
  const failed = cases[index];
  if (!failed) return;
  const text = `test case ${index + 1}: ${failed.problems.join("; ")}`;
  if (failed.differs)
    throw new Refused("nondeterministic", `two runs of ${text}`, ["take the time, or a seed for chance, as an input"]);
  if (failed.isDenied)
    throw new Refused("unsafe", text, ["a person must allow it before it can be tested, or use tools that do less"]);
  throw new Refused("test_failed", text, ["change the code, or what the case expects"]);
}

function shownTool(tool: Tool, tier: Tier): JsonObject {
  const { name, title, description } = tool.definition;
  return {
    name: name.value,
    title,
    description,
    effects: tool.effects as readonly Json[] as Json,
    tier,
    call: { tool: "run_forged", arguments: { name: name.value, arguments: {} } },
  };
}
