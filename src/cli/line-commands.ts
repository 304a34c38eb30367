import { suggestion } from "../domain/spelling.ts"
import type { ExpectationHandle } from "../inference/expectation-handle.ts"
import { singleHandles } from "../inference/scenario-register.ts"
import { list } from "../inference/scenario-words.ts"
import type { MockInferenceServer } from "../inference/server-api.ts"
import { lineCommandHelp } from "./line-command-help.ts"

/** What line commands act on. */
export interface LineTarget {
  readonly server: Pick<MockInferenceServer, "holdAgentCompletions" | "releaseAgentCompletions">
  readonly handles: () => ReadonlyMap<string, ExpectationHandle>
  readonly quit: () => void
}

/** What came of a line; `message` may have several lines. */
export interface LineOutcome {
  readonly ok: boolean
  readonly message: string
}

/**
 * Carries out one line of standard input; an empty one is nothing.
 *
 * **Fails** never; a line that asks for what is not there says so
 *
 * @since 0.1.0
 * @category running
 */
export const runLine = (line: string, target: LineTarget): LineOutcome | null => {
  const text = line.trim()
  if (text === "") return null
  const [word = "", rest = ""] = splitAt(text, text.search(/\s/))
  const act = Object.hasOwn(acts, word) ? acts[word] : undefined
  if (act === undefined) return unknownCommand(word)
  if (rest !== "" && word !== "release")
    return { ok: false, message: `"${word}" stands alone; leave out ${JSON.stringify(rest)}` }
  return act(target, rest)
}

const done = (message: string): LineOutcome => ({ ok: true, message })

const acts: Readonly<Record<string, (target: LineTarget, rest: string) => LineOutcome>> = {
  release: ({ handles }, rest) => release(handles(), rest),
  hold({ server }) {
    server.holdAgentCompletions()
    return done("foreground streams wait before their last event")
  },
  "release-gate"({ server }) {
    server.releaseAgentCompletions()
    return done("foreground streams run to their end")
  },
  status({ handles }) {
    const lines = [...handles().values()].map(standing)
    return done(lines.length === 0 ? "nothing is expected" : lines.join("\n"))
  },
  quit({ quit }) {
    quit()
    return done("stopping")
  }
}

/** More expectations under one name are counted by their state. */
const namedMax = 16

const standing = (handle: ExpectationHandle): string => {
  const singles = singleHandles(handle)
  if (singles.length <= namedMax) return handle.diagnostic()
  const counts = new Map<string, number>()
  for (const { phase } of singles) counts.set(phase, (counts.get(phase) ?? 0) + 1)
  return `${handle.name}: ${[...counts].map(([phase, count]) => `${count} ${phase}`).join(", ")}`
}

const unknownCommand = (word: string): LineOutcome => {
  const names = Object.keys(acts)
  const usages = lineCommandHelp.map(([usage]) => usage)
  const hint = suggestion(word, names) || `; commands are ${list(usages)}`
  return { ok: false, message: `unknown command ${JSON.stringify(word)}${hint}` }
}

/**
 * Names may hold spaces, so the longest known name that the text begins with is meant; the rest names a barrier. A numbered
 * name is one of the expectations of its handle.
 */
const release = (whole: ReadonlyMap<string, ExpectationHandle>, text: string): LineOutcome => {
  const singles = [...whole.values()].flatMap(singleHandles)
  const handles = new Map([...singles.map((handle) => [handle.name, handle] as const), ...whole])
  const names = [...handles.keys()]
  const name = names
    .filter((known) => text === known || text.startsWith(`${known} `))
    .reduce<string | undefined>(
      (best, next) => (best === undefined || next.length > best.length ? next : best),
      undefined
    )
  const handle = name === undefined ? undefined : handles.get(name)
  if (name === undefined || handle === undefined) {
    const known = whole.size === 0 ? "; nothing is expected" : `; expected are ${list([...whole.keys()])}`
    return { ok: false, message: `no expectation ${JSON.stringify(text)}${suggestion(text, names) || known}` }
  }
  const barrier = text.slice(name.length).trim()
  const refusal = releaseBarrier(singleHandles(handle), barrier === "" ? undefined : barrier)
  if (refusal !== null) return { ok: false, message: refusal }
  return done(`released ${JSON.stringify(name)}${barrier === "" ? "" : `, barrier ${JSON.stringify(barrier)}`}`)
}

/** Opens a barrier of all that have it; gives what the first says when none has. */
const releaseBarrier = (singles: ReadonlyArray<ExpectationHandle>, barrier: string | undefined): string | null => {
  const refusals = singles.flatMap((single) => {
    try {
      single.release(barrier)
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  })
  return refusals.length === singles.length ? (refusals[0] ?? null) : null
}

const splitAt = (text: string, index: number): ReadonlyArray<string> =>
  index === -1 ? [text] : [text.slice(0, index), text.slice(index).trim()]
