import { createInterface } from "node:readline"
import { simTest } from "llm-understudy/sim"
import { expect } from "vitest"

simTest("a line is a line, however it is cut", { runs: 50, network: { segmentBytesMax: 3 } }, async (sim) => {
  const { parent, child } = sim.stdioPair("agent")
  createInterface({ input: child.stdin }).on("line", (line) => child.stdout.write(`${line.toUpperCase()}\n`))

  parent.stdin.write("ready?\n")
  const answer = await new Promise((resolve) => createInterface({ input: parent.stdout }).once("line", resolve))

  expect(answer).toBe("READY?")
})
