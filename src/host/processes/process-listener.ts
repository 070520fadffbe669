// A helper process that reads messages, writes nothing, delays nothing, and learns from the end of its input that this
// process has ended.
import { writeSync } from "node:fs";
import process from "node:process";
import { type HandleRequest, listenByHandles, type ListeningHandles } from "./process-handles.ts";

export interface Listener {
  /** False if it has ended, or no longer reads. */
  readonly isListening: boolean;
  tell(text: string): void;
}

/** Starts it in its own session. Returns undefined if it cannot be started. */
export function startListener(request: HandleRequest): Listener | undefined {
  const handles = listenByHandles(request);
  return handles ? new PipeListener(handles) : startByModule(request);
}

class PipeListener implements Listener {
  readonly #handles: ListeningHandles;
  #isBroken = false;

  constructor(handles: ListeningHandles) {
    this.#handles = handles;
  }

  get isListening(): boolean {
    return !this.#isBroken && this.#handles.pipe.fd >= 0;
  }

  /**
   * Writes a message. The pipe holds some thousand lines; a process that has not read them is stopped or gone, and must
   * not act later on the part that it has read.
   */
  tell(text: string): void {
    if (!this.isListening) return;
    try {
      this.#isBroken = writeSync(this.#handles.pipe.fd, text) < text.length;
    } catch {
      this.#isBroken = true;
    }
    if (this.#isBroken) this.#handles.kill();
  }
}

function startByModule({ file, argv, cwd, environment }: HandleRequest): Listener | undefined {
  const [argv0 = file, ...words] = argv;
  try {
    const child = process
      .getBuiltinModule("node:child_process")
      .spawn(file, words, { argv0, cwd, env: environment, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    let isListening = child.pid !== undefined;
    const end = (): void => void (isListening = false);
    const { stdin } = child.on("error", end).on("exit", end);
    stdin.on("error", end);
    child.unref();
    // Pipes are sockets, although their types do not say so.
    (stdin as Partial<Pick<NodeJS.RefCounted, "unref">>).unref?.();
    return {
      get isListening(): boolean {
        return isListening;
      },
      tell: (text) => void (isListening && stdin.write(text)),
    };
  } catch {
    return undefined;
  }
}
