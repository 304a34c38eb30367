import { AsyncResource } from "node:async_hooks"
import nodeCrypto, { randomUUID } from "node:crypto"
import { readFile as callbackReadFile, createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import os from "node:os"
import { hrtime } from "node:process"
import { setTimeout as namedSetTimeout } from "node:timers"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import zlib, { gzip as namedGzip } from "node:zlib"
import { describe, expect, it } from "vitest"
import { realTimers } from "../../src/sim/fence.ts"
import { trackRealWork } from "../../src/sim/fence-run.ts"
import { runOnce, sleep, type World } from "./fence-world.ts"

const runsPerSource = 40

/** Runs one seed again and again; gives the different hashes. */
const hashesOf = async (main: (world: World) => unknown): Promise<ReadonlyArray<string>> => {
  const hashes = new Set<string>()
  for (let run = 0; run < runsPerSource; run++) {
    const outcome = await runOnce(11, main, { allow: ["fs"] })
    if (outcome.status === "failed") throw outcome.error
    hashes.add(outcome.stats.hash)
  }
  return [...hashes]
}

/** Two of them race each other and a row of timers. */
const racing =
  (work: (index: number) => unknown) =>
  async ({ log }: World): Promise<void> => {
    const timers = (async () => {
      for (let at = 0; at < 10; at++) {
        await sleep(1)
        log(`timer ${at}`)
      }
    })()
    const racers = [0, 1].map(async (index) => {
      await work(index)
      log(`done ${index}`)
      await sleep(5)
      log(`after ${index}`)
    })
    await Promise.all([timers, ...racers])
  }

const told =
  (tell: () => unknown) =>
  async ({ log }: World): Promise<void> => {
    for (let at = 0; at < 3; at++) {
      log(String(tell()))
      await sleep(Math.random() * 10)
    }
  }

const large = new Uint8Array(3_000_000)
const small = new Uint8Array(10)
const sized = (index: number): Uint8Array<ArrayBuffer> => (index === 0 ? large : small)
const thisFile = fileURLToPath(import.meta.url)
const otherFile = fileURLToPath(new URL("../../package-lock.json", import.meta.url))
const file = (index: number): string => (index === 0 ? otherFile : thisFile)

const realSetTimeout = realTimers().setTimeout

/** What the fence does not know of: it is started outside every run. */
const outside = new AsyncResource("outside")
const realWork = (index: number): Promise<void> =>
  outside.runInAsyncScope(() => new Promise((resolve) => realSetTimeout(resolve, index === 0 ? 4 : 1)))

/** Keys that the runs have made. */
const keys: Array<string> = []

const emptyModule = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

const sources: Readonly<Record<string, (world: World) => unknown>> = {
  "Math.random": told(() => Math.random()),
  Date: told(() => `${Date.now()} ${new Date().toISOString()} ${Date()}`),
  "performance.now": told(() => performance.now()),
  "performance.mark and measure": told(() => {
    const { startTime } = performance.mark("before")
    const whole = performance.measure("whole", { start: 0 })
    return [
      startTime,
      performance.measure("part", "before").duration,
      whole.duration,
      performance.measure("all").duration
    ]
  }),
  "performance.eventLoopUtilization": told(() => JSON.stringify(performance.eventLoopUtilization())),
  "the clock of events": told(() => new Event("any").timeStamp),
  "Intl.DateTimeFormat without a date": told(() => {
    const clock = new Intl.DateTimeFormat("en", { dateStyle: "short", timeStyle: "long", timeZone: "UTC" })
    return [clock.format(), ...clock.formatToParts().map(({ value }) => value)]
  }),
  "os.uptime": told(() => os.uptime()),
  "process.hrtime": told(() => `${process.hrtime()} ${process.hrtime.bigint()} ${hrtime.bigint()}`),
  "crypto.randomUUID": told(() => crypto.randomUUID()),
  "crypto.getRandomValues": told(() => crypto.getRandomValues(new Uint8Array(8)).join()),
  "crypto.pseudoRandomBytes": told(() => nodeCrypto.pseudoRandomBytes(8).toString("hex")),
  "secret keys": told(() => [
    nodeCrypto.generateKeySync("hmac", { length: 128 }).export().toString("hex"),
    nodeCrypto.generateKeySync("aes", { length: 256 }).export().toString("hex")
  ]),
  "secret keys of crypto.subtle": racing(async (index) => {
    const algorithm = index === 0 ? { name: "HMAC", hash: "SHA-384" } : { name: "AES-GCM", length: 128 }
    const key = await crypto.subtle.generateKey(algorithm, true, index === 0 ? ["sign"] : ["encrypt"])
    if ("type" in key) keys.push(Buffer.from(await crypto.subtle.exportKey("raw", key)).toString("hex"))
  }),
  "a named import of node:crypto": told(() => `${randomUUID()} ${nodeCrypto.randomBytes(4).toString("hex")}`),
  "a named import of node:timers": racing(() => new Promise((resolve) => namedSetTimeout(resolve, 3))),
  "a named import of node:timers/promises": racing(() => wait(3)),
  "AbortSignal.timeout": racing(
    () => new Promise((resolve) => AbortSignal.timeout(3).addEventListener("abort", resolve))
  ),
  "process.nextTick": racing(async () => {
    for (let at = 0; at < 100; at++) await new Promise<void>((resolve) => process.nextTick(resolve))
  }),
  queueMicrotask: racing(async () => {
    for (let at = 0; at < 500; at++) await new Promise<void>((resolve) => queueMicrotask(resolve))
  }),
  setImmediate: racing(async () => {
    for (let at = 0; at < 50; at++) await new Promise<void>((resolve) => setImmediate(resolve))
  }),
  MessageChannel: racing(
    () =>
      new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port2.on("message", () => {
          port1.close()
          resolve()
        })
        port1.postMessage(1)
      })
  ),
  "web streams": racing(async () => {
    const [a, b] = new Response("text").body?.tee() ?? []
    await Promise.all([
      a?.pipeTo(new WritableStream()),
      new Response(b?.pipeThrough(new TextDecoderStream()).pipeThrough(new TextEncoderStream())).text()
    ])
  }),
  Blob: racing((index) => new Response(new Blob([sized(index)])).arrayBuffer()),
  "fs.promises": racing((index) => readFile(file(index))),
  "fs with callbacks": racing((index) => promisify(callbackReadFile)(file(index))),
  "fs streams": racing(async (index) => {
    for await (const _ of createReadStream(file(index)));
  }),
  "crypto.subtle": racing((index) => crypto.subtle.digest("SHA-256", sized(index))),
  "crypto with callbacks": racing((index) =>
    promisify(nodeCrypto.pbkdf2)("a", "b", index === 0 ? 20_000 : 1, 32, "sha256")
  ),
  "zlib with callbacks": racing((index) => promisify(namedGzip)(sized(index))),
  "zlib streams": racing(async (index) => {
    const stream = zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
    stream.end(sized(index))
    for await (const _ of stream);
  }),
  CompressionStream: racing((index) =>
    new Response(new Blob([sized(index)]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer()
  ),
  "work that is tracked by hand": racing((index) => trackRealWork("child", realWork(index))),
  "WebAssembly.compile": racing(() => Reflect.get(globalThis, "WebAssembly").compile(emptyModule)),
  "weak references": async ({ log }) => {
    let finalized = 0
    const registry = new FinalizationRegistry(() => finalized++)
    for (let at = 0; at < 2_000; at++) registry.register({ at: new Array(100) }, 1)
    await sleep(5)
    log("end")
  }
}

describe(`One seed, ${runsPerSource} runs, gives one hash`, () => {
  it.each(Object.entries(sources))("with %s", async (_name, main) => {
    expect(await hashesOf(main)).toHaveLength(1)
  })

  it("and the same keys in each, as long as a key of its kind is", () => {
    expect([...new Set(keys)].map((key) => key.length / 2).sort()).toEqual([128, 16])
  })

  it("after a first run that loads a module, when a warm-up run came before", async () => {
    const main = async ({ log }: World): Promise<void> => {
      const { parse } = await import("yaml")
      log(JSON.stringify(parse("a: 1")))
      await sleep(5)
    }
    const warmUp = await runOnce(11, main, { limits: { graceMs: 5_000 } })
    expect(warmUp.status).toBe("returned")
    expect(await hashesOf(main)).toHaveLength(1)
  })
})
