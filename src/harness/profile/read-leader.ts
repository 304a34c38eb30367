import { openObject, orElse, type Read, readList, readOneOf, readText, refuse } from "../../domain/field-readers.ts"
import { suggestion } from "../../domain/spelling.ts"
import type { LeaderFiles, LeaderNotifications, ProfileLeader } from "./agent-profile.ts"
import { readMap, readTemplate, readVariable } from "./field-readers.ts"
import { readFolderBelow } from "./read-sandbox.ts"
import { sandboxPlaceholders } from "./template.ts"

/** Reads `leader`; `mockNames` are the variables that wire the mock. */
export const readLeader =
  (mockNames: ReadonlyArray<string>): Read<ProfileLeader> =>
  (value, at) => {
    const field = openObject(value, at, [
      "args",
      "clientArgs",
      "socketEnv",
      "mockEnv",
      "env",
      "files",
      "notifications",
      "framing"
    ])
    const readArguments = readList(readTemplate([...sandboxPlaceholders, "socket"]))
    return {
      args: field("args", readArguments),
      clientArgs: field("clientArgs", readArguments),
      socketEnv: field("socketEnv", readVariable),
      mockEnv: field("mockEnv", orElse(readList(readMockName(mockNames)), mockNames)),
      env: field("env", orElse(readMap(readText), {})),
      files: field("files", orElse(readFiles, plainFiles)),
      notifications: field("notifications", orElse(readNotifications, plainNotifications)),
      framing: field("framing", orElse(readOneOf(["length32-json"]), "length32-json"))
    }
  }

const readMockName =
  (mockNames: ReadonlyArray<string>): Read<string> =>
  (value, at) => {
    const name = readVariable(value, at)
    if (mockNames.includes(name)) return name
    return refuse(at, `is ${name}, which is no variable of \`mock.env\`${suggestion(name, mockNames)}`)
  }

const plainFiles: LeaderFiles = {
  socket: "leader.sock",
  lock: "leader.lock",
  log: "leader.log",
  events: "logs/unified.jsonl",
  auth: "auth.json"
}

const plainNotifications: LeaderNotifications = {
  reconnected: "x.ai/leader_reconnected",
  modelsUpdate: "x.ai/models/update",
  settingsUpdate: "x.ai/settings/update"
}

const readNotifications: Read<LeaderNotifications> = (value, at) => {
  const field = openObject(value, at, ["reconnected", "modelsUpdate", "settingsUpdate"])
  return {
    reconnected: field("reconnected", orElse(readText, plainNotifications.reconnected)),
    modelsUpdate: field("modelsUpdate", orElse(readText, plainNotifications.modelsUpdate)),
    settingsUpdate: field("settingsUpdate", orElse(readText, plainNotifications.settingsUpdate))
  }
}

const readFiles: Read<LeaderFiles> = (value, at) => {
  const field = openObject(value, at, ["socket", "lock", "log", "events", "auth"])
  const readName = readFolderBelow("the state directory")
  return {
    socket: field("socket", orElse(readName, plainFiles.socket)),
    lock: field("lock", orElse(readName, plainFiles.lock)),
    log: field("log", orElse(readName, plainFiles.log)),
    events: field("events", orElse(readName, plainFiles.events)),
    auth: field("auth", orElse(readName, plainFiles.auth))
  }
}
