import { canonicalJson } from "../domain/canonical-json.ts"
import { describe, jsonText } from "../domain/json.ts"
import { valueAt } from "../domain/json-pointer.ts"
import { RequestCondition, type SeenRequest } from "../domain/request-condition.ts"
import { isSecretHeader } from "../domain/secret-header.ts"
import type { ScenarioWhere } from "./scenario-schema.ts"
import { lastUserText } from "./scenario-user-text.ts"

/**
 * The conditions that a scenario puts on requests, each with words for the explanation of a miss.
 *
 * **Fails** never: regular expressions are checked by the schema
 *
 * @since 0.1.0
 * @category builders
 */
export const scenarioConditions = (where: ScenarioWhere): ReadonlyArray<RequestCondition> => {
  const { headers = {}, session, turn, attempt, body = {}, lastUserMessage = {} } = where
  return [
    ...Object.entries(headers).flatMap(([name, written]) =>
      conditionsOn(
        { words: `header ${name}`, of: (request) => request.header(name), isSecret: isSecretHeader(name) },
        typeof written === "object" ? textEquals(written) : { equals: String(written) }
      )
    ),
    ...(session === undefined ? [] : [RequestCondition.session(session)]),
    ...(turn === undefined ? [] : [RequestCondition.turn(turn)]),
    ...(attempt === undefined ? [] : [RequestCondition.attempt(attempt)]),
    ...Object.entries(body).flatMap(([pointer, tests]) =>
      conditionsOn({ words: `body ${pointer}`.trim(), of: (request) => valueAt(request.body, pointer) }, tests)
    ),
    ...conditionsOn({ words: "the last user message", of: (request) => lastUserText(request.body) }, lastUserMessage)
  ]
}

/**
 * A part of a request; `of` gives `undefined` where it is not there. Explanations reach clients and logs, and name no value
 * of a secret one.
 */
interface Subject {
  readonly words: string
  readonly of: (request: SeenRequest) => unknown
  readonly isSecret?: boolean
}

/** Everything that a scenario can ask of a subject. */
interface Tests {
  readonly present?: boolean
  readonly equals?: unknown
  readonly contains?: unknown
  readonly matches?: string
}

/** A header is a text, also where YAML took what was written for a number. */
const textEquals = (tests: Tests): Tests =>
  Object.hasOwn(tests, "equals") ? { ...tests, equals: String(tests.equals) } : tests

const conditionsOn = (subject: Subject, tests: Tests): ReadonlyArray<RequestCondition> => {
  const shown = (text: string): string => (subject.isSecret === true ? "***" : text)
  const condition = (words: string, holds: (value: unknown) => boolean): RequestCondition => ({
    description: `${subject.words} ${words}`,
    test: (request) => holds(subject.of(request)),
    found: (request) => {
      const value = subject.of(request)
      return value === undefined ? `${subject.words} is absent` : `${subject.words} is ${shown(describe(value))}`
    }
  })
  const { present, contains, matches } = tests
  return [
    ...(present === undefined
      ? []
      : [condition(present ? "is present" : "is absent", (value) => (value !== undefined) === present)]),
    // A value of null is asked for as well.
    ...(Object.hasOwn(tests, "equals") ? [condition(`is ${shown(describe(tests.equals))}`, equals(tests.equals))] : []),
    ...(contains === undefined ? [] : [condition(`contains ${shown(describe(contains))}`, containing(contains))]),
    ...(matches === undefined
      ? []
      : [condition(`matches ${shown(String(new RegExp(matches, "u")))}`, matching(matches))])
  ]
}

const canonical = (value: unknown): string => canonicalJson(jsonText(value) ?? "null")

const equals = (wanted: unknown): ((value: unknown) => boolean) => {
  const spelling = canonical(wanted)
  return (value) => value !== undefined && canonical(value) === spelling
}

/** A piece of a text, or an item of a list. */
const containing = (wanted: unknown): ((value: unknown) => boolean) => {
  const isWanted = equals(wanted)
  return (value) => {
    if (typeof value === "string") return typeof wanted === "string" && value.includes(wanted)
    return Array.isArray(value) && value.some(isWanted)
  }
}

const matching = (pattern: string): ((value: unknown) => boolean) => {
  const expression = new RegExp(pattern, "u")
  return (value) => typeof value === "string" && expression.test(value)
}
