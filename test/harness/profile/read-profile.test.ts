import { describe, expect, test } from "vitest"
import { ProfileInvalid } from "../../../src/domain/harness-errors.ts"
import { readProfile, readProfileText } from "../../../src/harness/profile/read-profile.ts"

const least = {
  id: "mine",
  binary: { command: "mine" },
  headless: { args: ["run", "{prompt}"] },
  sandbox: { stateDir: ".mine" }
}

const refusal = (source: unknown): { readonly field: string; readonly message: string } => {
  try {
    readProfile(source)
  } catch (error) {
    if (error instanceof ProfileInvalid) return { field: error.field, message: error.message }
    throw error
  }
  throw new Error("the profile was taken")
}

test("a profile may be short; the rest is filled in", () => {
  expect(readProfile(least)).toEqual({
    id: "mine",
    displayName: "mine",
    tried: { acp: "none", headless: "none", version: "", note: "" },
    binary: {
      env: [],
      roleEnv: {},
      buildEnv: [],
      command: "mine",
      package: null,
      localBuild: null,
      interpreter: null
    },
    acp: null,
    headless: {
      args: ["run", "{prompt}"],
      formats: {
        text: { value: "text", args: null, output: "text", terminal: null, answer: null, sessionId: null, events: [] }
      },
      defaultFormat: "text",
      defaultModel: null
    },
    mock: { env: {}, files: [], wire: [] },
    sandbox: { homeEnv: {}, stateDir: ".mine", killSwitches: {}, forbidden: [] },
    ext: { prefixes: [] },
    crashPatterns: [],
    leader: null,
    signals: {}
  })
})

describe("a profile is refused, by field,", () => {
  test.each([
    ["that it does not know", { ...least, sandbx: {} }, "sandbx", /is not known; did you mean "sandbox"\?/],
    ["that one part does not know", { ...least, binary: { comand: "x" } }, "binary.comand", /did you mean "command"\?/],
    ["that is like no other", { ...least, binary: { zzz: 1 } }, "binary.zzz", /it may have env, roleEnv, buildEnv/],
    ["whose part is missing", { ...least, binary: undefined }, "binary", /is missing; it is an object with env, /],
    ["that is missing", { ...least, sandbox: {} }, "sandbox.stateDir", /is missing; it is a text/],
    ["when no place of the program is named", { ...least, binary: {} }, "binary", /names no place/],
    ["when it can do nothing", { ...least, headless: null }, "", /neither `acp` nor `headless`/],
    ["for its id", { ...least, id: "My Agent" }, "id", /small letters, digits and -/],
    ["without a prompt", { ...least, headless: { args: ["run"] } }, "headless.args", /\{prompt\} 0 times/],
    [
      "with two prompts",
      { ...least, headless: { args: ["{prompt}", "{prompt}"] } },
      "headless.args",
      /\{prompt\} 2 times/
    ],
    [
      "for a placeholder",
      { ...least, mock: { env: { URL: "{mockUlr}/v1" } } },
      "mock.env.URL",
      /names \{mockUlr\}, which is not known; did you mean "mockUrl"\?/
    ],
    [
      "for a placeholder of another place",
      { ...least, mock: { env: { URL: "{stateDir}" } } },
      "mock.env.URL",
      /it may name \{mockUrl\}, \{mockOrigin\}, \{apiKey\}/
    ],
    [
      "when a model is missing",
      { ...least, headless: { args: ["{prompt}", "{model}"] } },
      "headless.defaultModel",
      /./
    ],
    ["for a name with =", { ...least, mock: { env: { "A=B": "x" } } }, 'mock.env."A=B"', /holds no "="/],
    ["for a NUL", { ...least, sandbox: { stateDir: ".a\0" } }, "sandbox.stateDir", /NUL/],
    ["for a wire", { ...least, mock: { wire: ["Response"] } }, "mock.wire[0]", /did you mean "Responses"\?/],
    ["for a way to sign in", { ...least, acp: { args: [], auth: "key" } }, "acp.auth", /use "none"/],
    [
      "for two ways to a model",
      { ...least, acp: { args: [], modelSelection: { env: "A", method: "b" } } },
      "acp.modelSelection",
      /2 ways/
    ],
    ["for a signal", { ...least, signals: { TERM: 143 } }, "signals.TERM", /SIGTERM/],
    ["for a code", { ...least, signals: { SIGTERM: 256 } }, "signals.SIGTERM", /from 0 to 255/],
    [
      "for a package",
      { ...least, binary: { package: { name: "../x", bin: "x" } } },
      "binary.package.name",
      /npm package/
    ],
    [
      "for a leader's variable",
      {
        ...least,
        mock: { env: { MINE_URL: "{mockUrl}" } },
        leader: { args: [], clientArgs: [], socketEnv: "S", mockEnv: ["MINE_ULR"] }
      },
      "leader.mockEnv[0]",
      /did you mean "MINE_URL"\?/
    ]
  ])("%s", (_, source, field, message) => {
    const refused = refusal(source)

    expect(refused.field).toBe(field)
    expect(refused.message).toMatch(message)
  })

  test.each(["/etc/x", "../x", "{home}/../../x", "{temp}/../..", "C:\\x", "..\\x", "{home}\\..\\..\\x"])(
    "for the file %s, which leaves the sandbox",
    (path) => {
      const refused = refusal({ ...least, mock: { files: [{ path, template: "" }] } })

      expect(refused.field).toBe("mock.files[0].path")
      expect(refused.message).toContain("leaves the sandbox")
    }
  )

  test.each(["{stateDir}/a.json", "{workspace}/.x/../y", "home/x", "{temp}/{home}"])(
    "but not for the file %s",
    (path) => {
      expect(readProfile({ ...least, mock: { files: [{ path, template: "" }] } }).mock.files[0]?.path).toBe(path)
    }
  )

  test.each(["/x", "..", "a/../..", ".", "C:/x"])("for the state folder %s", (stateDir) => {
    expect(refusal({ ...least, sandbox: { stateDir } }).field).toBe("sandbox.stateDir")
  })
})

test("braces of JSON and TOML are no placeholders", () => {
  const template = '{"a": {"b": "{mockUrl}"}, "c": {}, "d": "{env:X}"}\ne = { f = 1 }'

  const { mock } = readProfile({ ...least, mock: { files: [{ path: "{home}/a", template }] } })

  expect(mock.files[0]?.template).toBe(template)
})

describe("a JSON file", () => {
  test("is named in what is said of its content", () => {
    expect(() => readProfileText('{"id": 5}', { name: "mine.json" })).toThrow(
      /^mine\.json: `id` of the profile is 5; use a text/
    )
    expect(() => readProfileText("{", { name: "mine.json" })).toThrow(/^mine\.json is not JSON: /)
  })

  test("gives the profile that it holds", () => {
    expect(readProfileText(JSON.stringify(least), { name: "mine.json" })).toEqual(readProfile(least))
  })
})
