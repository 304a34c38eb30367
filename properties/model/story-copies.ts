import { type Ending, eventsOf, type Line } from "./story.ts"
import { type StoryConnection, type StoryCopy, type StoryScript, type StoryState, soon } from "./story-state.ts"

/** Gives a copy its whole answer, as far as its barrier. */
export const serve = (state: StoryState, copy: StoryCopy, { line, label }: { line: Line; label: string }): void => {
  const { status, body, ending, isBarred } = line
  const [first, second] = eventsOf(label)
  const isClean = ending === "end"
  // A clean end is held before its last event, or before all where there are no events; a cut before the cut.
  const parts = {
    events: isClean ? [first, second] : [first + second, ""],
    text: isClean ? ["", label] : [label, ""],
    none: ["", ""]
  } as const
  const [before, after] = parts[body]
  const hasHead = body !== "none"
  const headFirst = hasHead && !(body === "text" && isClean)
  if (headFirst) copy.status = status
  copy.text += before
  copy.rest = () => {
    settle(state, copy, "crossed")
    if (hasHead) copy.status = status
    copy.text += after
    end(state, copy, ending)
  }
  const { script, isPrimary } = copy
  if (isBarred && script !== null && isPrimary) script.phase = "Blocked"
  if (isBarred && script !== null && !script.isReleased) copy.stage = "barred"
  else copy.rest()
}

/** The last step of an answer; whoever takes it has settled. */
export const end = (state: StoryState, copy: StoryCopy, how: Ending): void => {
  copy.stage = how === "stall" ? "stalled" : "ended"
  copy.isComplete = how === "end"
  // Whoever stalls says nothing more, not even that.
  if (how !== "stall") tellEnd(state, copy, how)
}

const tellEnd = (state: StoryState, copy: StoryCopy, how: Ending): void => {
  copy.ended = how
  state.ends.push(`client ${copy.client}: ${how}, ${copy.text}`)
  const connection = state.connections[copy.client] ?? null
  if (how !== "end" && connection !== null) connection.isSpent = true
  if (how !== "end" || state.closing !== "no") closeSoon(state, copy.client)
}

export const settle = (state: StoryState, copy: StoryCopy, as: "crossed" | "cancelled"): void => {
  if (copy.settled !== null) return
  copy.settled = as
  const { script } = copy
  if (script === null) return
  script.active--
  if (script.active > 0) return
  script.phase = script.primary?.settled === "crossed" ? "Satisfied" : "Abandoned"
  if (script.phase === "Abandoned") state.abandoned.push(script.name)
}

/** The client of a copy has left, or the server cuts it. */
const forsake = (state: StoryState, copy: StoryCopy, leaver: "client" | "server"): void => {
  if (copy.stage === "ended" || copy.stage === "gone") return
  copy.stage = "gone"
  copy.leaver = leaver
  settle(state, copy, "cancelled")
}

/** Opens the barrier of a script for ever; those who stand there go on in a moment of their own. */
export const release = (state: StoryState, script: StoryScript | undefined): void => {
  if (script === undefined || script.isReleased || script.phase === "Retired") return
  script.isReleased = true
  const standing = state.copies.filter((copy) => copy.script === script && copy.stage === "barred")
  if (standing.length === 0) return
  soon(state, () => {
    for (const copy of standing) if (copy.stage === "barred") copy.rest()
  })
}

const closeSoon = (state: StoryState, client: number): void => {
  const connection = state.connections[client]
  soon(state, () => closeConnection(state, connection))
}

export const closeConnection = (state: StoryState, connection: StoryConnection | null | undefined): void => {
  if (connection?.isOpen !== true) return
  connection.isOpen = false
  const { present } = connection
  if (present !== null && present !== "upload") forsake(state, present, "client")
  noteDrained(state)
}

/** Closes the server: what is idle at once, the rest when it is through, or when its time is up. */
export const closeServer = (state: StoryState, drainMs: number): void => {
  if (state.closing === "draining" && drainMs === 0) cut(state)
  if (state.closing !== "no") return
  state.closing = "draining"
  for (const connection of state.connections)
    if (connection !== null && isIdle(connection)) closeConnection(state, connection)
  noteDrained(state)
  if (state.closing === "draining") state.agenda.push({ due: state.now + drainMs, act: () => cut(state) })
}

const isIdle = ({ present }: StoryConnection): boolean =>
  present === null || (present !== "upload" && present.ended !== null)

const cut = (state: StoryState): void => {
  if (state.closing !== "draining") return
  state.closing = "ending"
  for (const copy of state.copies) {
    if (copy.stage === "ended" || copy.stage === "gone") continue
    forsake(state, copy, "server")
    tellEnd(state, copy, "fin")
  }
  state.connections.forEach((_, client) => {
    closeSoon(state, client)
  })
}

const noteDrained = (state: StoryState): void => {
  const isClosing = state.closing === "draining" || state.closing === "ending"
  if (isClosing && state.connections.every((connection) => connection?.isOpen !== true)) state.closing = "closed"
}
