// Repositories that try to run something when they are cloned, inspected or called. Each is a known attack on tools
// that read a project's files, explained in README.md by name. Their payload leaves a canary.
import { contentRepositories } from "./content-repositories.ts";
import type { HostileRepository } from "./hostile-repository.ts";
import { placeRepositories } from "./place-repositories.ts";

export const repositories: readonly HostileRepository[] = [...contentRepositories, ...placeRepositories];
