// What the calls of one session share. core/session/assemble.ts and embedding programs make it, and the gate reads it.
import type { Json } from "../schema/json.ts";
import type { Caller } from "../tool/policy.ts";
import type { Confinement } from "../tool/confinement.ts";
import type { Host } from "../tool/host.ts";
import type { Failure } from "../tool/failure.ts";
import type { TraceSpan } from "../tool/span.ts";
import type { Masks } from "./mask.ts";
import type { PreparedCall, SettingName, StepJournal, Tool, ToolContext, ToolEvent } from "../tool/tool.ts";
import type { SandboxSettings } from "../base/sandbox-settings.ts";
import type { Guard } from "../policy/guard.ts";
import type { Approver, PolicyRule } from "../tool/policy-rule.ts";
import type { ToolRegistry } from "../tool/registry.ts";

export interface Session {
  readonly registry: ToolRegistry;
  readonly policy: readonly PolicyRule[];
  /** If absent, `policy` alone decides, no answer is remembered, and nothing is logged. */
  readonly guard?: Guard;
  /** Default: person. */
  readonly frontEnd?: Caller;
  readonly approver: Approver;
  readonly host: Host;
  /** The absolute path where calls run. */
  readonly cwd: string;
  /** The absolute folder of the reader of messages about a call, if known. */
  readonly readerFolder?: string;
  /** Set if the caller, a person, has said yes to what `@confirm` asks. */
  readonly isConfirmed?: true;
  /** For a `model`, text is cut to a budget, all of it is kept under a handle, and ANSI codes are removed. */
  readonly audience: "person" | "model";
  readonly setting: (name: SettingName) => Promise<string | undefined>;
  readonly memory: Map<string, Json>;
  /** What the processes of all calls may reach at most. */
  readonly confinement?: Confinement;
  /** Returns the sandbox that the user wants for commands. Throws `{code: "ECONFIG"}` if it cannot be read. */
  readonly sandboxSettings?: () => Promise<SandboxSettings | undefined>;
  readonly person?: NonNullable<ToolContext["person"]>;
  readonly client?: NonNullable<ToolContext["client"]>;
  /** The provider of models that answers every prompt of a tool with steps. */
  readonly provider?: string;
  /** The limit of calls whose tools declare none. Default: that of limits.ts. Infinity: a person waits, and can press Ctrl-C. */
  readonly timeoutMs?: number;
  /**
   * Returns why a tool of this name may not run: its folder, or a dependency's, is not trusted in its current state.
   * Asked before each call.
   */
  readonly distrust?: (tool: string) => Promise<Extract<Failure, { kind: "untrusted" }> | undefined>;
  /** Returns those of many tools that may not run for that reason. Each folder is checked once. */
  readonly distrusted?: (tools: Iterable<string>) => Promise<ReadonlySet<string>>;
  /** Returns why there is no tool of this name, although it has or had a definition. Untrusted text is not quoted. */
  readonly broken?: (
    tool: string,
  ) => Promise<Extract<Failure, { kind: "definition" | "removed" | "untrusted" }> | undefined>;
  /** Whether the caller is offered a tool of this name; no other is suggested. Default: any. */
  readonly isOffered?: (tool: string) => boolean;
  /** Output and progress of the outermost call, as they come. */
  readonly onEvent?: (event: ToolEvent) => void | Promise<void>;
  /** Set if `onEvent` shows all output, so that the results of outermost calls need not contain long output. */
  readonly hasShownOutput?: boolean | undefined;
  /** See `ToolContext`. */
  readonly showsSteps?: ToolContext["showsSteps"] | undefined;
  /** Lends the person's terminal to the process of an outermost call of this tool: see `ToolContext`. */
  readonly lendTerminal?: (tool: Tool) => ReturnType<NonNullable<ToolContext["lendTerminal"]>>;
  /** Set if its runs can be repeated, as those of tests: see `ToolContext`. */
  readonly repeatable?: NonNullable<ToolContext["repeatable"]>;
  /**
   * Opens the journal in which the steps of an outermost call are stored; `masks` remove its secrets. Absent: the call
   * cannot be resumed.
   */
  readonly openJournal?: (prepared: PreparedCall, masks: Pick<Masks, "outcome" | "stored">) => StepJournal | undefined;
  /** The span that the calls belong to, if the session is traced. */
  readonly span?: TraceSpan;
}
