// Repositories that try to run something by being cloned, looked at or called. Each is one known attack on tools that
// read a project's files; what it tries is in README.md, by name. Their payload leaves a canary.
import { contentRepositories } from "./content-repositories.ts";
import type { HostileRepository } from "./hostile-repository.ts";
import { placeRepositories } from "./place-repositories.ts";

export const repositories: readonly HostileRepository[] = [...contentRepositories, ...placeRepositories];
