// `@type` and `@property`: object types with a name, in any order, each unfolded once.
import type { ObjectSchema, Parameter, ParameterSchema } from "../schema/parameter.ts";
import { type Analysis, type Details, nearestOf, partOf, replacing } from "./analysis.ts";
import { isPlainType, plainTypeNames, type TypeScope } from "./analyze-types.ts";
import { parameterOf } from "./analyze-parameters.ts";
import type { Annotation } from "./ast.ts";
import type { Part } from "./grammar.ts";
import { readWithRepairs } from "./parameter-repairs.ts";

/** Of types within types; what no model and no form could show. */
const TYPE_DEPTH_MAX = 16;
/** Properties of a type with those of the types in it, counted wherever they are used: two types within types double them. */
const UNFOLDED_PROPERTIES_MAX = 2_000;
/** Of all parameters, counted in the same way. */
const USED_PROPERTIES_MAX = 10_000;

interface NamedType {
  readonly name: Part;
  readonly properties: Map<string, Part>;
  state: "declared" | "unfolding" | "done";
  schema?: ObjectSchema;
  propertyCount: number;
}

export class NamedTypes implements TypeScope {
  readonly #analysis: Analysis;
  readonly #types = new Map<string, NamedType>();
  #depth = 0;
  #isTooDeep = false;
  #usedProperties = 0;
  #names: readonly string[] = [];

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
    for (const annotation of analysis.all("type")) this.#declare(annotation);
    this.#names = [...this.#types.keys()];
    for (const annotation of analysis.all("property")) this.#addProperty(annotation);
    // Types that nothing uses are checked too.
    for (const [name, type] of this.#types) this.#unfolded(name, type.name);
  }

  get names(): readonly string[] {
    return this.#names;
  }

  has(name: string): boolean {
    return this.#types.has(name);
  }

  #declare(annotation: Annotation): void {
    const part = readWithRepairs(this.#analysis, annotation, "namedType");
    const name = part && partOf(part, "typeName");
    if (!part || !name) return;
    const known = this.#types.get(name.text.text);
    if (isPlainType(name.text.text) || name.text.text === "array") {
      this.#analysis.error("duplicate-type", `\`${name.text.text}\` is a type of the language`, { at: name.text.span, help: ["give this type another name"] });
    } else if (known) {
      const related = [{ span: known.name.text.span, text: "first declared here" }];
      this.#analysis.error("duplicate-type", `the type \`${name.text.text}\` is declared twice`, { at: name.text.span, related });
    } else this.#types.set(name.text.text, { name, properties: new Map(), state: "declared", propertyCount: 1 });
    const type = partOf(part, "type");
    if (type && type.parts[0]?.text.text !== "object") {
      this.#analysis.error("malformed-annotation", "a `@type` is an object", { at: type.text.span, fix: replacing(type.text.span, "{object}") });
    }
  }

  #addProperty(annotation: Annotation): void {
    const part = readWithRepairs(this.#analysis, annotation, "property");
    const owner = part && partOf(part, "typeName");
    const name = part && partOf(part, "propertyName");
    if (!part || !owner || !name) return;
    const type = this.#types.get(owner.text.text);
    const known = type?.properties.get(name.text.text);
    if (!type) this.#unknownOwner(owner);
    else if (known) {
      const related = [{ span: partOf(known, "propertyName")?.text.span ?? known.text.span, text: "first declared here" }];
      this.#analysis.error("duplicate-parameter", `\`${owner.text.text}\` has two properties called \`${name.text.text}\``, { at: name.text.span, related });
    } else type.properties.set(name.text.text, part);
  }

  #unknownOwner(owner: Part): void {
    const name = owner.text.text;
    const near = nearestOf(name, this.#names);
    this.#analysis.error("unknown-type", `no \`@type\` is called \`${name}\``, {
      at: owner.text.span,
      label: near === undefined ? "" : `did you mean \`${near}\`?`,
      help: near === undefined && !plainTypeNames.includes(name) ? [`declare it: \`@type ${name} {object}\``] : [],
      fix: near === undefined ? undefined : replacing(owner.text.span, near),
    });
  }

  schemaOf(name: string, at: Part): ParameterSchema | undefined {
    const schema = this.#unfolded(name, at);
    if (this.#depth > 0 || !schema) return schema;
    this.#usedProperties += this.#types.get(name)?.propertyCount ?? 0;
    return this.#usedProperties <= USED_PROPERTIES_MAX ? schema : this.#refuse("too-large", `the parameters of this tool have more than ${USED_PROPERTIES_MAX} properties in all`, { at: at.text.span });
  }

  #unfolded(name: string, at: Part): ParameterSchema | undefined {
    const type = this.#types.get(name);
    if (!type || type.state === "done") return type?.schema;
    if (type.state === "unfolding") return this.#refuse("type-cycle", `the type \`${name}\` holds itself`, { at: at.text.span, label: "so no value of it ever ends" });
    if (this.#depth >= TYPE_DEPTH_MAX) return this.#tooDeep(at);
    type.state = "unfolding";
    this.#depth++;
    const properties = [...type.properties.values()].map((part) => this.#propertyOf(part, type)).filter((one) => one !== undefined);
    this.#depth--;
    type.state = "done";
    if (type.propertyCount > UNFOLDED_PROPERTIES_MAX) return this.#refuse("too-large", `the type \`${name}\` has more than ${UNFOLDED_PROPERTIES_MAX} properties, those of the types in it counted`, { at: type.name.text.span });
    // A type without properties holds anything, as `object` does.
    type.schema = { type: "object", typeName: name, properties, open: properties.length === 0 };
    return type.schema;
  }

  #propertyOf(part: Part, owner: NamedType): Parameter | undefined {
    const property = parameterOf(part, this, this.#analysis);
    if (property) owner.propertyCount += 1 + this.#propertiesIn(property.schema);
    return property;
  }

  #propertiesIn(schema: ParameterSchema): number {
    if (schema.type === "array") return this.#propertiesIn(schema.items);
    return schema.type === "object" && schema.typeName !== undefined ? (this.#types.get(schema.typeName)?.propertyCount ?? 0) : 0;
  }

  /** Once: a chain of types breaks in many places. */
  #tooDeep(at: Part): undefined {
    if (!this.#isTooDeep) this.#refuse("too-deep", `types nest more than ${TYPE_DEPTH_MAX} deep here`, { at: at.text.span });
    this.#isTooDeep = true;
  }

  #refuse(code: "type-cycle" | "too-deep" | "too-large", message: string, details: Details): undefined {
    this.#analysis.error(code, message, details);
  }
}
