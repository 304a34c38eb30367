import { afterEach, describe, expect, test } from "vitest"
import { MockInferenceServer } from "../../src/index.ts"
import { finish, start, startServe, stopAll } from "./fake-io.ts"
import { chatText, postChat } from "./requests.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

afterEach(stopAll)

/** A foreground chat expectation as a line of YAML. */
const expectation = (name: string, more: string) =>
  `  - { name: ${name}, endpoint: ChatCompletions, kind: foreground, ${more} }\n`

describe("serve", () => {
  test("begins with a ready record that has the base URL next to its type, and echoes", async () => {
    const { out, err, url } = await startServe()

    expect(out.all[0]).toMatch(/^\{"type":"ready","url":"http:\/\/127\.0\.0\.1:\d+\/v1","origin":"http:/)
    expect(JSON.parse(out.all[0] ?? "")).toEqual({
      type: "ready",
      url,
      origin: url.replace("/v1", ""),
      profile: "full",
      pid: process.pid
    })
    expect(await (await postChat(url)).json()).toMatchObject({ choices: [{ message: { content: "Echo: ping" } }] })
    expect(err.all.join("\n")).toContain(`serving echo at ${url.replace("/v1", "")} (profile full, no key required)`)
    expect(out.all).toHaveLength(1)
  })

  test("takes profile and key from its options, and keeps the key to itself", async () => {
    const { out, err, url } = await startServe("--profile", "compact", "--api-key", "my-secret-key", "--log", "jsonl")

    const [without, withKey] = await Promise.all([
      postChat(url),
      postChat(url, { headers: { authorization: "Bearer my-secret-key" } }),
      fetch(`${url}/unknown/my-secret-key`)
    ])
    await out.record("refused", ({ path }) => path === "/v1/unknown/***")

    expect([without.status, withKey.status]).toEqual([401, 200])
    expect(withKey.headers.get("content-type")).toBe("text/event-stream")
    expect([...out.all, ...err.all].filter((line) => line.includes("my-secret-key"))).toEqual([])
  })

  test("hears the header that asks for a fault unless it is strict, or as it is told", async () => {
    const file = folder.write("header.yaml", "faultHeader: true\nstrict: true")
    const asked = async (...argv: ReadonlyArray<string>) => {
      const { url } = await startServe(...argv)
      return (await postChat(url, { headers: { "x-understudy-fault": "service_unavailable" } })).status
    }

    expect(await asked()).toBe(503)
    expect(await asked("--fault-header", "off")).toBe(200)
    expect(await asked("--strict")).toBe(400)
    expect(await asked("--strict", "--fault-header", "on")).toBe(503)
    expect(await asked("--scenario", file)).toBe(503)
    expect(await asked("--scenario", file, "--fault-header", "off")).toBe(400)
    const { code, err } = await finish("serve", "--fault-header", "onn")
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--fault-header is "onn"; give "on" or "off"; did you mean')
    ])
  })

  test("fails with exit code 1 when the port is taken, and says what to do", async () => {
    await using other = await MockInferenceServer.start()
    const { port } = new URL(other.origin())

    const { code, out, err } = await finish("serve", "--port", port)

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toMatch(/^understudy: cannot serve on 127\.0\.0\.1:\d+: .*EADDRINUSE.*; another program has that port;/)
  })

  test("fails with exit code 1 on an address of another machine", async () => {
    const { code, err } = await finish("serve", "--host", "192.0.2.1")

    expect(code).toBe(1)
    expect(err).toContain("give a --host of this machine")
  })

  test("warns when other machines may reach it", async () => {
    const { err } = await startServe("--host", "0.0.0.0")

    await err.first((line) => line.includes("0.0.0.0 is no loopback address"))
  })
})

