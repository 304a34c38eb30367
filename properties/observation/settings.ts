import type { Command } from "../model/command.ts"
import { requiredKey } from "../model/command.ts"
import type { World } from "./world.ts"

/** A command that is one setter of the server. */
export type Setting = Extract<
  Command,
  {
    type:
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
  }
>

/** Calls the setter. */
export const set = ({ virtual: { server } }: World, command: Setting): void => {
  switch (command.type) {
    case "clearQueues":
      server.clearQueues()
      return
    case "hold":
      server.holdAgentCompletions()
      return
    case "open":
      server.releaseAgentCompletions()
      return
    case "respond":
      if (command.text === null) server.setEcho()
      else server.setResponse(command.text)
      return
    case "turns":
      server.setAgentTurns(command.texts)
      return
    case "delay":
      server.setChunkDelay(command.ms)
      return
    case "stopReason":
      server.setMessagesStopReason(command.reason)
      return
    case "requireKey":
      server.setRequiredToken(command.on ? requiredKey : null)
      return
    case "hang":
      server.setHang(command.on)
      return
    case "keep":
      server.setKeepRequests(command.on)
      return
  }
}
