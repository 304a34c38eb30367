import nodeCrypto, { randomUUID } from "node:crypto"
import { readFile as readWithCallback } from "node:fs"
import { readFile } from "node:fs/promises"
import net from "node:net"
import { hrtime } from "node:process"
import { setTimeout as namedTimeout } from "node:timers"
import { setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import zlib from "node:zlib"
import { withSim } from "llm-understudy/sim"
import { test } from "./plain.mjs"

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const sized = (index) => new Uint8Array(index === 0 ? 2_000_000 : 10)
const file = (index) =>
  `${import.meta.dirname ?? "."}/${index === 0 ? "node_modules/openai/README.md" : "package.json"}`

/** Each is real where the fence does not reach; all of them are told, and two of each race. */
const told = {
  "Math.random": () => Math.random(),
  dates: () => `${Date.now()} ${new Date().toISOString()}`,
  clocks: () => `${performance.now()} ${process.hrtime()} ${process.hrtime.bigint()} ${process.uptime()}`,
  "a named clock": () => `${hrtime()} ${hrtime.bigint()}`,
  ids: () => `${crypto.randomUUID()} ${crypto.getRandomValues(new Uint8Array(4))} ${nodeCrypto.randomBytes(4).join()}`,
  "a named id": () => randomUUID()
}
const raced = {
  timers: (index) => sleep(3 - index),
  "named timers": (index) => new Promise((resolve) => namedTimeout(resolve, 3 - index)),
  "timers of promises": (index) => wait(3 - index, null, { signal: new AbortController().signal }),
  "AbortSignal.timeout": () => new Promise((resolve) => AbortSignal.timeout(3).addEventListener("abort", resolve)),
  files: (index) => readFile(file(index)),
  "files with callbacks": (index) => promisify(readWithCallback)(file(index)),
  "crypto.subtle": (index) => crypto.subtle.digest("SHA-256", sized(index)),
  zlib: (index) => promisify(zlib.gzip)(sized(index))
}

const logOf = async (tell, race) => {
  const lines = []
  await withSim({ seed: 11, allow: ["fs"] }, async (sim) => {
    const log = (text) => lines.push(`${sim.now()} ${text}`)
    const racers = [0, 1].map(async (index) => {
      await race(index)
      log(`${index} is there`)
    })
    for (let at = 0; at < 3; at++) {
      log(tell())
      await sleep(Math.random() * 10)
    }
    await Promise.all(racers)
  })
  return lines.join("\n")
}

const same = (name, tell, race) =>
  test(`one seed, one run: ${name}`, async () => {
    const logs = new Set()
    for (let run = 0; run < 10; run++) logs.add(await logOf(tell, race))
    if (logs.size !== 1) throw new Error(`${logs.size} different runs:\n${[...logs].slice(0, 2).join("\n---\n")}`)
  })

for (const [name, tell] of Object.entries(told)) same(name, tell, async () => {})
for (const [name, race] of Object.entries(raced)) same(name, () => "", race)

const fails = (name, message, body) =>
  test(`fails: ${name}`, async () => {
    const error = await withSim({ seed: 1 }, body).then(
      () => new Error("nothing"),
      (thrown) => thrown
    )
    if (!`${error.name}: ${error.message}`.includes(message)) throw error
  })

fails("a hang", "Deadlock", () => new Promise(() => {}))
fails("a socket", "EscapedFence: net.Socket.connect", () => net.connect(9))
fails("a file", "EscapedFence: fs.promises.readFile", () => readFile(file(1)))
fails("the network", "EscapedFence", () =>
  fetch("http://127.0.0.1:9999/").catch((error) => {
    throw error.cause
  })
)
fails("a promise that nobody catches", "nobody catches", async () => {
  Promise.reject(new Error("nobody catches"))
  await sleep(5)
})
fails("an error in a tick", "in a tick", async () => {
  process.nextTick(() => {
    throw new Error("in a tick")
  })
  await sleep(5)
})
fails("an error in a timer", "in a timer", async () => {
  setTimeout(() => {
    throw new Error("in a timer")
  }, 1)
  await sleep(5)
})
