import type { TerminationReason } from "../../src/domain/exit-status.ts"
import { AgentInputClosed } from "../../src/domain/harness-errors.ts"
import { drainMs, killWaitMsDefault, sweepPauseMs, sweepRoundsMax } from "../../src/domain/process-limits.ts"
import type { ProcessStage, SceneProcess } from "../observation/process-scene.ts"

/** Laws of owned processes. Each gives what breaks it, one line each. Source: agent-harness.md, section 8. */

/** P1 where no marks are shown: nothing is left but what has left its group. */
export const leftInGroups = ({ machine }: ProcessStage): ReadonlyArray<string> =>
  machine
    .ours()
    .filter(({ hasLeft }) => !hasLeft)
    .map(({ pid, group }) => `process ${pid} of group ${group} is left`)

/** P1: nothing is left when the host has closed. P11 is the same of processes that could not be started. */
export const leftBehind = ({ machine, clock, host, supervisor }: ProcessStage): ReadonlyArray<string> => [
  ...machine.ours().map(({ pid, phase }) => `process ${pid} is ${phase}`),
  ...machine.guarded().map((group) => `group ${group} is guarded`),
  ...host.alive().map(({ label }) => `${label} is there`),
  ...(machine.openPipes() === 0 ? [] : [`${machine.openPipes()} pipes are open`]),
  ...(clock.armed() === 0 ? [] : [`${clock.armed()} timers are armed`]),
  ...(supervisor.alive() === 0 ? [] : [`${supervisor.alive()} actors are alive`])
]

/** P2: the reason is that of the phase in force when the end was seen. */
export const wrongReasons = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes.flatMap((process) => {
    const { handle, spawnId } = process
    const allowed = reasonsOf(process)
    const reason = handle.terminationReason
    return reason !== undefined && allowed.includes(reason)
      ? []
      : [`process ${spawnId} ended by ${reason}, and could by ${allowed.join(" or ")}`]
  })

/** The reasons that what was asked allows: two, where a grace period ended in the moment in which the end was seen. */
const reasonsOf = ({ asked, exit, graceMs, canTerminate }: SceneProcess): ReadonlyArray<TerminationReason> => {
  let reason: TerminationReason = "NaturalExit"
  let deadline = Number.POSITIVE_INFINITY
  for (const { kind, at } of asked) {
    // A deadline that comes together with a request may come before or after it.
    if (at > deadline) break
    if (reason === "NaturalExit" || reason === "GracefulTerminate") {
      if (kind === "dispose") reason = "DropCleanup"
      else if (kind === "kill" || !canTerminate) reason = "HardKill"
      else reason = "GracefulTerminate"
      if (reason === "GracefulTerminate" && kind === "close") deadline = Math.min(deadline, at + graceMs)
      if (reason !== "GracefulTerminate") return at === deadline ? [reason, "HardKillAfterGrace"] : [reason]
    }
  }
  const end = exit?.at ?? Number.POSITIVE_INFINITY
  if (end < deadline || reason === "NaturalExit") return [reason]
  // Nobody but us kills in these scenes.
  const isKilled = exit?.status.signal === "SIGKILL"
  return end === deadline && !isKilled ? [reason, "HardKillAfterGrace"] : ["HardKillAfterGrace"]
}

/** When the grace period of a process ends that nothing harder is asked of; infinity without one. */
const deadlineOf = ({ asked, graceMs, canTerminate }: SceneProcess): number => {
  const harder = asked.find(({ kind }) => kind === "kill" || kind === "dispose")
  const close = asked.find(({ kind }) => kind === "close")
  const deadline = close === undefined || !canTerminate ? Number.POSITIVE_INFINITY : close.at + graceMs
  return harder !== undefined && harder.at <= deadline ? Number.POSITIVE_INFINITY : deadline
}

/** 7.1: the grace period runs from the first close, to the millisecond; a group is asked to end once. */
export const wrongGraces = ({ machine, processes }: ProcessStage): ReadonlyArray<string> =>
  processes.flatMap((process) => {
    const { pid, spawnId, startedAt, exit } = process
    const deadline = deadlineOf(process)
    const end = exit?.at ?? Number.POSITIVE_INFINITY
    const sent = machine.signals.filter(
      ({ target, isGroup, at }) => isGroup && target === pid && at >= startedAt && at <= end
    )
    const isLate = end > deadline && !sent.some(({ signal, at }) => signal === "SIGKILL" && at === deadline)
    const asked = sent.filter(({ signal }) => signal === "SIGTERM").length
    // A number that was given again in the same moment counts for both.
    const sharers = processes.filter((other) => other.pid === pid).length
    return [
      ...(isLate ? [`process ${spawnId} was not killed at ${deadline}`] : []),
      ...(asked > sharers ? [`process ${spawnId} was asked to end ${asked} times`] : [])
    ]
  })

