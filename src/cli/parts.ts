// What the command line asks features for.
import type { Confinement } from "../core/tool/confinement.ts";
import type { OpenedSession } from "../core/session/assemble.ts";
import type { Session } from "../core/run/session.ts";
import type { JsonObject } from "../core/schema/json.ts";
import type { ToolCall, ToolResult } from "../core/tool/call.ts";
import type { Failure } from "../core/tool/failure.ts";
import type { Host } from "../core/tool/host.ts";
import type { OpenLoginPrompt } from "../core/tool/login-prompt.ts";
import type { RemoteName } from "../core/tool/remote-name.ts";
import type { HandedOver, Terminal } from "../core/tool/terminal.ts";
import type { Tool } from "../core/tool/tool.ts";
import type { CommandContext, CommandInput } from "./command.ts";
import type { Finding } from "./finding.ts";
import type { CallForm } from "./words/tool-words.ts";
import type { ReadyStepFlags } from "./words/step-flags.ts";

/** What the options of a call say of its result and its models. */
export type ShownFlags =
  | (Partial<Record<"provider" | "outputFile", string | undefined>> & { readonly isQuiet?: boolean })
  | undefined;

/** A call whose steps are stored, so that it can be resumed. */
export interface KeptCall {
  readonly session: Session;
  /** Never throws. */
  end(result: ToolResult, tool: Tool, exitCode: number): Promise<void>;
}

/** A session whose calls may be traced. */
export interface Traced {
  readonly opened: OpenedSession;
  /** Writes the trace, and returns the exit code: that of the calls unless they succeeded and it cannot be written. */
  end(exitCode: number): Promise<number>;
}

export interface DetachOptions {
  readonly tool: Tool;
  readonly session: Session;
  readonly context: CommandContext;
  readonly flags: Pick<ReadyStepFlags, "provider" | "outputFile"> | undefined;
}

export interface FoundTool {
  readonly name: string;
  readonly tool: Tool;
  readonly opened: OpenedSession;
}

export interface ExplainOptions {
  readonly words: readonly string[];
  readonly form: CallForm;
  readonly isJson: boolean;
  readonly context: CommandContext;
  /** Those of the words, if they have been read. */
  readonly flags?: ReadyStepFlags | undefined;
}

export interface UnaskedServers {
  /** The name of the called tool. */
  readonly name: string;
  readonly unasked: readonly RemoteName[];
}

declare module "../core/tool/feature.ts" {
  interface Parts {
    /** Asks a person for secrets that a call lacks. Returns all arguments, or undefined if the person gives up. */
    chooseSome: (
      terminal: Terminal,
      message: string,
      named: readonly { readonly name: string; readonly about: string }[],
    ) => Promise<readonly string[] | undefined>;
    askSecrets: (found: FoundTool, args: JsonObject, terminal: Terminal) => Promise<JsonObject | undefined>;
    /** Asks a person about the servers of a tool. Returns an exit code if one cannot be asked; the reason is printed. */
    askServers: (
      servers: UnaskedServers,
      opened: OpenedSession,
      context: CommandContext,
    ) => Promise<number | undefined>;
    /** Starts the call in the background, prints the id of its run, and returns the exit code. */
    detach: (call: ToolCall, options: DetachOptions) => Promise<number>;
    /** Explains a call, and returns the exit code. */
    explainFound: (found: FoundTool, options: ExplainOptions) => Promise<number>;
    /** Returns undefined if the finished steps of the tool are not worth keeping. */
    keptIfResumable: (
      tool: Tool,
      session: Session,
      options: { readonly context: CommandContext; readonly flags: ShownFlags },
    ) => KeptCall | undefined;
    listPackages: (input: CommandInput, context: CommandContext) => Promise<number>;
    loginPromptAt: (terminal: Terminal) => OpenLoginPrompt;
    /** Returns an exit code if the file cannot be written; the reason has been printed. */
    openTraceFile: (path: string, opened: OpenedSession, terminal: Terminal) => Promise<Traced | number>;
    /** Returns why a provider of models cannot be used. */
    providerFailure: (name: string, host: Host) => Failure | undefined;
    /** Reads what the launcher of a session has left to this program, from a descriptor. */
    readHandedOver: (file: number) => HandedOver;
    /** Asks the place of updates of a bundle whether a newer version is there. */
    newestBundle: (host: Host) => Promise<Finding>;
    /** Tells a person, at most once a day, that a newer version of a bundle is there. Returns whether it has asked. */
    tellNewer: (terminal: Terminal) => Promise<boolean>;
    /** Shows what is in this executable besides the program. Returns the exit code. */
    writeBundleInfo: (terminal: Terminal) => Promise<number>;
  }
  interface FeatureRow {
    /** Set if it has findings for `doctor`. */
    readonly findings?: true;
  }
  interface Feature {
    readonly findings?: (opened: OpenedSession) => Promise<readonly Finding[]>;
  }
}

export interface RunToolOptions {
  readonly words: readonly string[];
  readonly form: CallForm;
  /** What its processes may reach at most. */
  readonly confinement?: Confinement;
}
