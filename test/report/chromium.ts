import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable, Writable } from "node:stream"
import { findChromium } from "../../.ci/find-chromium.mjs"

/** Where Chromium is; `null` where none is found, and tests that need it are skipped. */
export const chromiumPath: string | null = findChromium()

/** A page of a browser that was started for it. */
export interface BrowserPage {
  /** What an expression is in the page; promises are waited for. */
  evaluate(expression: string): Promise<unknown>
  command(method: string, params?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>
  press(key: string): Promise<void>
  mouse(type: "mouseMoved" | "mousePressed" | "mouseReleased", x: number, y: number): Promise<void>
  click(x: number, y: number): Promise<void>
  /** Shows a page and waits until it is there and drawn. */
  show(url: string): Promise<void>
  setDark(isDark: boolean): Promise<void>
  screenshot(): Promise<Buffer>
  /** Addresses that the page asked for, but for its own. */
  readonly requests: ReadonlyArray<string>
  /** What the page complained of: errors, and what its policy refused. */
  readonly complaints: ReadonlyArray<string>
  close(): Promise<void>
}

type Fields = Readonly<Record<string, unknown>>

interface Waiting {
  readonly resolve: (result: Fields) => void
  readonly reject: (error: Error) => void
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** Starts a browser without a window and opens an empty page of 1,280 by 800. It is spoken to over pipes, so no port is open. */
export const openPage = async (path: string): Promise<BrowserPage> => {
  const profile = mkdtempSync(join(tmpdir(), "understudy-chromium-"))
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
  const browser = spawn(path, [...args, "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]
  })
  const requests: Array<string> = []
  const complaints: Array<string> = []
  const send = protocolOf(browser, (method, params) => {
    if (method === "Network.requestWillBeSent") requests.push(String(fieldsOf(params["request"])["url"]))
    if (method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(params["exceptionDetails"]))
    if (method === "Log.entryAdded") complaints.push(String(fieldsOf(params["entry"])["text"]))
  })
  const { targetId } = await send("Target.createTarget", { url: "about:blank" })
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true })
  const command = (method: string, params: Fields = {}): Promise<Fields> => send(method, params, String(sessionId))
  for (const domain of ["Page", "Runtime", "Network", "Log"]) await command(`${domain}.enable`)
  await command("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false })

  const evaluate = async (expression: string): Promise<unknown> => {
    const asked = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await command("Runtime.evaluate", asked)
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return fieldsOf(result)["value"]
  }
  const drawn = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
  const mouse: BrowserPage["mouse"] = async (type, x, y) => {
    const button = type === "mouseMoved" ? {} : { button: "left", clickCount: 1 }
    await command("Input.dispatchMouseEvent", { type, x, y, ...button })
  }
  return {
    evaluate,
    command,
    async press(key) {
      await command("Input.dispatchKeyEvent", { type: "keyDown", key, code: key })
      await command("Input.dispatchKeyEvent", { type: "keyUp", key, code: key })
      await evaluate(drawn)
    },
    mouse,
    async click(x, y) {
      for (const type of ["mouseMoved", "mousePressed", "mouseReleased"] as const) await mouse(type, x, y)
      await evaluate(drawn)
    },
    async show(url) {
      requests.length = 0
      complaints.length = 0
      await command("Page.navigate", { url })
      const loaded = 'location.href !== "about:blank" && document.readyState === "complete"'
      while ((await evaluate(loaded)) !== true) await evaluate(drawn)
      await evaluate(drawn)
      requests.splice(0, requests.length, ...requests.filter((asked) => asked !== url))
    },
    async setDark(isDark) {
      const features = [{ name: "prefers-color-scheme", value: isDark ? "dark" : "light" }]
      await command("Emulation.setEmulatedMedia", { features })
      await evaluate(drawn)
    },
    async screenshot() {
      const { data } = await command("Page.captureScreenshot", { format: "png" })
      return Buffer.from(String(data), "base64")
    },
    requests,
    complaints,
    async close() {
      const ended = new Promise((resolve) => browser.once("exit", resolve))
      send("Browser.close").catch(() => {})
      await ended
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}

/** Speaks the protocol of Chromium's tools: JSON, each message ended by a zero byte. */
const protocolOf = (browser: ChildProcess, onEvent: (method: string, params: Fields) => void) => {
  const [, , , input, output] = browser.stdio
  if (!(input instanceof Writable && output instanceof Readable)) throw new Error("Chromium was started without pipes")
  const waiting = new Map<number, Waiting>()
  let ids = 0
  let pending = ""
  const failAll = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  browser.once("error", failAll)
  browser.once("exit", () => failAll(new Error("Chromium has ended")))
  input.on("error", failAll)
  output.setEncoding("utf8")
  output.on("data", (chunk: string) => {
    const texts = `${pending}${chunk}`.split("\0")
    pending = texts.pop() ?? ""
    for (const text of texts) {
      const { id, result, error, method, params } = fieldsOf(JSON.parse(text))
      if (typeof id !== "number") {
        onEvent(String(method), fieldsOf(params))
        continue
      }
      const waits = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) waits?.resolve(fieldsOf(result))
      else waits?.reject(new Error(JSON.stringify(error)))
    }
  })
  return (method: string, params: Fields = {}, sessionId?: string): Promise<Fields> => {
    const id = ++ids
    const message = JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      input.write(`${message}\0`)
    })
  }
}
