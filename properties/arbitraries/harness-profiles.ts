import fc from "fast-check"
import { type AgentProfile, type JsonObject, mockWires } from "../../src/harness/profile/agent-profile.ts"
import { builtInProfile, builtInProfileIds } from "../../src/harness/profile/built-in-profiles.ts"
import { mockPlaceholders, sandboxPlaceholders } from "../../src/harness/profile/template.ts"

const word = fc
  .string({ unit: fc.constantFrom(..."abcdefXYZ019-_. é"), minLength: 1, maxLength: 8 })
  .map((text) => `w${text}`)
const variable = fc
  .string({ unit: fc.constantFrom(..."ABCDEFXYZ_019"), minLength: 1, maxLength: 8 })
  .map((text) => `V_${text}`)

/** Text around placeholders, and around braces that are none. */
const templateOver = (names: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...names).map((name) => `{${name}}`),
        word,
        fc.constantFrom("{", "}", '{"a": 1}', "{}")
      ),
      {
        maxLength: 4
      }
    )
    .map((pieces) => pieces.join("/"))

const json = fc.dictionary(
  word,
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 })),
  { maxKeys: 3 }
)
const list = <A>(item: fc.Arbitrary<A>) => fc.array(item, { maxLength: 3 })
/** Never with the key `__proto__`, which an object literal of JSON cannot name. */
const map = <A>(name: fc.Arbitrary<string>, value: fc.Arbitrary<A>) => fc.dictionary(name, value, { maxKeys: 3 })

const binary = fc.record(
  {
    env: list(variable),
    roleEnv: map(word, variable),
    buildEnv: list(variable),
    command: word,
    package: fc.constant({ name: "@me/agent", bin: "agent" }),
    localBuild: fc.record(
      { path: word, command: word, args: list(word), cwd: word },
      { requiredKeys: ["path", "command"] }
    ),
    interpreter: word
  },
  { requiredKeys: ["command"] }
)

const acp = fc.record(
  {
    args: list(templateOver(sandboxPlaceholders)),
    leadingArgsPosition: fc.constantFrom("before", "after"),
    protocolVersion: fc.integer({ min: 0, max: 9 }),
    initializeMeta: json,
    clientCapabilities: json,
    auth: fc.oneof(
      fc.constant("none"),
      fc.record({ methodId: word, meta: json }),
      fc.record({ anyOf: fc.array(word, { minLength: 1, maxLength: 3 }) })
    ),
    modelSelection: fc.oneof(
      fc.constant("none"),
      fc.record({ newSessionMeta: word }),
      fc.record({ method: word }),
      fc.record({ configOption: word }),
      fc.record({ env: variable })
    ),
    exitsOnStdinEof: fc.record({ exits: fc.boolean(), withinMs: fc.integer({ min: 1, max: 60_000 }) })
  },
  { requiredKeys: ["args"] }
)

const headless = fc.record(
  {
    args: list(word).map((words) => [...words, "{prompt}", "--format={format}"]),
    formats: fc.dictionary(
      word,
      fc.record(
        {
          value: word,
          args: list(word).map((words) => ["{prompt}", ...words]),
          output: fc.constantFrom("text", "json", "ndjson"),
          terminal: json,
          answer: fc.record({ event: json, at: fc.constantFrom("", "/a/0"), parts: fc.constantFrom("all", "last") }),
          sessionId: fc.constantFrom("/s", "/a~1b"),
          events: list(word)
        },
        { requiredKeys: ["value", "output"] }
      ),
      { minKeys: 1, maxKeys: 3 }
    )
  },
  { requiredKeys: ["args"] }
)

const made: fc.Arbitrary<JsonObject> = fc.record(
  {
    id: fc.constantFrom("a", "my-agent", "x1"),
    displayName: word,
    tried: fc.record({ acp: fc.constantFrom("real run", "none"), note: word }, { requiredKeys: [] }),
    binary,
    acp,
    headless,
    mock: fc.record(
      {
        env: map(variable, templateOver(mockPlaceholders)),
        files: list(
          fc.record({
            path: fc.constantFrom("{stateDir}/a", "{home}/b/c", "workspace/x", "{temp}/d"),
            template: templateOver([...mockPlaceholders, ...sandboxPlaceholders])
          })
        ),
        wire: list(fc.constantFrom(...mockWires))
      },
      { requiredKeys: [] }
    ),
    sandbox: fc.record(
      {
        homeEnv: map(variable, templateOver(sandboxPlaceholders)),
        stateDir: fc.constantFrom(".a", ".config/b", ".c/d/e"),
        killSwitches: map(variable, word),
        // Some of them are names that overrides have.
        forbidden: list(fc.oneof(variable, fc.constantFrom("TERM", "NODE_OPTIONS", "PAGER", "XAI_API_KEY")))
      },
      { requiredKeys: ["stateDir"] }
    ),
    ext: fc.record({ prefixes: list(word) }),
    crashPatterns: list(word),
    leader: fc.record(
      {
        args: list(word),
        clientArgs: list(templateOver([...sandboxPlaceholders, "socket"])),
        socketEnv: variable,
        env: map(variable, word)
      },
      { requiredKeys: ["args", "clientArgs", "socketEnv"] }
    ),
    signals: fc.constantFrom<JsonObject>({}, { SIGTERM: 143 })
  },
  { requiredKeys: ["id", "binary", "headless", "sandbox"] }
)

/** What a JSON file may say, whole or with gaps. */
export const anyProfileSource: fc.Arbitrary<JsonObject> = made

/** One that is built in. */
export const anyBuiltIn: fc.Arbitrary<AgentProfile> = fc.constantFrom(...builtInProfileIds).map(builtInProfile)
