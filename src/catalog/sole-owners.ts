// A name without an owner that no tool has: it means the tool of its only owner, as on the command line. So a definition
// may use `translate`, wherever `official/translate` comes from.
import { isRemoteName } from "../tool/remote-name.ts";

interface KnownNames {
  /** The names that definitions want, whatever became of them. */
  wanted(): Iterable<string>;
  /** Whether a tool made in TypeScript has the name, or a definition wants it. */
  isTaken(name: string): boolean;
  /** Whether a call of the name reaches a definition without errors. */
  isUsed(name: string): boolean;
  /** Whether that definition may run. Asked only where several owners have one. */
  isTrusted(name: string): boolean;
}

export class SoleOwners {
  private readonly known: KnownNames;
  private readonly found = new Map<string, string>();

  constructor(known: KnownNames) {
    this.known = known;
  }

  /** Returns the whole name of the tool that a definition called `user` means by `name`. */
  nameFor(name: string, user: string): string {
    if (name.includes("/") || isRemoteName(name) || this.known.isTaken(name)) return name;
    const [owner = ""] = user.split("/", 1);
    const own = `${owner}/${name}`;
    if (own !== user && this.known.isUsed(own)) return own;
    const found = this.found.get(name) ?? this.soleOf(name);
    this.found.set(name, found);
    // Meaning itself would be a circle, which is not what its author wrote.
    return found === user ? name : found;
  }

  private soleOf(name: string): string {
    const ending = `/${name}`;
    const owned = [...this.known.wanted()].filter((one) => one.endsWith(ending) && this.known.isUsed(one));
    const trusted = owned.length > 1 ? owned.filter((one) => this.known.isTrusted(one)) : owned;
    const [only, ...others] = trusted.length > 0 ? trusted : owned;
    return only === undefined || others.length > 0 ? name : only;
  }
}
