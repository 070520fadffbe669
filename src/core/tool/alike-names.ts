// Names that people and models take for one another: `Run_Command`, `run-command` and `run_command`.

/** Equal for names that differ only in case, and in `-` and `_`. */
export function nameKey(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

/** Returns the first other name that a person would take for this one; the name itself does not count. */
export function alikeName(name: string, others: Iterable<string>): string | undefined {
  const key = nameKey(name);
  for (const other of others) if (other !== name && nameKey(other) === key) return other;
  return undefined;
}
