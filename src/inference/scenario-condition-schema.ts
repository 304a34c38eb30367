import { headerNameNode, type SchemaNode } from "./scenario-schema-node.ts"

const presence = {
  description: "Whether it is there at all.",
  type: "object",
  additionalProperties: false,
  required: ["present"],
  properties: { present: { type: "boolean" } }
} as const satisfies SchemaNode

const matches = {
  description: "A regular expression, found anywhere in the text unless it says ^ and $.",
  type: "string",
  format: "regex"
} as const satisfies SchemaNode

const contains = { description: "A piece of the text.", type: "string", minLength: 1 } as const satisfies SchemaNode

/**
 * How scenario files say which requests an expectation is for, besides endpoint and kind. All that is there must hold.
 *
 * @since 0.1.0
 * @category schemas
 */
export const conditionDefs = {
  headerTest: {
    description: "The value of the header, or tests of it that all must hold.",
    oneOf: [
      { type: ["string", "integer"] },
      presence,
      {
        type: "object",
        additionalProperties: false,
        minProperties: 1,
        properties: { equals: { type: ["string", "integer"] }, contains, matches }
      }
    ]
  },
  bodyTest: {
    description: "Tests of one place of the body; all must hold.",
    oneOf: [
      presence,
      {
        type: "object",
        additionalProperties: false,
        minProperties: 1,
        properties: {
          equals: { description: "Any JSON value; the order of keys does not count." },
          contains: { description: "A piece of the text, or an item of the list, that stands there." },
          matches
        }
      }
    ]
  },
  textTest: {
    description: "Tests of a text; all must hold.",
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: { equals: { type: "string" }, contains, matches }
  },
  where: {
    description: "Conditions on the request. All must hold; a miss is explained with them.",
    type: "object",
    additionalProperties: false,
    minProperties: 1,
    properties: {
      headers: {
        description: "Request headers by name; of a repeated one the first counts.",
        type: "object",
        minProperties: 1,
        propertyNames: headerNameNode,
        additionalProperties: { $ref: "#/$defs/headerTest" }
      },
      session: { description: "The session, as the rules of `sessions` name it.", type: "string" },
      turn: { description: "The number of user messages in the body.", type: "integer", minimum: 0 },
      attempt: {
        description:
          "Which try of its call the request is. With it attempts are counted, and a retry may take what asks for one.",
        type: "integer",
        minimum: 1
      },
      body: {
        description: 'Places of the body by JSON pointer, as in `/messages/0/role`; `""` is the whole body.',
        type: "object",
        minProperties: 1,
        propertyNames: {
          type: "string",
          pattern: "^(?:/(?:[^/~]|~[01])*)*$",
          patternErrorMessage: "is no JSON pointer; begin with /, and write ~1 for a / in a key and ~0 for a ~"
        },
        additionalProperties: { $ref: "#/$defs/bodyTest" }
      },
      lastUserMessage: { $ref: "#/$defs/textTest" }
    }
  }
} as const satisfies Readonly<Record<string, SchemaNode>>
