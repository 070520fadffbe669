// Regular expressions in time linear to the text: all ways through the expression are followed at once, character by
// character, as Ken Thompson described it in 1968. The sets of ways are remembered with their successors, as RE2 does.
import { CharacterClasses } from "./character-classes.ts";
import type { PatternNode, TextPlace } from "./pattern-syntax.ts";

/** The limit of a compiled expression: `(?:a{1000}){1000}` would be a million instructions. */
const INSTRUCTIONS_MAX = 3_000;
/** The limit of parts that match a character, each counted once. */
const SOURCES_MAX = 500;
/** The limit of conditions, each of which is a bit of a number. */
const CONDITIONS_MAX = 20;
/** The limit of remembered sets of ways. An expression with more starts over. */
const REMEMBERED_MAX = 20_000;

interface LinearPattern {
  /** The instructions, which is the most work for each character. */
  readonly instructions: number;
  /** Whether it matches anywhere in `text`, as `RegExp.test` says. */
  test(text: string): boolean;
}

/** Compiles an expression. Returns undefined if it is too large. */
export function compileLinear(node: PatternNode, flags: string): LinearPattern | undefined {
  const compiler = new Compiler();
  try {
    const program = compiler.program(node, false);
    if (compiler.conditions.length > CONDITIONS_MAX) return undefined;
    return new Matcher(program, compiler, flags);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

class TooLarge extends Error {}

type Instruction =
  /** Continues after a character that `source`, an index in `sources`, matches. */
  | { readonly kind: "one"; readonly source: number; readonly next: number }
  /** The targets are added later, because an expression may lead back. */
  | { readonly kind: "any"; readonly next: number[] }
  | { readonly kind: "if"; readonly condition: number; readonly next: number }
  | { readonly kind: "end" };

interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** Reads the text from its end. */
  readonly isBackward: boolean;
}

/** A condition that holds at a place of the text or not, for all ways. */
type Condition =
  | { readonly kind: "place"; readonly place: TextPlace }
  | { readonly kind: "look"; readonly program: Program; readonly isNegated: boolean };

/** A set of instructions of the kind `one`, where ways continue with a character. */
interface WaySet {
  readonly ways: readonly number[];
  /** Whether one of them has come to the end. */
  readonly isAtEnd: boolean;
  /** The next set by character class and conditions. */
  readonly following: Map<number, WaySet>;
}

class Compiler {
  readonly sources: string[] = [];
  /** The conditions. One within another comes before it. */
  readonly conditions: Condition[] = [];
  /** Instructions of all programs. */
  added = 0;
  readonly #known = new Map<PatternNode | TextPlace, number>();

  program(node: PatternNode, isBackward: boolean): Program {
    const instructions: Instruction[] = [];
    const add = (instruction: Instruction): number => {
      if (++this.added > INSTRUCTIONS_MAX) throw new TooLarge();
      return instructions.push(instruction) - 1;
    };
    const compile = (part: PatternNode, next: number): number => {
      switch (part.kind) {
        case "one":
          return add({ kind: "one", source: this.#source(part.source), next });
        case "sequence":
          return (isBackward ? part.items : part.items.toReversed()).reduce(
            (behind, item) => compile(item, behind),
            next,
          );
        case "either":
          return add({ kind: "any", next: part.options.map((option) => compile(option, next)) });
        case "repeat":
          return repeat(part, next);
        case "place":
        case "look":
          return add({ kind: "if", condition: this.#condition(part), next });
      }
    };
    const repeat = ({ item, countMin, countMax }: PatternNode & { readonly kind: "repeat" }, next: number): number => {
      let start = next;
      if (countMax === Infinity) {
        const ways: number[] = [];
        start = add({ kind: "any", next: ways });
        ways.push(compile(item, start), next);
      } else {
        for (let count = countMin; count < countMax; count++)
          start = add({ kind: "any", next: [compile(item, start), next] });
      }
      for (let count = 0; count < countMin; count++) {
        const before = start;
        start = compile(item, start);
        // An empty text, any number of times.
        if (start === before) break;
      }
      return start;
    };
    const end = add({ kind: "end" });
    const start = compile(node, end);
    return { instructions, start, isBackward };
  }

  #source(source: string): number {
    const known = this.sources.indexOf(source);
    if (known === -1 && this.sources.length >= SOURCES_MAX) throw new TooLarge();
    return known === -1 ? this.sources.push(source) - 1 : known;
  }

  #condition(node: PatternNode & { readonly kind: "place" | "look" }): number {
    const key = node.kind === "place" ? node.place : node;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const condition: Condition =
      node.kind === "place"
        ? node
        : { kind: "look", program: this.program(node.item, !node.isBehind), isNegated: node.isNegated };
    const index = this.conditions.push(condition) - 1;
    this.#known.set(key, index);
    return index;
  }
}

class Matcher implements LinearPattern {
  readonly instructions: number;
  readonly #program: Program;
  readonly #conditions: readonly Condition[];
  readonly #classes: CharacterClasses;
  readonly #ways = new Map<Program, Ways>();

  constructor(program: Program, { conditions, sources, added }: Compiler, flags: string) {
    this.#program = program;
    this.#conditions = conditions;
    this.#classes = new CharacterClasses(sources, flags);
    this.instructions = added + sources.length;
  }

  test(text: string): boolean {
    const classes = this.#classes.of(text);
    const holding = new Int32Array(this.#conditions.length === 0 ? 0 : classes.length + 1);
    for (const [index, condition] of this.#conditions.entries()) {
      const bit = 1 << index;
      if (condition.kind === "place") {
        for (let at = 0; at <= classes.length; at++)
          if (this.#classes.isAt(condition.place, classes, at)) holding[at] = (holding[at] ?? 0) | bit;
      } else {
        const found = new Uint8Array(classes.length + 1);
        this.#waysOf(condition.program).follow(classes, holding, (at) => {
          found[at] = 1;
          return false;
        });
        for (let at = 0; at <= classes.length; at++)
          if ((found[at] === 1) !== condition.isNegated) holding[at] = (holding[at] ?? 0) | bit;
      }
    }
    return this.#waysOf(this.#program).follow(classes, holding, () => true);
  }

  #waysOf(program: Program): Ways {
    const ways = this.#ways.get(program) ?? new Ways(program, this.#classes, 2 ** this.#conditions.length);
    this.#ways.set(program, ways);
    return ways;
  }
}

/** The ways through one program, that begin at every place of a text. */
class Ways {
  readonly #program: Program;
  readonly #classes: CharacterClasses;
  /** The number of combinations of conditions that may hold at a place. */
  readonly #combinations: number;
  readonly #sets = new Map<string, WaySet>();
  readonly #none: WaySet = { ways: [], isAtEnd: false, following: new Map() };
  readonly #seen: Uint32Array;
  #round = 0;
  #remembering = 0;

  constructor(program: Program, classes: CharacterClasses, combinations: number) {
    this.#program = program;
    this.#classes = classes;
    this.#combinations = combinations;
    this.#seen = new Uint32Array(program.instructions.length);
  }

  /** Calls `onEnd` with each place where a way ends; stops when it returns `true`. */
  follow(classes: Uint32Array, holding: Int32Array, onEnd: (at: number) => boolean): boolean {
    const { isBackward } = this.#program;
    let set = this.#closed([], holding[isBackward ? classes.length : 0] ?? 0);
    if (set.isAtEnd && onEnd(isBackward ? classes.length : 0)) return true;
    for (let count = 0; count < classes.length; count++) {
      const at = isBackward ? classes.length - 1 - count : count + 1;
      const read = classes[isBackward ? at : count] ?? 0;
      const holds = holding[at] ?? 0;
      const key = read * this.#combinations + holds;
      const known = set.following.get(key);
      const next = known ?? this.#closed(this.#behind(set, read), holds);
      if (!known) this.#lead(set, key, next);
      set = next;
      if (set.isAtEnd && onEnd(at)) return true;
    }
    return false;
  }

  #behind({ ways }: WaySet, read: number): number[] {
    const behind: number[] = [];
    for (const way of ways) {
      const instruction = this.#program.instructions[way];
      if (instruction?.kind === "one" && this.#classes.fits(read, instruction.source)) behind.push(instruction.next);
    }
    return behind;
  }

  /** Returns everything that can be reached without a character from `open`, and from the start. */
  #closed(open: number[], holds: number): WaySet {
    const ways: number[] = [];
    let isAtEnd = false;
    const round = ++this.#round;
    open.push(this.#program.start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#seen[at] === round) continue;
      this.#seen[at] = round;
      const instruction = this.#program.instructions[at];
      if (instruction?.kind === "one") ways.push(at);
      else if (instruction?.kind === "any") open.push(...instruction.next);
      else if (instruction?.kind === "end") isAtEnd = true;
      else if (instruction && (holds & (1 << instruction.condition)) !== 0) open.push(instruction.next);
    }
    return this.#remembered(
      ways.sort((one, other) => one - other),
      isAtEnd,
    );
  }

  #remembered(ways: readonly number[], isAtEnd: boolean): WaySet {
    if (ways.length === 0 && !isAtEnd) return this.#none;
    const key = `${isAtEnd ? "!" : ""}${ways.join()}`;
    const known = this.#sets.get(key);
    if (known) return known;
    const set: WaySet = { ways, isAtEnd, following: new Map() };
    this.#sets.set(key, set);
    this.#remembering += ways.length;
    return set;
  }

  #lead(set: WaySet, key: number, next: WaySet): void {
    if (++this.#remembering > REMEMBERED_MAX) {
      // They refer to each other, so all are removed together.
      this.#sets.clear();
      this.#none.following.clear();
      this.#remembering = 0;
    } else set.following.set(key, next);
  }
}
