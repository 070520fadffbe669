// Named object types, in any order, each expanded once.
import type { ObjectSchema, Parameter, ParameterSchema } from "../../schema/parameter.ts";
import type { TypeScope } from "./types.ts";
import type { MappedText } from "../syntax/ast.ts";
import type { Details, Findings } from "../findings.ts";

/** The nesting limit of types. Deeper types do not help models or people. */
const TYPE_DEPTH_MAX = 16;
/**
 * The limit of properties of a type with those of its inner types, counted at each use: two types within types double
 * them.
 */
const UNFOLDED_PROPERTIES_MAX = 2_000;
/** The limit for all parameters, counted in the same way. */
const USED_PROPERTIES_MAX = 10_000;

/** A declared type, with its name as written. */
export interface DeclaredType {
  readonly name: MappedText;
  /** Reads one property. Returns undefined if a problem was reported. */
  readonly properties: readonly ((types: TypeScope) => Parameter | undefined)[];
}

interface NamedType extends DeclaredType {
  state: "declared" | "unfolding" | "done";
  schema?: ObjectSchema;
  propertyCount: number;
}

/** A place that a message points at. */
interface Place {
  readonly text: MappedText;
}

export class NamedTypes implements TypeScope {
  readonly #findings: Findings;
  readonly #types: ReadonlyMap<string, NamedType>;
  #depth = 0;
  #isTooDeep = false;
  #usedProperties = 0;

  /** Each name once. */
  constructor(declared: readonly DeclaredType[], findings: Findings) {
    this.#findings = findings;
    this.#types = new Map(declared.map((type) => [type.name.text, { ...type, state: "declared", propertyCount: 1 }]));
    // Types that nothing uses are checked too.
    for (const [name, type] of this.#types) this.#unfolded(name, { text: type.name });
  }

  /** The names without those that are being expanded, since a type that contains itself is never meant. */
  get names(): readonly string[] {
    return [...this.#types].filter(([, type]) => type.state !== "unfolding").map(([name]) => name);
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  schemaOf(name: string, at: Place): ParameterSchema | undefined {
    const schema = this.#unfolded(name, at);
    if (this.#depth > 0 || !schema) return schema;
    this.#usedProperties += this.#types.get(name)?.propertyCount ?? 0;
    return this.#usedProperties <= USED_PROPERTIES_MAX
      ? schema
      : this.#refuse(
          "too-large",
          `the parameters of this tool have more than ${USED_PROPERTIES_MAX} properties in all`,
          { at: at.text.span },
        );
  }

  #unfolded(name: string, at: Place): ParameterSchema | undefined {
    const type = this.#types.get(name);
    if (!type || type.state === "done") return type?.schema;
    if (type.state === "unfolding")
      return this.#refuse("type-cycle", `the type \`${name}\` contains itself`, {
        at: at.text.span,
        label: "a value of it would be infinite",
      });
    if (this.#depth >= TYPE_DEPTH_MAX) return this.#tooDeep(at);
    type.state = "unfolding";
    this.#depth++;
    const properties = type.properties.map((read) => this.#propertyOf(read, type)).filter((one) => one !== undefined);
    this.#depth--;
    type.state = "done";
    if (type.propertyCount > UNFOLDED_PROPERTIES_MAX)
      return this.#refuse(
        "too-large",
        `the type \`${name}\` has more than ${UNFOLDED_PROPERTIES_MAX} properties, counting those of its types`,
        { at: type.name.span },
      );
    // A type without properties holds anything, as `object` does.
    type.schema = { type: "object", typeName: name, properties, open: properties.length === 0 };
    return type.schema;
  }

  #propertyOf(read: DeclaredType["properties"][number], owner: NamedType): Parameter | undefined {
    const property = read(this);
    if (property) owner.propertyCount += 1 + this.#propertiesIn(property.schema);
    return property;
  }

  #propertiesIn(schema: ParameterSchema): number {
    if (schema.type === "array") return this.#propertiesIn(schema.items);
    return schema.type === "object" && schema.typeName !== undefined
      ? (this.#types.get(schema.typeName)?.propertyCount ?? 0)
      : 0;
  }

  /** Reports the depth once, because a chain of types fails in many places. */
  #tooDeep(at: Place): undefined {
    if (!this.#isTooDeep)
      this.#refuse("too-deep", `these types are nested deeper than ${TYPE_DEPTH_MAX} levels`, { at: at.text.span });
    this.#isTooDeep = true;
  }

  #refuse(code: "type-cycle" | "too-deep" | "too-large", message: string, details: Details): undefined {
    this.#findings.error(code, message, details);
  }
}
