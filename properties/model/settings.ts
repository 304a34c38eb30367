import { queueLabel } from "../observation/labels.ts"
import type { Command } from "./command.ts"
import { isHeld } from "./gate.ts"
import type { ModelState } from "./state.ts"

/** What changes a server for the requests to come. */
export type Setting = Extract<
  Command,
  {
    type:
      | "enqueue"
      | "clearQueues"
      | "hold"
      | "open"
      | "respond"
      | "turns"
      | "delay"
      | "stopReason"
      | "requireKey"
      | "keep"
      | "hang"
      | "close"
  }
>

/** Carries a setting out in the model. */
export const set = (model: ModelState, command: Setting, at: number): void => {
  switch (command.type) {
    case "enqueue": {
      const queue = model.queues.get(command.queue) ?? []
      model.queues.set(command.queue, [...queue, { label: queueLabel(model.queuedCount++), script: command.script }])
      return
    }
    case "clearQueues":
      model.queues.clear()
      return
    case "hold":
      if (!isHeld(model.gate)) model.gate.push({ at, isHeld: true })
      return
    case "open":
      openGate(model, at)
      return
    case "respond":
      model.fixedText = command.text
      return
    case "turns":
      model.turns = command.texts
      return
    case "delay":
      model.delayMs = command.ms
      return
    case "stopReason":
      model.stopReason = command.reason
      return
    case "requireKey":
      model.requiresKey = command.on
      return
    case "hang":
      model.isHanging = command.on
      return
    case "keep":
      model.log.isKeeping = command.on
      return
    case "close":
      close(model, command.drainMs, at)
  }
}

/** A later close waits for the same end, or asks for it now. */
const close = (model: ModelState, drainMs: number, at: number): void => {
  if (model.closing === null) model.closing = { killAt: at + drainMs }
  else if (drainMs === 0) model.closing = { killAt: Math.min(at, model.closing.killAt) }
}

const openGate = (model: ModelState, at: number): void => {
  if (!isHeld(model.gate)) return
  model.gate.push({ at, isHeld: false })
  for (const copy of model.copies) if (copy.standsAtGate) copy.wokenAt ??= at
}
