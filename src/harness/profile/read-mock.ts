import { openObject, orElse, type Read, readList, readOneOf, readWord, refuse } from "../../domain/field-readers.ts"
import { filePathsOf } from "../../domain/file-paths.ts"
import { type MockFile, mockWires, type ProfileMock } from "./agent-profile.ts"
import { readMap, readTemplate } from "./field-readers.ts"
import { layoutOf } from "./layout.ts"
import { fillTemplate, mockPlaceholders, sandboxPlaceholders } from "./template.ts"

/** Reads `mock`; `stateDir` is that of the profile. */
export const readMock =
  (stateDir: string): Read<ProfileMock> =>
  (value, at) => {
    const field = openObject(value, at, ["env", "files", "wire"])
    return {
      env: field("env", orElse(readMap(readTemplate(mockPlaceholders)), {})),
      files: field("files", orElse(readList(readFile(stateDir)), [])),
      wire: field("wire", orElse(readList(readOneOf(mockWires)), []))
    }
  }

const readFile =
  (stateDir: string): Read<MockFile> =>
  (value, at) => {
    const field = openObject(value, at, ["path", "template"])
    return {
      path: field("path", readPath(stateDir)),
      template: field("template", readTemplate([...mockPlaceholders, ...sandboxPlaceholders]))
    }
  }

/** Profiles are the same everywhere, so a path is judged by the rules of both kinds of system. */
const readPath =
  (stateDir: string): Read<string> =>
  (value, at) => {
    const path = readTemplate(sandboxPlaceholders, readWord)(value, at)
    for (const platform of ["linux", "win32"]) {
      const { join, isAbsolute, isWithin, separator } = filePathsOf(platform)
      const filled = fillTemplate(path, layoutOf(platform, stateDir))
      const root = `${separator}root`
      const isInside = !isAbsolute(filled) && !/^[A-Za-z]:/.test(filled) && isWithin(root, join(root, filled))
      if (!isInside || join(root, filled) === root) {
        refuse(at, `is "${path}", which leaves the sandbox; begin it with {home}, {stateDir}, {workspace} or {temp}`)
      }
    }
    return path
  }
