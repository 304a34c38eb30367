/** The JSON types that scenarios tell apart. */
export type JsonType = "string" | "number" | "integer" | "boolean" | "array" | "object"

/**
 * The part of JSON Schema (draft 2020-12) that scenarios are described with; nothing else of it is understood here.
 * `patternErrorMessage` is what editors show, and we say, where `pattern` does not fit.
 *
 * The branches of a `oneOf` differ in their type or, for objects, in the keys that they require and allow.
 *
 * @since 0.1.0
 * @category schemas
 */
export interface SchemaNode {
  readonly $schema?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: ReadonlyArray<unknown>
  /** A secret: its value is never shown. */
  readonly writeOnly?: boolean
  readonly $ref?: `#/$defs/${string}`
  readonly $defs?: SchemaTable
  readonly type?: JsonType | ReadonlyArray<JsonType>
  readonly enum?: ReadonlyArray<string>
  readonly oneOf?: ReadonlyArray<SchemaNode>
  readonly properties?: SchemaTable
  readonly required?: ReadonlyArray<string>
  readonly propertyNames?: SchemaNode
  readonly additionalProperties?: false | SchemaNode
  readonly items?: SchemaNode
  readonly minItems?: number
  readonly minProperties?: number
  readonly minLength?: number
  /** A regular expression of ECMAScript, with the flag `u` as everywhere in JSON Schema. */
  readonly format?: "regex"
  readonly pattern?: string
  readonly patternErrorMessage?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Schemas by name. */
export type SchemaTable = Readonly<Record<string, SchemaNode>>

/** What a `$ref` stands for, or the schema itself. */
export const resolved = (node: SchemaNode, defs: SchemaTable): SchemaNode =>
  node.$ref === undefined ? node : (defs[node.$ref.slice("#/$defs/".length)] ?? {})

/** The types that a schema names. */
export const typesOf = ({ type }: SchemaNode): ReadonlyArray<JsonType> => {
  if (type === undefined) return []
  return typeof type === "string" ? [type] : type
}

/**
 * The type of the values that a schema allows, so that what is checked and what is compiled cannot differ.
 *
 * @since 0.1.0
 * @category schemas
 */
export type Conforming<Node, Defs> = Node extends { readonly $ref: `#/$defs/${infer Name extends keyof Defs & string}` }
  ? Conforming<Defs[Name], Defs>
  : Node extends { readonly oneOf: ReadonlyArray<infer Branch> }
    ? ConformingEach<Branch, Defs>
    : Node extends { readonly enum: ReadonlyArray<infer Value> }
      ? Value
      : Node extends { readonly type: infer Type }
        ? ConformingType<Type extends ReadonlyArray<infer Each> ? Each : Type, Node, Defs>
        : unknown

type ConformingEach<Branch, Defs> = Branch extends unknown ? Conforming<Branch, Defs> : never

type ConformingType<Type, Node, Defs> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "array"
        ? Node extends { readonly items: infer Item }
          ? ReadonlyArray<Conforming<Item, Defs>>
          : ReadonlyArray<unknown>
        : ConformingObject<Node, Defs>

type ConformingObject<Node, Defs> = Node extends { readonly properties: infer Table }
  ? { readonly [Key in keyof Table & RequiredKey<Node>]: Conforming<Table[Key], Defs> } & {
      readonly [Key in Exclude<keyof Table, RequiredKey<Node>>]?: Conforming<Table[Key], Defs>
    }
  : Node extends { readonly additionalProperties: infer Item }
    ? Readonly<Record<string, Conforming<Item, Defs>>>
    : Readonly<Record<string, unknown>>

type RequiredKey<Node> = Node extends { readonly required: ReadonlyArray<infer Key> } ? Key : never

/** The name of an HTTP header. */
export const headerNameNode = {
  type: "string",
  pattern: "^[!#$%&'*+\\-.^_`|~0-9A-Za-z]+$",
  patternErrorMessage: "is no HTTP header name; use letters, digits and -"
} as const satisfies SchemaNode
