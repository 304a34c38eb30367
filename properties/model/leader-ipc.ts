import type { FrameMeaning, LeaderDeed, LeaderScene } from "../arbitraries/leader-deeds.ts"

/** How something that is waited for comes out: when, and the tag of its error, or `null` where it is there. */
export interface ModelEnd {
  readonly at: number
  readonly tag: string | null
}

/** What a client makes of all that a leader does. */
export interface IpcModel {
  /** Connecting. */
  readonly connect: ModelEnd
  /** The end of an open connection; `null` where it goes on. */
  readonly end: (ModelEnd & { readonly reason: string }) | null
  readonly payloads: ReadonlyArray<string>
  /** A command that was sent half a millisecond after it was open; `null` where it never was. */
  readonly control: ModelEnd | null
}

const registerBound = 10_000
const readyBound = 120_000
const answerBound = 30_000

interface Walk {
  phase: "registering" | "waiting" | "open" | "over"
  deadline: number
  connect: ModelEnd
  end: IpcModel["end"]
  readonly payloads: Array<string>
  control: ModelEnd | null
}

/**
 * Walks through what a leader does, as the document says it.
 *
 * **Source** agent-harness.md, section 5.7 and L7
 *
 * @since 0.1.0
 * @category models
 */
export const ipcModel = ({ deeds, closes }: LeaderScene): IpcModel => {
  const walk: Walk = {
    phase: "registering",
    deadline: registerBound,
    connect: { at: registerBound, tag: "RequestTimeout" },
    end: null,
    payloads: [],
    control: null
  }
  const last: LeaderDeed = { afterMs: 1, frames: [] }
  let now = 0
  for (const deed of [...deeds, last]) {
    now += deed.afterMs
    if (walk.phase !== "open" && now > walk.deadline) return walk
    for (const { means } of deed.frames) hear(walk, means, now)
    if (deed === last && closes) over(walk, now, "AgentClosed", "connectionLost")
  }
  return walk
}

const hear = (walk: Walk, means: FrameMeaning, now: number): void => {
  const { kind } = means
  if (walk.phase === "over") return
  if (kind === "broken") over(walk, now, "ProtocolViolation", "connectionLost")
  else if (kind === "too long") over(walk, now, "FrameTooLarge", "connectionLost")
  else if (walk.phase === "registering") {
    if (kind !== "registered") over(walk, now, kind === "error" ? "AgentError" : "ProtocolViolation", "connectionLost")
    else if (means.isReady) open(walk, now)
    else {
      walk.phase = "waiting"
      walk.deadline = now + readyBound
      walk.connect = { at: walk.deadline, tag: "RequestTimeout" }
    }
  } else if (kind === "acp") walk.payloads.push(means.payload)
  else if (kind === "shutdown") over(walk, now, "AgentClosed", "leaderShutdown")
  else if (walk.phase === "waiting") {
    if (kind === "ready") open(walk, now)
    else if (kind === "shutting down") over(walk, now, "AgentClosed", "leaderShutdown")
  } else if (kind === "answer" && means.isOurs && walk.control !== null && isAwaited(walk, now)) {
    walk.control = { at: now, tag: null }
  }
}

const open = (walk: Walk, now: number): void => {
  walk.phase = "open"
  walk.connect = { at: now, tag: null }
  walk.control = { at: now + 0.5 + answerBound, tag: "RequestTimeout" }
}

/** A command is sent, and was neither answered nor given up. */
const isAwaited = ({ control, connect }: Walk, now: number): boolean =>
  control?.tag === "RequestTimeout" && now > connect.at && now < control.at

const over = (walk: Walk, now: number, tag: string, reason: string): void => {
  if (walk.phase === "over") return
  if (walk.phase !== "open") walk.connect = { at: now, tag }
  else {
    walk.end = { at: now, tag, reason }
    // One that is sent to a leader that is gone fails when it is sent.
    if (walk.control !== null && now < walk.control.at && walk.control.tag !== null) {
      walk.control = { at: Math.max(now, walk.connect.at + 0.5), tag }
    }
  }
  walk.phase = "over"
}
