// What the gate keeps for a session beside its rules in code: those of `config.yaml`, what was agreed to, who is being
// asked, and the log.
import type { Host } from "../tool/host.ts";
import { AuditLog } from "./audit-log.ts";
import { type LoadedPolicy, PolicyConfig, type ProjectConfig } from "./policy-config.ts";

export interface GuardOptions {
  readonly host: Host;
  /** Of the project, where its folder is trusted. */
  projectConfig?(): ProjectConfig | undefined;
  /** Absolute: whose tools are called. */
  toolFolders?(): readonly string[];
  /** Told once, to whoever sits at the terminal. */
  warn?(text: string): void;
}

/** What a yes for the session covers. */
export interface SessionYes {
  readonly hash: string;
  readonly rules: readonly string[];
}

export class Guard {
  readonly audit: AuditLog;
  /** By the key of the subject. */
  readonly agreed = new Map<string, SessionYes>();
  readonly warn: (text: string) => void;
  readonly toolFolders: () => readonly string[];
  readonly #config: PolicyConfig;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(options: GuardOptions) {
    this.warn = (text) => options.warn?.(text);
    this.toolFolders = () => options.toolFolders?.() ?? [];
    this.audit = new AuditLog({ host: options.host, warn: this.warn });
    this.#config = new PolicyConfig(options);
  }

  current(): Promise<LoadedPolicy> {
    return this.#config.current();
  }

  /** Nobody is asked two things at once. */
  inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const own = this.#asking.then(ask, ask);
    this.#asking = own.catch(() => undefined);
    return own;
  }
}
