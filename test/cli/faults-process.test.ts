import { spawn } from "node:child_process"
import OpenAI from "openai"
import { describe, expect, test } from "vitest"
import { bundledCommand, endOf, type HeardProcess, heard } from "./bundled-command.ts"
import { connect, freePort } from "./faults-ports.ts"

const { cli, kept } = bundledCommand()

const spawned = (argv: ReadonlyArray<string>) =>
  kept(spawn(process.execPath, [cli, "faults", ...argv], { stdio: ["ignore", "pipe", "pipe"] }))

/** One that nobody reads. */
const launch = (...argv: ReadonlyArray<string>) => {
  const child = spawned(argv)
  return { child, stdout: child.stdout, ended: endOf(child, "exit") }
}

const understudy = (...argv: ReadonlyArray<string>) => heard(spawned(argv))

const urlOf = async ({ out }: HeardProcess): Promise<string> => String((await out.record("ready"))["url"])

const post = (url: string): Promise<Response> =>
  fetch(`${url}/chat/completions`, { method: "POST", body: '{"stream":true}' })

const refused = ["--sequence", "connection_refused,success", "--listen-delay-ms", "2147483647"]

describe("the process of understudy faults", () => {
  test.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 }
  ] as const)("answers, and ends by $signal with $code, streams in progress included", async ({ signal, code }) => {
    const command = understudy("--port", "0", "--sequence", "stall,slow_success", "--chunk-delay-ms", "99999")
    const url = await urlOf(command)
    await post(url)
    await post(url)

    command.child.kill(signal)

    expect(await command.ended).toBe(code)
    const results = command.out.all.map((line) => JSON.parse(line)).filter(({ type }) => type === "result")
    expect(results.map(({ outcome }) => outcome)).toEqual(["stalled", "client_closed"])
  })

  test("ignores further signals while it closes", async () => {
    const command = understudy("--port", "0", "--sequence", "success", "--telemetry", "full")
    await urlOf(command)

    command.child.kill("SIGINT")
    // The first signal has been heard when this is told; two that are sent at once may come in either order.
    await command.out.record("summary")
    command.child.kill("SIGTERM")

    expect(await command.ended).toBe(130)
    expect(JSON.parse(command.out.all.at(-1) ?? "")).toMatchObject({ type: "summary" })
  })

  test.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 }
  ] as const)("ends by $signal with $code while the port refuses", async ({ signal, code }) => {
    const port = await freePort()
    const command = understudy(...refused, "--port", String(port))
    await command.out.record("unavailable")

    expect(await connect(port)).toBe("ECONNREFUSED")
    command.child.kill(signal)

    expect(await command.ended).toBe(code)
    expect(command.out.all).toEqual([
      `{"type":"unavailable","baseURL":"http://127.0.0.1:${port}/v1","listenDelayMs":2147483647}`
    ])
  })

  test("refuses a bad option at once, without a record and a delay", async () => {
    const command = understudy(...refused, "--port", String(await freePort()), "--chunk-size", "0")

    expect(await command.ended).toBe(1)
    expect(command.out.all).toEqual([])
  })

  test("fails with exit code 1 on a taken port", async () => {
    const first = understudy("--port", "0", "--sequence", "success")
    const { port } = new URL(await urlOf(first))

    const second = understudy("--port", port, "--sequence", "success")

    expect(await second.ended).toBe(1)
    expect(second.out.all).toEqual([])
    expect(second.err.all[0]).toContain("EADDRINUSE")
  })

  test("goes on when nobody reads its output any more", async () => {
    const command = understudy("--port", "0", "--sequence", "success", "--repeat-last")
    const url = await urlOf(command)

    command.stdout.destroy()
    await (await post(url)).text()
    await command.err.first((line) => line.startsWith("understudy: nobody reads stdout any more"))

    expect((await post(url)).status).toBe(200)
    command.child.kill("SIGINT")
    expect(await command.ended).toBe(130)
  })

  test("answers on when its output is not read, and a second signal does not wait for the reader", async () => {
    const port = await freePort()
    const command = launch("--port", String(port), "--sequence", "empty", "--repeat-last")
    while ((await connect(port)) !== "connected");

    // More than a pipe holds.
    for (let count = 0; count < 600; count++) await (await post(`http://127.0.0.1:${port}/v1`)).text()
    const again = setInterval(() => command.child.kill("SIGTERM"), 50)
    command.child.kill("SIGINT")

    expect(await command.ended).toBe(130)
    clearInterval(again)
  })
})

describe("the first example of the readme", () => {
  test("lets a client discard half an answer and recover", async () => {
    const argv = ["--port", "0", "--sequence", "partial_disconnect,success", "--partial-text", "discard this half"]
    const command = understudy(...argv)
    const client = new OpenAI({ baseURL: await urlOf(command), apiKey: "any", maxRetries: 0 })
    const answer = async (): Promise<string> => {
      let text = ""
      const stream = await client.chat.completions.create({ model: "m", messages: [], stream: true })
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ""
      return text
    }

    await expect(answer()).rejects.toThrow()
    expect(await answer()).toBe("mock response recovered")

    command.child.kill("SIGINT")
    expect(await command.ended).toBe(130)
    expect(command.out.all.map((line) => JSON.parse(line)).filter(({ type }) => type === "result")).toMatchObject([
      { behavior: "partial_disconnect", outcome: "reset" },
      { behavior: "success", outcome: "completed" }
    ])
  })
})

test("a signal while an exchange before a gap is open ends the command at once, and tells of no gap", async () => {
  const argv = [
    "--port",
    "0",
    "--sequence",
    "slow_success,connection_refused:60000,success",
    "--chunk-delay-ms",
    "60000"
  ]
  const command = understudy(...argv, "--telemetry", "full")
  const url = await urlOf(command)
  const asked = post(url)
    .then((response) => response.text())
    .catch(() => "")
  await command.out.record("request")

  command.child.kill("SIGTERM")

  expect(await command.ended).toBe(143)
  await asked
  expect(command.out.all.map((line) => JSON.parse(line).type)).toEqual(["ready", "request", "result", "summary"])
})
