// Files, processes and the web as objects that load their modules with the first call: a tool loads only what it uses.
import process from "node:process";
import type { HostFiles, HostFolders, HostProcesses, HostWeb } from "../tool/host.ts";
import type { HostSandbox } from "../tool/host-sandbox.ts";
import { findProgram } from "./processes/process-program.ts";
import type { ProcessesOptions } from "./processes/processes.ts";

export function lazyProcesses(options: ProcessesOptions): HostProcesses {
  let loading: Promise<HostProcesses> | undefined;
  let loaded: HostProcesses | undefined;
  let isEnded = false;
  const load = async (): Promise<HostProcesses> => {
    const { createProcesses } = await import("./processes/processes.ts");
    loaded = createProcesses(options);
    if (isEnded) loaded.killAll();
    return loaded;
  };
  return {
    run: async (request) => (loaded ?? (await (loading ??= load()))).run(request),
    find: (program, pathVariable) => {
      const answer = findProgram(program, { platform: options.platform, cwd: process.cwd(), pathVariable });
      return answer.kind === "found" ? answer.path : undefined;
    },
    // Nothing runs while nothing is loaded, and nothing may start after this.
    endAll: async () => {
      isEnded = true;
      await loaded?.endAll();
    },
    killAll: () => {
      isEnded = true;
      loaded?.killAll();
    },
  };
}

export function lazyWeb(): HostWeb {
  let loading: Promise<HostWeb> | undefined;
  const load = async (): Promise<HostWeb> => (await import("./web/web.ts")).createWeb();
  return { fetch: async (request) => (await (loading ??= load())).fetch(request) };
}

export function lazySandbox(cacheFolder: string): HostSandbox {
  let loading: Promise<HostSandbox> | undefined;
  const load = async (): Promise<HostSandbox> => (await import("./javascript/sandbox.ts")).createSandbox(cacheFolder);
  return {
    run: async (run) => (await (loading ??= load())).run(run),
    eraseTypes: async (code, signal) => (await (loading ??= load())).eraseTypes(code, signal),
  };
}

/** Loads `node:fs/promises` late, because a wrapped command does not need it. */
export function lazyFiles(folders: HostFolders): HostFiles {
  let loading: Promise<HostFiles> | undefined;
  const files = (): Promise<HostFiles> =>
    (loading ??= import("./files/files.ts").then(({ createFiles }) => createFiles(folders.temporary)));
  return {
    stat: async (path) => (await files()).stat(path),
    readBytes: async (path, range) => (await files()).readBytes(path, range),
    list: async (folder) => (await files()).list(folder),
    walk: async function* (folder, options) {
      yield* (await files()).walk(folder, options);
    },
    write: async (path, content, options) => (await files()).write(path, content, options),
    append: async (path, content, options) => (await files()).append(path, content, options),
    create: async (path, options) => (await files()).create(path, options),
    makeFolder: async (path, options) => (await files()).makeFolder(path, options),
    makeTemporaryFolder: async (prefix) => (await files()).makeTemporaryFolder(prefix),
    remove: async (path) => (await files()).remove(path),
    realPath: async (path) => (await files()).realPath(path),
    readLink: async (path) => (await files()).readLink(path),
  };
}
