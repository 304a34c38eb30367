import type { WireProfile } from "../../src/domain/endpoint.ts"
import type { Header } from "../../src/domain/request.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"
import { SseEvent } from "../../src/domain/sse-event.ts"
import type { Script, ScriptFault } from "./command.ts"

/** An answer as the model knows it: status, some headers, and the body as it goes on the wire. */
export interface KnownAnswer {
  readonly status: number
  /** Headers that must be there with these values; others may be as well. */
  readonly headers: ReadonlyArray<Header>
  readonly body: KnownBody
}

/** One text a frame, one text in all, or nothing ever. */
export type KnownBody =
  | { readonly kind: "frames"; readonly frames: ReadonlyArray<string> }
  | { readonly kind: "whole"; readonly text: string }
  | { readonly kind: "bare" }

const statuses: Readonly<Record<Script["kind"], number>> = { json: 218, raw: 209, sse: 200, bare: 204 }

const rawTextOf = (label: string): string => `${label} raw\n`

/** The label of a script is in its header and in all of its body, so a client can tell whose answer it got. */
const labelHeader = "x-script"

/** The data of event `k`, from 1; every second event has a name, every third two lines. */
const eventOf = (label: string, k: number): SseEvent => {
  const data = k % 3 === 0 ? `${label} ${k}\nand more` : `${label} ${k}`
  return k % 2 === 0 ? SseEvent.withEvent("custom.kind", data) : SseEvent.data(data)
}

const eventsOf = (label: string, count: number): ReadonlyArray<SseEvent> =>
  Array.from({ length: count }, (_, index) => eventOf(label, index + 1))

/** A script as a test writes it. */
export const scriptedResponse = (script: Script, label: string): ScriptedResponse => {
  const status = statuses[script.kind]
  const response =
    script.kind === "json"
      ? ScriptedResponse.json(status, { script: label })
      : script.kind === "raw"
        ? ScriptedResponse.text(status, rawTextOf(label))
        : { ...ScriptedResponse.sse(eventsOf(label, script.kind === "sse" ? script.events : 2)), status }
  response.headers.push([labelHeader, label])
  return response
}

/** A script as it goes on the wire. */
export const knownAnswer = (script: Script, label: string, profile: WireProfile): KnownAnswer => {
  const labelled: Header = [labelHeader, label]
  const status = statuses[script.kind]
  switch (script.kind) {
    case "json":
      return whole(status, "application/json", JSON.stringify({ script: label }), [labelled])
    case "raw":
      return whole(status, "text/plain; charset=utf-8", rawTextOf(label), [labelled])
    case "bare":
      return { status, headers: [labelled], body: { kind: "bare" } }
    case "sse":
      return stream(eventsOf(label, script.events), profile, [labelled])
  }
}

/** A stream of events as it goes on the wire. */
export const stream = (
  events: ReadonlyArray<SseEvent>,
  profile: WireProfile,
  headers: ReadonlyArray<Header> = []
): KnownAnswer => ({
  status: 200,
  headers: [
    ["content-type", profile === "full" ? "text/event-stream; charset=utf-8" : "text/event-stream"],
    ["cache-control", "no-cache"],
    ...headers
  ],
  body: { kind: "frames", frames: events.map(frameOf) }
})

/** An answer in one piece; the texts of the domain are ASCII. */
export const whole = (
  status: number,
  contentType: string,
  text: string,
  headers: ReadonlyArray<Header> = []
): KnownAnswer => ({
  status,
  headers: [["content-type", contentType], ["content-length", String(text.length)], ...headers],
  body: { kind: "whole", text }
})

const frameOf = ({ event, data }: SseEvent): string => {
  const lines = data === "" ? [] : data.split("\n").map((line) => `data: ${line}\n`)
  return `${event === null ? "" : `event: ${event}\n`}${lines.join("")}\n`
}

/** A script that no server may accept. */
export const faultyResponse = (fault: ScriptFault, label: string): ScriptedResponse => {
  const response = scriptedResponse({ kind: "sse", events: 2 }, label)
  switch (fault) {
    case "status":
      return { ...response, status: 1000 }
    case "headerName":
      return { ...response, headers: [["bad name", "x"]] }
    case "headerValue":
      return { ...response, headers: [["x-bad", "two\nlines"]] }
    case "eventName":
      return { ...response, body: { kind: "sse", events: [SseEvent.withEvent("two\nlines", label)] } }
    case "eventData":
      return { ...response, body: { kind: "sse", events: [SseEvent.data("carriage\rreturn")] } }
    case "noBody":
      return { ...response, status: 204 }
    case "position":
    case "twice":
      return response
  }
}
