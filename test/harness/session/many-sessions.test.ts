import { readdirSync } from "node:fs"
import { expect, it } from "vitest"
import { openSmall, smallWorld } from "./live-agent.ts"

it("sessions at once are strangers to each other, and leave nothing", async () => {
  const world = smallWorld()
  const sessions = await Promise.all(Array.from({ length: 8 }, () => openSmall(world)))
  const texts = await Promise.all(sessions.map(({ ask }, index) => ask(`say ${index}`)))

  expect(texts).toEqual(sessions.map((_, index) => `Echo: say ${index}`))
  const modes = ["eof", "terminate", "kill"] as const
  await Promise.all(sessions.map(({ agent }, index) => agent.close({ mode: modes[index % 3] ?? "eof" })))
  expect([world.host.alive(), world.processes.supervisor.alive(), readdirSync(world.baseFolder)]).toEqual([[], 1, []])
})
