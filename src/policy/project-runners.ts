// Programs that run files of their working folder: `make` reads a makefile that the command does not name. The rows are
// in grammar/files.yaml, which says what their parts mean.
import { projectRunners } from "../generated/project-runners.ts";
import type { ProjectRunner } from "./files-rows.ts";

let lazyRunners: ReadonlyMap<string, readonly ProjectRunner[]> | undefined;

/** `name` is the name of a program in the tables. */
export function runnersOf(name: string): readonly ProjectRunner[] {
  lazyRunners ??= byName();
  return lazyRunners.get(name) ?? [];
}

function byName(): ReadonlyMap<string, readonly ProjectRunner[]> {
  const known = new Map<string, ProjectRunner[]>();
  for (const runner of projectRunners) {
    for (const name of runner.names.split(" ")) known.set(name, [...(known.get(name) ?? []), runner]);
  }
  return known;
}
