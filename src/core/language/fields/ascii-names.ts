// Names with letters beyond ASCII, which APIs of models refuse: what is said of one, and its name in ASCII.
const NAME = /^(?:\{[^{}]*\}[ \t]+)?(?:[A-Za-z_][\w-]*\.)?((?=[\w-]*[^\0-\x7f])[\p{L}\p{M}\p{N}_-]+)/u;

/** Returns the name at the beginning of a declaration if it has such letters, and where it begins there. */
export function foreignNameIn(text: string): { readonly name: string; readonly at: number } | undefined {
  const [whole = "", name] = NAME.exec(text) ?? [];
  return name === undefined ? undefined : { name, at: whole.length - name.length };
}

/** What is said of a declared name. */
export function foreignName(name: string): { readonly message: string; readonly help: readonly string[] } {
  return {
    message: `\`${name.slice(0, 64)}\` cannot be a name here: APIs of models accept only letters from a to z, digits, \`_\` and \`-\``,
    help: ["give it a name of such letters, and say what it means in its description"],
  };
}
