import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { RunTrace } from "../../src/report/run-trace.ts"
import { htmlTimeline } from "../../src/report/timeline.ts"
import { type BrowserPage, chromiumPath, openPage } from "./chromium.ts"
import { failedTrace, longTrace, tracedStep } from "./many-steps.ts"
import { clientsTrace, lateChoices } from "./retrying-clients.ts"

describe.skipIf(chromiumPath === null)("the timeline page in Chromium", () => {
  let page: BrowserPage
  let folder = ""

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "understudy-timeline-"))
    page = await openPage(chromiumPath ?? "")
  })
  afterAll(async () => {
    await page?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => page.setDark(false))

  const show = async (trace: RunTrace): Promise<void> => {
    const path = join(folder, "run.html")
    writeFileSync(path, htmlTimeline(trace))
    await page.show(pathToFileURL(path).href)
  }
  const textOf = (id: string): Promise<unknown> => page.evaluate(`document.getElementById("${id}").innerText`)
  const clickOn = (id: string): Promise<unknown> =>
    page.evaluate(`document.getElementById("${id}").click(); new Promise((done) => requestAnimationFrame(done))`)
  const focusOn = (id: string): Promise<unknown> => page.evaluate(`document.getElementById("${id}").focus()`)

  /** The number of the selected step, as the page says it. */
  const selected = async (): Promise<number> => Number(/^Step (\d+)/.exec(String(await textOf("at")))?.[1])

  /** How many dots of the canvas have about this colour. */
  const dots = async (color: string): Promise<number> =>
    Number(
      await page.evaluate(`(() => {
        const canvas = document.getElementById("lanes")
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
        const wanted = [1, 3, 5].map((at) => parseInt("${color}".slice(at, at + 2), 16))
        let count = 0
        for (let at = 0; at < data.length; at += 4)
          if (wanted.every((value, index) => Math.abs(value - data[at + index]) < 6)) count++
        return count
      })()`)
    )

  test("asks the network for nothing and complains of nothing", async () => {
    await show(clientsTrace(lateChoices))

    expect(page.requests.filter((asked) => !asked.startsWith("data:"))).toEqual([])
    expect(page.complaints).toEqual([])
  })

  test("begins at the failure and shows its step, state, choices and bytes", async () => {
    await show(clientsTrace(lateChoices))

    expect(await textOf("at")).toBe("Step 7 of 12 — failed here")
    expect(await textOf("what")).toContain("c2 → server")
    expect(await textOf("bytes")).toContain("POST /v1/responses\\r\nx-client: c2\\r\n")
    expect(String(await textOf("states")).split("\n")).toEqual([
      "server\texecuted 2\t7",
      "c3\tanswered\t4",
      "c1\tanswered\t5",
      "c2\tretrying\t6"
    ])
    expect(await textOf("draws")).toBe("net/c2/latency\t0\t3")
  })

  test("goes forward and back by buttons, and stops at the ends", async () => {
    await show(clientsTrace(lateChoices))

    await clickOn("forward")
    expect(await selected()).toBe(8)
    await clickOn("back")
    await clickOn("back")
    expect(await selected()).toBe(6)
    await clickOn("last")
    expect(await selected()).toBe(12)
    expect(await page.evaluate('document.getElementById("forward").disabled')).toBe(true)
    await clickOn("first")
    expect(await selected()).toBe(1)
    expect(await page.evaluate('document.getElementById("back").disabled')).toBe(true)
    await clickOn("to-failure")
    expect(await selected()).toBe(7)
  })

  test("goes forward and back by arrow keys, along an actor, to the cause and to the failure", async () => {
    await show(clientsTrace(lateChoices))
    await focusOn("scroll")
    const after = async (key: string): Promise<number> => {
      await page.press(key)
      return selected()
    }

    expect(await after("ArrowRight")).toBe(8)
    expect(await after("ArrowLeft")).toBe(7)
    expect(await after("ArrowUp")).toBe(3)
    expect(await after("ArrowDown")).toBe(7)
    expect(await after("c")).toBe(6)
    expect(await after("Home")).toBe(1)
    expect(await after("End")).toBe(12)
    expect(await after("PageUp")).toBe(2)
    expect(await after("f")).toBe(7)
    await focusOn("rows")
    expect(await after("ArrowDown")).toBe(8)
    expect(await page.evaluate('document.getElementById("rows").getAttribute("aria-activedescendant")')).toBe("row-8")
    expect(await textOf("said")).toBe("Step 8 of 12, 6 s, timer timeout to c2")
  })

  test("passes by what does not matter when told to", async () => {
    await show(clientsTrace(lateChoices))

    await clickOn("only")
    expect(await textOf("list-title")).toBe("3 of 12 steps")
    await clickOn("back")
    await clickOn("back")
    expect(await selected()).toBe(3)
    await clickOn("only")
    await clickOn("first")
    await clickOn("only")
    await clickOn("forward")
    expect(await selected()).toBe(3)
  })

  test("shows a step that the mouse is over, and goes to the one that is clicked", async () => {
    await show(clientsTrace(lateChoices))
    // Where the two chosen steps of the server are: their rings are the only dots of that colour.
    const place = (await page.evaluate(`(() => {
      const canvas = document.getElementById("lanes"), box = canvas.getBoundingClientRect()
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
      const found = []
      for (let at = 0; at < data.length; at += 4)
        if (Math.abs(data[at] - 0xc2) < 6 && Math.abs(data[at + 1] - 0x41) < 6 && Math.abs(data[at + 2] - 0x0c) < 6)
          found.push([(at / 4) % canvas.width, Math.floor(at / 4 / canvas.width)])
      const last = Math.max(...found.map(([x]) => x))
      const y = found.reduce((sum, [, y]) => sum + y, 0) / found.length
      return [box.left + last - 12, box.top + y]
    })()`)) as readonly [number, number]

    await page.mouse("mouseMoved", ...place)
    expect(await textOf("tip")).toBe(
      "Step 3 of 12, 5 ms, deliver request to server from c2, chosen\nexecuted 1\n◇ net/c2/latency 2 of 3\nPOST /v1/responses\\r\nx-client: c2\\r\n\\r\n{}"
    )
    await page.click(...place)
    expect(await selected()).toBe(3)
    await page.mouse("mouseMoved", 700, place[1])
    expect(await page.evaluate('document.getElementById("tip").hidden')).toBe(true)
  })

  test("draws what matters in colour, light and dark", async () => {
    await show(clientsTrace(lateChoices))

    expect(await dots("#ffffff")).toBeGreaterThan(100_000)
    expect(await dots("#c01f2b")).toBeGreaterThan(20)
    expect(await dots("#c2410c")).toBeGreaterThan(20)
    expect(await dots("#8a5700")).toBeGreaterThan(20)
    await page.setDark(true)
    expect(await dots("#ffffff")).toBe(0)
    expect(await dots("#12151a")).toBeGreaterThan(100_000)
    expect(await dots("#ff7d78")).toBeGreaterThan(20)
    expect(await dots("#ff9d57")).toBeGreaterThan(20)
  })

  test("shows time true to scale, shortened and in equal steps", async () => {
    const idle = [0, 1, 2, 600_000, 600_001].map((at, index) => tracedStep(index + 1, { at }))
    await show(failedTrace(idle))
    const width = async (scale: string): Promise<number> => {
      await page.evaluate(`document.getElementById("scale").value = "${scale}"`)
      await page.evaluate('document.getElementById("scale").dispatchEvent(new Event("change"))')
      return Number(await page.evaluate('parseFloat(document.getElementById("space").style.width)'))
    }

    const equal = await width("order")
    const shortened = await width("log")
    expect(shortened).toBeGreaterThan(equal + 80)
    expect(shortened).toBeLessThan(equal + 200)
    await clickOn("in")
    expect(await width("log")).toBeGreaterThan(shortened * 1.2)
    expect(await width("linear")).toBeGreaterThan(0)
    expect(page.complaints).toEqual([])
  })

  test("takes 10,000 steps, and makes no more of them than can be seen", async () => {
    await show(longTrace(10_000))
    await focusOn("rows")

    expect(await selected()).toBe(10_000)
    expect(Number(await page.evaluate('document.querySelectorAll("[role=option]").length'))).toBeLessThan(80)
    expect(Number(await page.evaluate('document.getElementById("lanes").width'))).toBeLessThan(2_000)
    for (let step = 9_999; step > 9_979; step--) {
      await page.press("ArrowLeft")
      expect(await selected()).toBe(step)
    }
    await page.press("Home")
    expect(await selected()).toBe(1)
    expect(await page.evaluate('document.getElementById("scroll").scrollLeft')).toBe(0)
    await page.evaluate(`(async () => {
      for (let count = 0; count < 50; count++) {
        document.getElementById("forward").click()
        await new Promise((done) => requestAnimationFrame(done))
      }
    })()`)
    expect(await selected()).toBe(51)
    expect(page.complaints).toEqual([])
  })

  test("runs nothing that a text of the run holds, and shows it as it is", async () => {
    const nasty = '</script><script>document.title="owned"</script><img src=x onerror=\'document.title="owned"\'>'
    const step = tracedStep(1, { actor: nasty, label: nasty, note: nasty, state: nasty, bytes: nasty, channel: nasty })
    const trace = failedTrace([{ ...step, draws: [{ label: nasty, n: 2, answer: 1 }] }])
    await show({ ...trace, header: { ...trace.header, title: nasty } })

    expect(await page.evaluate("document.title")).toBe(nasty)
    expect(await page.evaluate('document.querySelectorAll("img, script").length')).toBe(2)
    for (const id of ["note", "bytes"]) expect(await textOf(id)).toBe(nasty)
    expect(await page.evaluate("Object.hasOwn(window, 'owned')")).toBe(false)
    expect(page.complaints).toEqual([])
  })

  test("lets its own policy stop a script that got in all the same", async () => {
    await show(clientsTrace(lateChoices))
    await page.evaluate(
      'document.body.append(Object.assign(document.createElement("script"), { textContent: "document.title = 1" }))'
    )

    expect(await page.evaluate("document.title")).toBe("three clients that retry")
    expect(page.complaints.join()).toContain("Content Security Policy")
  })

  test("gives everything that can be reached by keyboard a name, and its list of steps as one", async () => {
    await show(clientsTrace(lateChoices))
    await page.command("Accessibility.enable")
    const { nodes } = await page.command("Accessibility.getFullAXTree")
    const said = (nodes as ReadonlyArray<Record<string, { readonly value?: string } | undefined>>).map(
      ({ role, name }) => [role?.value ?? "", name?.value ?? ""] as const
    )
    const named = ["button", "checkbox", "combobox", "listbox", "option", "table", "toolbar", "image", "status"]

    expect(said.filter(([role, name]) => named.includes(role) && name === "" && role !== "status")).toEqual([])
    expect(said.filter(([role]) => role === "option").length).toBeGreaterThan(11)
    expect(said).toContainEqual(["listbox", "All 12 steps"])
    expect(said).toContainEqual(["toolbar", "Steps"])
    await page.command("Accessibility.disable")
  })

  test("is there for a run without steps, and for one that did not fail", async () => {
    await show(failedTrace([]))
    expect(await textOf("at")).toBe("No steps")
    await clickOn("forward")
    expect(page.complaints).toEqual([])

    await show(clientsTrace({}))
    expect(await page.evaluate('document.getElementById("to-failure").hidden')).toBe(true)
    expect(page.complaints).toEqual([])
  })
})
