import {
  openObject,
  orElse,
  orNull,
  placeOf,
  type Read,
  readList,
  readOneOf,
  readText,
  readWord,
  refuse
} from "../../domain/field-readers.ts"
import type { HeadlessAnswer, HeadlessFormat, ProfileHeadless } from "./agent-profile.ts"
import { readJsonObject, readMap, readTemplate } from "./field-readers.ts"
import { headlessPlaceholders, placeholdersOf } from "./template.ts"

/** Reads `headless`. */
export const readHeadless: Read<ProfileHeadless> = (value, at) => {
  const field = openObject(value, at, ["args", "formats", "defaultFormat", "defaultModel"])
  const args = field("args", readArguments)
  const formats = field("formats", orElse(readMap(readFormat, readWord), plainText))
  const [first] = Object.keys(formats)
  if (first === undefined) return refuse(placeOf(at, "formats"), "is empty; leave it out, or name a format")
  const defaultFormat = field("defaultFormat", orElse(readOneOf(Object.keys(formats)), first))
  const defaultModel = field("defaultModel", orNull(readWord))
  const lists = [args, ...Object.values(formats).flatMap((format) => (format.args === null ? [] : [format.args]))]
  if (defaultModel === null && lists.some((list) => list.flatMap(placeholdersOf).includes("model"))) {
    refuse(placeOf(at, "defaultModel"), "is missing; the arguments name {model}")
  }
  return { args, formats, defaultFormat, defaultModel }
}

const plainText: ProfileHeadless["formats"] = {
  text: { value: "text", args: null, output: "text", terminal: null, answer: null, sessionId: null, events: [] }
}

const readArguments: Read<ReadonlyArray<string>> = (value, at) => {
  const args = readList(readTemplate(headlessPlaceholders))(value, at)
  const prompts = args.flatMap(placeholdersOf).filter((name) => name === "prompt").length
  return prompts === 1 ? args : refuse(at, `has {prompt} ${prompts} times; it must have it exactly once`)
}

const readFormat: Read<HeadlessFormat> = (value, at) => {
  const field = openObject(value, at, ["value", "args", "output", "terminal", "answer", "sessionId", "events"])
  return {
    value: field("value", readText),
    args: field("args", orNull(readArguments)),
    output: field("output", readOneOf(["text", "json", "ndjson"])),
    terminal: field("terminal", orNull(readJsonObject)),
    answer: field("answer", orNull(readAnswer)),
    sessionId: field("sessionId", orNull(readPointer)),
    events: field("events", orElse(readList(readWord), []))
  }
}

const readAnswer: Read<HeadlessAnswer> = (value, at) => {
  const field = openObject(value, at, ["event", "at", "parts"])
  return {
    event: field("event", orNull(readJsonObject)),
    at: field("at", readPointer),
    parts: field("parts", orElse(readOneOf(["all", "last"]), "last"))
  }
}

const readPointer: Read<string> = (value, at) => {
  const pointer = readText(value, at)
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(pointer)
    ? pointer
    : refuse(at, `is "${pointer}"; use a JSON pointer, as in /result/text`)
}
