// The name of a tool for model APIs, which take letters, digits, `_` and `-` alone: `owner/name` is `owner__name` there.

export function apiName(name: string): string {
  return name.replace("/", "__");
}

/** Two tools may come to one name; the first of `names` has it then. */
export function toolOfApiName(wanted: string, names: readonly string[]): string | undefined {
  return names.find((name) => apiName(name) === wanted);
}
