import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { afterEach, describe, expect, test } from "vitest"
import { startServe, stopAll } from "./fake-io.ts"
import { chatText, postChat } from "./requests.ts"
import { tempFolder } from "./temp-folder.ts"

const folder = tempFolder()

afterEach(stopAll)

const expectation = (name: string, text: string, more = "") =>
  `  - { name: ${name}, endpoint: ChatCompletions, kind: foreground, response: ${text}${more} }\n`

const watched = async (file: string) => {
  const command = await startServe("--scenario", file, "--watch", "--log", "jsonl")
  const reload = (ok: boolean) => command.out.record("reload", (record) => record["ok"] === ok)
  return { ...command, reload }
}

const ask = async (url: string) => chatText(await postChat(url, { tools: 2, stream: true }))

describe("--watch", () => {
  test("loads a file that was written again, and what nobody claimed is replaced", async () => {
    const file = folder.write("written.yaml", `expectations:\n${expectation("a", "old")}${expectation("b", "old too")}`)
    const { reload, url, err } = await watched(file)

    folder.write("written.yaml", `expectations:\n${expectation("c", "new")}`)

    expect(await reload(true)).toEqual({ type: "reload", file, ok: true, expectations: 1, skipped: [] })
    expect([await ask(url), await ask(url)]).toEqual(["new", "Echo: ping"])
    await err.first((line) => line === `understudy: loaded ${file} again: 1 of 1 expectations registered`)
  })

  test("loads a file that an editor replaced by another", async () => {
    const file = folder.write("renamed.yaml", "turns: [old]")
    const { reload, url } = await watched(file)

    renameSync(folder.write("renamed.yaml.swap", "turns: [new]"), file)

    await reload(true)
    expect(await ask(url)).toBe("new")
  })

  test("follows a symbolic link", async () => {
    mkdirSync(folder.path("elsewhere"))
    writeFileSync(folder.path("elsewhere/target.yaml"), "turns: [old]")
    symlinkSync(folder.path("elsewhere/target.yaml"), folder.path("link.yaml"))
    const { reload, url } = await watched(folder.path("link.yaml"))

    writeFileSync(folder.path("elsewhere/target.yaml"), "turns: [new]")

    await reload(true)
    expect(await ask(url)).toBe("new")
  })

  test("keeps the scenario it has when an edit is bad, says so, and takes the next good one", async () => {
    const file = folder.write("bad.yaml", "turns: [old]")
    const { reload, url, err } = await watched(file)

    folder.write("bad.yaml", "turns: [5]\nmodels: []")
    const refused = await reload(false)

    expect(refused).toMatchObject({ file, problems: [expect.stringContaining(`${file}:1:9 turns[0]: 5 does not fit`)] })
    await err.first((line) => line === `understudy: did not load ${file}; the scenario before stays:`)
    await err.first((line) => line.startsWith(`${file}:1:9 turns[0]: `))
    expect(await ask(url)).toBe("old")

    folder.write("bad.yaml", "turns: [new]")
    await reload(true)
    expect(await ask(url)).toBe("new")
  })

  test("changes strictness, and says what of the file needs a restart", async () => {
    const tries = "  - { name: a, endpoint: Messages, kind: auxiliary, attempts: [one, two] }\n"
    const file = folder.write("story.yaml", `strict: true\nsessions: { sessionHeader: x-a }\nexpectations:\n${tries}`)
    const { reload, url, err, out } = await watched(file)
    expect((await postChat(url)).status).toBe(400)
    await out.record("conversation", ({ sessionRule }) => sessionRule === "first user message")

    folder.write("story.yaml", "sessions: { sessionHeader: x-b }")

    expect(await reload(true)).toMatchObject({ ok: true, expectations: 0, skipped: [] })
    expect((await postChat(url, { headers: { "x-a": "ann" } })).status).toBe(200)
    await out.record(
      "conversation",
      ({ session, sessionRule }) => session === "ann" && sessionRule === "configured header"
    )
    await err.first((line) => line.startsWith("understudy: attempts are still counted: "))
    await err.first((line) => line.startsWith("understudy: sessions are told apart as before: "))
  })

  test("survives that the file is gone for a while", async () => {
    const file = folder.write("gone.yaml", "turns: [old]")
    const { reload, url } = await watched(file)

    rmSync(file)
    expect(await reload(false)).toMatchObject({ problems: [expect.stringContaining("ENOENT")] })
    folder.write("gone.yaml", "turns: [new]")
    await reload(true)

    expect(await ask(url)).toBe("new")
  })

  test("does not wait for a file that became a named pipe", async () => {
    const file = folder.write("pipe.yaml", "turns: [old]")
    const { reload, url } = await watched(file)

    execFileSync("mkfifo", [folder.path("pipe.fifo")])
    renameSync(folder.path("pipe.fifo"), file)

    expect(await reload(false)).toMatchObject({ problems: [expect.stringContaining("it is a pipe")] })
    expect(await ask(url)).toBe("old")
  })

  test("lets a running call run on, names it as left out, and registers it when the file is saved again", async () => {
    const scenario = (text: string) => `expectations:\n${expectation("held", text, ", barriers: [head]")}`
    const file = folder.write("running.yaml", scenario("old"))
    const { reload, url, out, err, type } = await watched(file)
    const answer = postChat(url, { tools: 2, stream: true })
    await out.record("phase", ({ phase }) => phase === "Blocked")

    folder.write("running.yaml", scenario("new"))
    expect(await reload(true)).toMatchObject({ expectations: 0, skipped: ["held"] })
    await err.first((line) => line.includes('left out "held": a call of that name still runs'))
    type("release held")
    expect(await chatText(await answer)).toBe("old")
    await out.record("phase", ({ phase }) => phase === "Satisfied")
    folder.write("running.yaml", scenario("new"))
    await out.record("reload", ({ expectations }) => expectations === 1)
    type("release held")

    expect(await ask(url)).toBe("new")
  })

  test("does nothing when the file is saved unchanged", async () => {
    const file = folder.write("same.yaml", "turns: [one, two]")
    const { out, url, reload } = await watched(file)
    expect(await ask(url)).toBe("one")

    folder.write("same.yaml", "turns: [one, two]")
    expect(await ask(url)).toBe("two")
    folder.write("same.yaml", "turns: [three]")
    await reload(true)

    expect(out.all.filter((line) => line.startsWith('{"type":"reload"'))).toHaveLength(1)
  })
})