/** 1.9.7: the output of a process that shared it with nobody has ended long before the bound. */
export const idleDrains = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes
    .filter(({ handle, script }) => handle.hasDrainTimedOut && script.steps.every(({ kind }) => kind !== "fork"))
    .map(({ spawnId }) => `the output of process ${spawnId} was waited for in vain`)

/** What a wait has shown of the output is all of it. */
export const lateOutput = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes.flatMap(({ handle, waits, spawnId }) =>
    waits
      .filter(({ kind }) => kind === "wait")
      .filter(({ outputBytes }) => outputBytes !== handle.stdout.bytesSeen() + handle.stderr.bytesSeen())
      .map(({ end }) => `process ${spawnId} has output after a wait that ended at ${end?.at}`)
  )

/** Every write has come to an end: it arrived, or the input was closed. */
export const lostWrites = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes.flatMap(({ waits, spawnId }) =>
    waits
      .filter(({ kind, end }) => kind === "write" && (end === null || isOther(end.error)))
      .map(({ end }) => `a write to process ${spawnId} ended as ${JSON.stringify(end)}`)
  )

const isOther = (error: unknown): boolean => error !== undefined && !(error instanceof AgentInputClosed)

/** What a sweep may add to a close: its pauses. */
const sweepMs = sweepPauseMs * sweepRoundsMax

/** P3: a close is over within its bounds. */
export const lateCloses = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes.flatMap(({ waits, graceMs, spawnId }) =>
    waits
      .filter(({ kind }) => kind === "close" || kind === "kill" || kind === "dispose")
      .filter(({ at, end }) => end === null || end.at - at > graceMs + killWaitMsDefault + drainMs + sweepMs)
      .map(({ kind, at, end }) => `${kind} of process ${spawnId} at ${at} ended at ${end?.at}`)
  )

/** P4 and P10: every answer about one process is the same status, and no number is told once it has ended. */
export const changedAnswers = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes.flatMap(({ waits, exit, handle, spawnId }) => {
    const answers = waits
      .filter(({ kind }) => kind !== "write" && kind !== "dispose")
      .map(({ end }) => end?.value)
      .filter((value) => value !== "still running")
    const wrong = answers.filter((value) => JSON.stringify(value) !== JSON.stringify(exit?.status))
    return [
      ...wrong.map(
        (value) => `process ${spawnId} ended as ${JSON.stringify(exit?.status)}, told ${JSON.stringify(value)}`
      ),
      ...(handle.pid === undefined ? [] : [`process ${spawnId} has number ${handle.pid}`])
    ]
  })

/** P5: no signal meets anybody but processes of ours that were not taken off. */
export const strayedSignals = ({ machine }: ProcessStage): ReadonlyArray<string> =>
  machine.signals
    .filter(({ hit, target }) => hit !== "ours" || target <= 1)
    .map(({ signal, target, hit, at }) => `${signal} to ${target} at ${at} met ${hit}`)

/** P9: whatever holds its output, a wait is over a second after the process. */
export const lateWaits = (processes: ReadonlyArray<SceneProcess>): ReadonlyArray<string> =>
  processes.flatMap(({ waits, exit, spawnId }) =>
    waits
      .filter(({ kind }) => kind === "wait")
      .filter(({ at, end }) => end === null || exit === null || end.at > Math.max(at, exit.at + drainMs))
      .map(({ at, end }) => `wait for process ${spawnId} at ${at} ended at ${end?.at}, the process at ${exit?.at}`)
  )

/** P8: who has been closed has left nobody behind, unless that was allowed or is told. */
export const survivors = ({ machine }: ProcessStage, process: SceneProcess): ReadonlyArray<string> => {
  const { handle, allowDetached, spawnId } = process
  const told = new Set(handle.survivors)
  return machine
    .ours()
    .filter(({ mark, phase }) => phase !== "ended" && Number(mark?.split(":")[1]) === spawnId)
    .filter(({ hasLeft, pid }) => !(allowDetached && hasLeft) && !told.has(pid))
    .map(({ pid, phase }) => `process ${spawnId} was closed, and ${pid} of it is ${phase}`)
}
