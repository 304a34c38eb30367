import { afterEach, describe, expect, test } from "vitest"
import { packageVersion } from "../../src/campaign/package-version.ts"
import { stopAll } from "./fake-io.ts"
import { freePort } from "./faults-ports.ts"
import { ask, onFreePort, records, startFaults, stop, tryTo } from "./faults-running.ts"
import { tempFolder } from "./temp-folder.ts"

/* fault-server.md, sections 4.5, 9.1 and 9.7 and scenarios 40, 41, 46 and 48, in this process. */

const folder = tempFolder()

afterEach(stopAll)

describe("the records of understudy faults", () => {
  test("are ready, then request and result of each attempt, member by member", async () => {
    const command = await onFreePort("--sequence", " success , rate_limit")
    const { port } = new URL(command.url)

    expect((await ask(command.url)).status).toBe(200)
    expect((await ask(command.url)).status).toBe(429)

    expect(await stop(command)).toBe(143)
    const base = `http://127.0.0.1:${port}/v1`
    const seed = command.ready["randomSeed"]
    const exchange = (attempt: number, behavior: string) =>
      `"attempt":${attempt},"scriptBehavior":"${behavior}","behavior":"${behavior}"`
    expect(command.out.all).toEqual([
      `{"type":"ready","baseURL":"${base}","randomSeed":${seed},"url":"${base}"}`,
      `{"type":"request",${exchange(1, "success")},"path":"/v1/chat/completions"}`,
      `{"type":"result",${exchange(1, "success")},"outcome":"completed","chunksSent":5}`,
      `{"type":"request",${exchange(2, "rate_limit")},"path":"/v1/chat/completions"}`,
      `{"type":"result",${exchange(2, "rate_limit")},"outcome":"completed","chunksSent":0}`
    ])
  })

  test("tell the seed, which SIGINT does not change", async () => {
    const command = await onFreePort("--sequence", "random", "--repeat-last", "--seed", "42")

    expect(command.ready["randomSeed"]).toBe(42)
    expect(await stop(command, "SIGINT")).toBe(130)
  })

  test("follow the last of repeated options", async () => {
    const command = await onFreePort("--sequence", "empty", "--sequence", "random", "--seed", "5", "--seed", "6")

    await tryTo(command.url)

    expect(command.ready["randomSeed"]).toBe(6)
    expect(await command.out.record("request")).toMatchObject({ scriptBehavior: "random" })
  })

  test("name script_exhausted when the script is over", async () => {
    const command = await onFreePort("--sequence", "empty")

    await ask(command.url)

    expect((await ask(command.url)).status).toBe(500)
    expect(await command.out.record("result", ({ attempt }) => attempt === 2)).toMatchObject({
      behavior: "script_exhausted",
      scriptBehavior: "script_exhausted"
    })
  })

  test("bracket IPv6 addresses", async () => {
    const port = String(await freePort("::1"))
    const argv = ["--sequence", "connection_refused,success", "--listen-delay-ms", "0", "--host", "::1"]

    const command = await startFaults(...argv, "--port", port)

    expect(records(command).map(({ baseURL }) => baseURL)).toEqual(Array(2).fill(`http://[::1]:${port}/v1`))
  })

  test("come with human words on stderr alone", async () => {
    const command = await onFreePort("--sequence", "success")

    await command.err.first((line) => line.includes(command.url))

    await stop(command)
    expect(records(command)).toHaveLength(1)
  })

  test("are the same twice for the same seed and the same requests, but for the port", async () => {
    const weights =
      "success=60,slow_success=10,connection_reset=5,stream_disconnect=5,partial_disconnect=10,empty=5,server_error=5"
    const argv = ["--sequence", "random", "--repeat-last", "--seed", "42", "--random-weights", weights]
    const once = async (): Promise<ReadonlyArray<string>> => {
      const command = await onFreePort(...argv, "--chunk-delay-ms", "0", "--disconnect-delay-ms", "1")
      for (let attempt = 1; attempt <= 12; attempt++) {
        await tryTo(command.url)
        await command.out.record("result", (result) => result["attempt"] === attempt)
      }
      await stop(command)
      return command.out.all.map((line) => line.replaceAll(`:${new URL(command.url).port}/`, ":PORT/"))
    }

    const first = await once()

    expect(await once()).toEqual(first)
    const behaviors = first.map((line) => JSON.parse(line)).filter(({ type }) => type === "request")
    expect(behaviors.map(({ behavior }) => behavior).join(" ")).toBe(
      "slow_success success partial_disconnect slow_success success success success slow_success " +
        "partial_disconnect success success partial_disconnect"
    )
  })

  test("hold no secret", async () => {
    const command = await onFreePort("--sequence", "success*9", "--lane-by", "bearer", "--telemetry", "full")

    await ask(command.url, { headers: { authorization: "Bearer s3cret" } })

    expect((await command.out.record("request"))["lane"]).toMatch(/^secret-/)
    await stop(command)
    expect(command.out.all.join("\n")).not.toContain("s3cret")
  })
})

