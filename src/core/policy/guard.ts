// The gate's state for a session: the rules of `config.yaml`, approvals, open questions, and the log.
import type { Host } from "../tool/host.ts";
import { AuditLog } from "./audit-log.ts";
import { type LoadedPolicy, PolicyConfig, type ProjectConfig } from "./policy-config.ts";

interface GuardOptions {
  readonly host: Host;
  projectConfigs?(): Promise<readonly ProjectConfig[]>;
  /** Returns the folders of the called tools, absolute. */
  toolFolders?(): readonly string[];
  /** Warns the person at the terminal, once. */
  warn?(text: string): void;
}

/** The coverage of an approval for the session. */
interface SessionYes {
  readonly hash: string;
  readonly rules: readonly string[];
}

export class Guard {
  readonly audit: AuditLog;
  /** The approvals by the key of their subject. */
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

  /** Asks one question at a time. */
  inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const own = this.#asking.then(ask, ask);
    this.#asking = own.catch(() => undefined);
    return own;
  }
}
