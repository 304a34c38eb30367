import {
  openObject,
  orElse,
  orNull,
  type Read,
  readInteger,
  readList,
  readOneOf,
  readText,
  readWhole,
  readWord,
  refuse
} from "../../domain/field-readers.ts"
import { ProfileInvalid } from "../../domain/harness-errors.ts"
import type { AgentProfile, ProfileTrial, Trial } from "./agent-profile.ts"
import { readMap } from "./field-readers.ts"
import { readAcp } from "./read-acp.ts"
import { readBinary } from "./read-binary.ts"
import { readHeadless } from "./read-headless.ts"
import { readLeader } from "./read-leader.ts"
import { readMock } from "./read-mock.ts"
import { readSandbox } from "./read-sandbox.ts"

/**
 * Reads what a profile says, fills in what it leaves out, and refuses what it may not say.
 *
 * **Takes** plain data, as JSON holds it
 * **Gives** a profile that has every field; reading it again gives an equal one
 * **Fails** with `ProfileInvalid`, naming the field: unknown fields and placeholders (with what was probably meant),
 * `{prompt}` not exactly once, paths that leave the sandbox
 * **Source** agent-harness.md, section 1.1
 *
 * @since 0.1.0
 * @category guards
 */
export const readProfile = (source: unknown): AgentProfile => readFields(source)

const readFields = readWhole(
  (source): AgentProfile => read(source),
  "profile",
  (message, field) => new ProfileInvalid(message, { field })
)

const read = (source: unknown): AgentProfile => {
  const field = openObject(source, "", [
    "id",
    "displayName",
    "tried",
    "binary",
    "acp",
    "headless",
    "mock",
    "sandbox",
    "ext",
    "crashPatterns",
    "leader",
    "signals"
  ])
  const id = field("id", readId)
  const sandbox = field("sandbox", readSandbox)
  const mock = field("mock", orElse(readMock(sandbox.stateDir), { env: {}, files: [], wire: [] }))
  const profile = {
    id,
    displayName: field("displayName", orElse(readWord, id)),
    tried: field("tried", orElse(readTrial, untried)),
    binary: field("binary", readBinary),
    acp: field("acp", orNull(readAcp)),
    headless: field("headless", orNull(readHeadless)),
    mock,
    sandbox,
    ext: field("ext", orElse(readExtensions, { prefixes: [] })),
    crashPatterns: field("crashPatterns", orElse(readList(readWord), [])),
    leader: field("leader", orNull(readLeader(Object.keys(mock.env)))),
    signals: field("signals", orElse(readMap(readInteger({ least: 0, most: 255 }), readSignal), {}))
  }
  if (profile.acp === null && profile.headless === null) refuse("", "has neither `acp` nor `headless`; it needs one")
  return profile
}

/**
 * Reads a profile from the text of a JSON file.
 *
 * **Fails** with `ProfileInvalid`, whose message begins with `name`
 *
 * @since 0.1.0
 * @category guards
 */
export const readProfileText = (text: string, { name }: { readonly name: string }): AgentProfile => {
  try {
    return readProfile(JSON.parse(text))
  } catch (error) {
    const field = error instanceof ProfileInvalid ? error.field : ""
    const problem = error instanceof Error ? error.message : String(error)
    const what = error instanceof ProfileInvalid ? problem : `is not JSON: ${problem}`
    throw new ProfileInvalid(`${name}${error instanceof ProfileInvalid ? ":" : ""} ${what}`, { field, cause: error })
  }
}

const readId: Read<string> = (value, at) => {
  const id = readWord(value, at)
  return /^[a-z0-9][a-z0-9-]*$/.test(id) ? id : refuse(at, `is "${id}"; use small letters, digits and -`)
}

const trials: ReadonlyArray<Trial> = ["real run", "documentation only", "none"]
const untried: ProfileTrial = { acp: "none", headless: "none", version: "", note: "" }

const readTrial: Read<ProfileTrial> = (value, at) => {
  const field = openObject(value, at, ["acp", "headless", "version", "note"])
  return {
    acp: field("acp", orElse(readOneOf(trials), untried.acp)),
    headless: field("headless", orElse(readOneOf(trials), untried.headless)),
    version: field("version", orElse(readText, untried.version)),
    note: field("note", orElse(readText, untried.note))
  }
}

const readExtensions: Read<AgentProfile["ext"]> = (value, at) => {
  const field = openObject(value, at, ["prefixes"])
  return { prefixes: field("prefixes", readList(readWord)) }
}

const readSignal: Read<string> = (value, at) => {
  const name = readWord(value, at)
  return /^SIG[A-Z0-9]+$/.test(name) ? name : refuse(at, `is named "${name}"; use the name of a signal, as in SIGTERM`)
}
