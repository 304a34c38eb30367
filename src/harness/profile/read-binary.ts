import {
  openObject,
  orElse,
  orNull,
  type Read,
  readList,
  readText,
  readWord,
  refuse
} from "../../domain/field-readers.ts"
import type { ProfileBinary, ProfileBuild } from "./agent-profile.ts"
import { readMap, readVariable } from "./field-readers.ts"

/** Reads `binary`: at least one place must be named. */
export const readBinary: Read<ProfileBinary> = (value, at) => {
  const field = openObject(value, at, ["env", "roleEnv", "buildEnv", "command", "package", "localBuild", "interpreter"])
  const binary = {
    env: field("env", orElse(readList(readVariable), [])),
    roleEnv: field("roleEnv", orElse(readMap(readVariable, readWord), {})),
    buildEnv: field("buildEnv", orElse(readList(readVariable), [])),
    command: field("command", orNull(readWord)),
    package: field("package", orNull(readPackage)),
    localBuild: field("localBuild", orNull(readBuild)),
    interpreter: field("interpreter", orNull(readWord))
  }
  const { env, roleEnv, buildEnv, command, localBuild } = binary
  const places = [...env, ...Object.keys(roleEnv), ...buildEnv, command, binary.package, localBuild]
  return places.some((place) => place !== null)
    ? binary
    : refuse(at, "names no place where the program could be; give it `env`, `command` or `package`")
}

const readPackage: Read<{ readonly name: string; readonly bin: string }> = (value, at) => {
  const field = openObject(value, at, ["name", "bin"])
  return { name: field("name", readPackageName), bin: field("bin", readWord) }
}

const readPackageName: Read<string> = (value, at) => {
  const name = readWord(value, at)
  return /^(?:@[a-z0-9~._-]+\/)?[a-z0-9~_-][a-z0-9~._-]*$/.test(name)
    ? name
    : refuse(at, `is "${name}", which no npm package is named`)
}

const readBuild: Read<ProfileBuild> = (value, at) => {
  const field = openObject(value, at, ["path", "command", "args", "cwd"])
  return {
    path: field("path", readWord),
    command: field("command", readWord),
    args: field("args", orElse(readList(readText), [])),
    cwd: field("cwd", orElse(readWord, "."))
  }
}
