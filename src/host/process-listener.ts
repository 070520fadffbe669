// A process beside this one that hears what it is told, says nothing, keeps nothing waiting, and learns by the end of
// its input that this one has ended.
import { writeSync } from "node:fs";
import process from "node:process";
import { type HandleRequest, listenByHandles, type ListeningHandles } from "./process-handles.ts";

export interface Listener {
  /** False when it has gone, or takes nothing any more. */
  readonly isListening: boolean;
  tell(text: string): void;
}

/** It leads a session of its own. Undefined: it cannot be started. */
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
   * The pipe holds some thousand lines, and who has not read them is stopped or gone. It may not act later on the part
   * that it has heard.
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
    // Pipes are sockets, which their types do not say.
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