describe("with full telemetry", () => {
  test("ready says all that is needed to run the same again", async () => {
    const { ready, url } = await onFreePort("--sequence", "random", "--telemetry", "full", "--seed", "1")

    expect(Object.keys(ready).join(" ")).toBe("type baseURL randomSeed prng profile weights formats lanes version url")
    expect(ready).toMatchObject({
      prng: "mulberry32/1",
      profile: { name: "stress", version: 1, kind: "pressure", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      formats: ["chat", "responses", "messages"],
      lanes: [{ lane: "default", entries: 1, repeatLast: false, port: Number(new URL(url).port), baseURL: url }],
      version: packageVersion()
    })
    expect(ready["weights"]).toEqual(expect.arrayContaining([["success", 48]]))
  })

  test("weights of one's own keep their order and have a digest too", async () => {
    const weights = ["--random-weights", "empty=1,success=2,stall=0"]

    const { ready } = await onFreePort("--sequence", "random", "--telemetry", "full", ...weights)

    expect(ready["weights"]).toEqual([
      ["empty", 1],
      ["success", 2]
    ])
    expect(ready["profile"]).toMatchObject({ name: "custom", kind: "pressure" })
  })

  test("the last record sums up, after the results that closing brings about", async () => {
    const argv = ["--sequence", "success,stall,slow_success", "--chunk-delay-ms", "60000", "--telemetry", "full"]
    const command = await onFreePort(...argv, "--chunk-size", "1")

    await ask(command.url)
    for (const attempt of [2, 3]) {
      void tryTo(command.url)
      await command.out.record("request", (request) => request["attempt"] === attempt)
    }
    await command.out.record("result", ({ attempt }) => attempt === 2)

    expect(await stop(command, "SIGINT")).toBe(130)
    expect(command.out.all.at(-1)).toBe(
      '{"type":"summary","requests":3,"outcomes":{"completed":1,"reset":0,"stalled":1,"client_closed":1,' +
        `"server_error":0},"randomSeed":${command.ready["randomSeed"]}}`
    )
  })

  test("requests that were not accepted, and the ends of stalls, are told", async () => {
    const command = await onFreePort("--sequence", "stall", "--telemetry", "full", "--api-key", "k")

    await ask(command.url)
    const abort = new AbortController()
    const stalled = fetch(`${command.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer k" },
      body: '{"stream":true}',
      signal: abort.signal
    })
    await stalled
    abort.abort()

    expect(await command.out.record("rejected")).toMatchObject({ reason: "auth", status: 401 })
    expect(await command.out.record("closed")).toMatchObject({ attempt: 1, by: "client" })
  })
})

describe("the options of understudy faults", () => {
  test("reach the answers", async () => {
    const texts = ["--success-text", "yes", "--chunk-shape", "minimal", "--streaming", "auto", "--formats", "chat"]
    const command = await onFreePort("--sequence", "success*9", ...texts)

    const { text } = await ask(command.url, { body: {} })

    expect(text).toContain('data: {"choices":[{"index":0,"delta":{"content":"yes"}')
    expect((await ask(command.url, { path: "/responses" })).status).toBe(404)
  })

  test("bound the body, and shut the header", async () => {
    const command = await onFreePort("--sequence", "success*9", "--max-body-bytes", "99", "--fault-header", "off")

    expect((await ask(command.url, { body: "x".repeat(200) })).status).toBe(413)
    expect((await ask(command.url, { headers: { "x-understudy-fault": "conflict" } })).status).toBe(200)
  })

  test("give each caller its own faults", async () => {
    const argv = ["--sequence", "rate_limit,success", "--lane-by", "header:x-session,path", "--telemetry", "full"]
    const command = await onFreePort(...argv)
    const asA = { headers: { "x-session": "a" } }

    const statuses = [await ask(command.url, asA), await ask(command.url), await ask(command.url, asA)]

    expect(statuses.map(({ status }) => status)).toEqual([429, 429, 200])
    expect(await command.out.record("request")).toMatchObject({ lane: "a", laneAttempt: 1 })
  })

  test("listen for lanes on ports of their own, which ready tells", async () => {
    const file = folder.write(
      "ports.json",
      JSON.stringify({ version: 1, lanes: { a: { sequence: ["conflict"] }, b: { sequence: ["empty"] } } })
    )
    const command = await onFreePort("--script", file, "--lane-port")
    const lanes = new Map(
      Object.values(Object(command.ready["lanes"])).map((lane) => [Object(lane).lane, Object(lane)])
    )

    expect((await ask(lanes.get("b").baseURL)).status).toBe(200)
    expect(new URL(lanes.get("b").baseURL).port).toBe(String(lanes.get("b").port))
    expect(lanes.get("a").port).not.toBe(lanes.get("b").port)
  })

  test("let a lane with a port of its own refuse, also at first, and nobody else", async () => {
    const lanes = { a: { sequence: ["connection_refused:20", "empty"] }, b: { sequence: ["empty"] } }
    const file = folder.write("refusing.json", JSON.stringify({ version: 1, lanes, lanePort: true }))
    const command = await onFreePort("--script", file)
    const [a] = Object.values(Object(command.ready["lanes"])).map((lane) => String(Object(lane).baseURL))

    expect(await command.out.record("unavailable")).toMatchObject({ baseURL: a, listenDelayMs: 20 })
    expect(await command.out.record("available")).toMatchObject({ baseURL: a })
    expect((await ask(String(a))).status).toBe(200)
  })
})
