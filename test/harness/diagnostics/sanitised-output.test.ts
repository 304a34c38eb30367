import { expect, test } from "vitest"
import { redactedOutput, sanitisedOutput } from "../../../src/harness/diagnostics/sanitised-output.ts"

const variables = {
  CUSTOM_TOKEN: "do-not-print-this-token",
  SHORT_TOKEN: "abc",
  BASE_URL: "http://127.0.0.1:9/v1",
  HOME: "/s/home",
  GIT_CONFIG_GLOBAL: "/s/home/gitconfig",
  QUOTED_SECRET: 'say "hi"',
  PLAIN: "seen"
}

test("values of secrets, addresses and folders are replaced, the longest first", () => {
  const text = "abc seen do-not-print-this-token at http://127.0.0.1:9/v1 in /s/home/gitconfig and /s/home/x"

  expect(redactedOutput(text, variables)).toBe("abc seen <redacted> at <redacted> in <redacted> and <redacted>/x")
})

test("a value is also found as JSON and URLs write it", () => {
  expect(redactedOutput('{"a":"say \\"hi\\""} ?q=say%20%22hi%22', variables)).toBe('{"a":"<redacted>"} ?q=<redacted>')
})

test.each([
  ["Authorization: Basic x"],
  ["the API_KEY is wrong"],
  ["apikey"],
  ["Password?"],
  ["passwd"],
  ["client secret"],
  ["Bearer abc"],
  ["?token=1"],
  ["token: 1"],
  ['{"token":1}'],
  ["Set-Cookie: a"],
  ["credentials"]
])("the line %j is replaced as a whole", (line) => {
  expect(redactedOutput(`before\n${line}\nafter`, {})).toBe("before\n<redacted sensitive output line>\nafter")
})

test("a word that only looks like one of those stays", () => {
  expect(redactedOutput("bearer\ntokens 5\nkey", {})).toBe("bearer\ntokens 5\nkey")
})

test("of a text without its beginning, half a value is replaced as well", () => {
  const text = "this-token and more"

  expect(redactedOutput(text, variables, { truncated: true })).toBe("<redacted> and more")
  expect(redactedOutput(text, variables)).toBe(text)
})

test("a value that the mark itself would show is not shown either", () => {
  expect(sanitisedOutput("a redacted b", ["redacted"])).toBe("a *** b")
  expect(sanitisedOutput("the cookie", ["sensitive"])).toBe("***")
  expect(sanitisedOutput("ababcdcd", ["abcd"])).toBe("ab<redacted>cd")
  expect(sanitisedOutput("x***yabcd", ["abcd", "x***y", "<redacted>"])).not.toContain("x***y")
})