describe("a scenario", () => {
  test("is what serve answers", async () => {
    const file = folder.write("first.yaml", `turns: [second]\nexpectations:\n${expectation("one", "response: first")}`)
    const { url, err } = await startServe("--scenario", file)

    const texts = [
      await chatText(await postChat(url, { tools: 2, stream: true })),
      await chatText(await postChat(url, { tools: 2, stream: true })),
      await chatText(await postChat(url, { tools: 2, stream: true }))
    ]

    expect(texts).toEqual(["first", "second", "Echo: ping"])
    expect(err.all.join()).toContain(`serving ${file}, 1 expectations at`)
  })

  test("with problems ends serve with exit code 1, and nothing was started", async () => {
    const file = folder.write("bad.yaml", "turns:\n  - 5\nmode: ecko\n")

    const { code, out, err } = await finish("serve", "--scenario", file)

    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err.split("\n")).toEqual([
      `understudy: cannot serve ${JSON.stringify(file)}; put this right and start again:`,
      expect.stringContaining(`${file}:2:5 turns[0]: 5 does not fit`),
      expect.stringContaining(`${file}:3:7 mode: "ecko" is not "echo"`)
    ])
  })

  test("with an unknown fault ends serve with its place, and the one that was meant", async () => {
    const file = folder.write("fault.yaml", "queues:\n  /v1/messages:\n    - fault: rate_limits\n")

    const { code, err } = await finish("serve", "--scenario", file)

    expect(code).toBe(1)
    expect(err).toContain(
      `${file}:3:14 queues["/v1/messages"][0].fault: "rate_limits" is not known; did you mean "rate_limit"?`
    )
  })

  test("that changes what only a start takes is told to wait for one", async () => {
    const file = folder.write("start.yaml", "queues: { /v1/chat/completions: [{ fault: overloaded }] }")
    const { err, out, url } = await startServe("--scenario", file, "--watch", "--log", "jsonl")
    expect((await postChat(url)).status).toBe(529)

    folder.write("start.yaml", "{ faultHeader: false, queues: { /v1/chat/completions: [{ fault: bad_gateway }] } }")
    await out.record("reload", ({ ok }) => ok === true)

    await err.first((line) => line === "understudy: what changed in `faultHeader` holds after a restart")
    expect((await postChat(url)).status).toBe(502)
    expect((await postChat(url, { headers: { "x-understudy-fault": "conflict" } })).status).toBe(409)
  })

  test("that is not there ends serve with exit code 1", async () => {
    const { code, err } = await finish("serve", "--scenario", folder.path("absent.yaml"), "--watch")

    expect(code).toBe(1)
    expect(err).toContain("ENOENT")
  })
})

describe("stopping", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("by %s ends with exit code 0 and leaves no server", async (signal) => {
    const command = await startServe()

    command.signal(signal)

    expect(await command.code).toBe(0)
    await expect(fetch(command.url)).rejects.toThrow()
    expect(command.exits).toEqual([])
  })

  test("during the start opens nothing", async () => {
    const command = start(["serve", "--port", "0"])
    await command.heeding
    command.signal("SIGINT")

    expect(await command.code).toBe(0)
    expect(command.out.all).toEqual([])
  })

  test("by a second signal ends at once, but a wrapper that passes the first one on is no second", async () => {
    const file = folder.write("held.yaml", `expectations:\n${expectation("held", "response: x, barriers: [head]")}`)
    const command = await startServe("--scenario", file, "--log", "jsonl")
    const answer = postChat(command.url, { tools: 2 }).catch(() => undefined)
    await command.out.record("phase", ({ phase }) => phase === "Blocked")

    command.signal("SIGINT")
    command.advance(100)
    command.signal("SIGINT")
    expect(command.exits).toEqual([])
    command.advance(500)
    command.signal("SIGTERM")

    expect(command.exits).toEqual([143])
    expect(await command.code).toBe(0)
    expect(command.err.all.slice(-2)).toEqual([
      "understudy: cut 1 unfinished responses:",
      expect.stringContaining("waits at barrier `head`")
    ])
    await answer
  })
})

describe("standard input", () => {
  test("releases barriers, shows the state, and stops serve", async () => {
    const barriers = "barriers: [head, { at: terminal, name: the end }]"
    const file = folder.write("lines.yaml", `expectations:\n${expectation("first turn", `response: x, ${barriers}`)}`)
    const command = await startServe("--scenario", file, "--log", "jsonl")
    const answer = postChat(command.url, { tools: 2, stream: true })
    await command.out.record("phase", ({ phase }) => phase === "Blocked")

    command.type("status")
    command.type("release first turn head")
    expect((await answer).status).toBe(200)
    command.type("release first turn the end")

    expect(await chatText(await answer)).toBe("x")
    await command.out.record("command", ({ ok, message }) => ok === true && String(message).includes("state: Blocked"))
    command.type("quit")
    expect(await command.code).toBe(0)
  })

  test("may end without a word", async () => {
    const { stdin, url } = await startServe()

    stdin.end()

    expect((await postChat(url)).status).toBe(200)
  })

  test("is left alone where reading it would stop the process", async () => {
    const command = start(["serve", "--port", "0"], { hasStdin: false })
    const ready = await command.out.record("ready")

    command.type("quit")

    expect((await postChat(String(ready["url"]))).status).toBe(200)
  })
})
