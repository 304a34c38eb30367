import { describe, expect, it } from "vitest"
import { InvalidOption } from "../../src/domain/errors.ts"
import { judgeCondition, RequestCondition, seenRequest } from "../../src/domain/request-condition.ts"

const conversation = () => ({ session: "ann", turn: 1 })
const withHeader = (name: string, value: string) =>
  seenRequest({ endpoint: "Messages", kind: "auxiliary", headers: [[name, value]], body: {} }, conversation)

describe("a condition on a header", () => {
  it("tells what is there instead", () => {
    const condition = RequestCondition.header("X-Team", "red")

    expect(condition.description).toBe('header X-Team is "red"')
    expect(judgeCondition(condition, withHeader("x-team", "blue"))).toBe('header X-Team is "blue"')
    expect(judgeCondition(condition, withHeader("x-other", "red"))).toBe("header X-Team is absent")
    expect(judgeCondition(condition, withHeader("x-team", "red"))).toBe(null)
  })

  it.each(["red", /^red$/])("tells no value of a header that holds a key, however short it is (%s)", (wanted) => {
    const condition = RequestCondition.header("X-API-Key", wanted)

    expect(condition.description).toMatch(/^header X-API-Key (is|matches) what was scripted$/)
    expect(judgeCondition(condition, withHeader("x-api-key", "blue"))).toBe("header X-API-Key is another one")
    expect(judgeCondition(condition, withHeader("x-api-key", "red"))).toBe(null)
  })
})

describe("a condition on the attempt", () => {
  it("says when attempts were not counted", () => {
    expect(judgeCondition(RequestCondition.attempt(1), withHeader("x", "y"))).toBe("attempts were not counted yet")
  })

  it.each([0, 1.5, Number.NaN])("cannot ask for %d", (number) => {
    expect(() => RequestCondition.attempt(number)).toThrow("use a whole number from 1")
  })
})

describe("a condition that could never hold", () => {
  /** A value that no type has checked, as plain JavaScript gives it. */
  const untyped = (json: string) => JSON.parse(json)
  const yes = () => true

  it.each<readonly [string, () => unknown, string]>([
    ["turn('1')", () => RequestCondition.turn(untyped('"1"')), 'turn is "1"; use a whole number from 0'],
    ["turn(-1)", () => RequestCondition.turn(-1), "turn is -1; use a whole number from 0"],
    ["session(5)", () => RequestCondition.session(untyped("5")), "session is 5; use a text"],
    ["attempt('2')", () => RequestCondition.attempt(untyped('"2"')), 'attempt is "2"; use a whole number from 1'],
    ["header(5)", () => RequestCondition.header(untyped("5"), "x"), "name is 5; use the name of a header"],
    ["header('a b')", () => RequestCondition.header("a b", "x"), 'name is "a b"; use the name of a header'],
    [
      "header('x', 5)",
      () => RequestCondition.header("x", untyped("5")),
      'header("x", value): value is 5; use a text or a regular expression'
    ],
    [
      "body(5)",
      () => RequestCondition.body(untyped("5"), yes),
      "body(description, accepts): description is 5; use a text"
    ],
    [
      "body('x')",
      () => RequestCondition.body("x", untyped("null")),
      "accepts is null; use a function that answers true"
    ],
    [
      "request({})",
      () => RequestCondition.request(untyped("{}"), yes),
      "request(description, accepts): description is {}"
    ],
    ["request('x', 1)", () => RequestCondition.request("x", untyped("1")), "accepts is 1; use a function"]
  ])("is refused where it is made: %s", (_, make, message) => {
    expect(make).toThrow(InvalidOption)
    expect(make).toThrow(message)
  })
})
