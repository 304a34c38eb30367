import { readFileSync, readlinkSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { textsOf } from "../harness/fake-agent/fake-agent-world.ts"
import { fakeAgentProcesses } from "./fake-agent-running.ts"
import { startServe } from "./fake-io.ts"

/* The fake agent as its users have it: a process. What its script does in detail is tested in virtual time. */

const { start, folder } = fakeAgentProcesses()

describe("a session with a process", () => {
  test("ends with the input, with exit code 0", async () => {
    const agent = start([])
    await agent.prompt("say héllo")

    expect(await agent.response(2)).toMatchObject({ result: { stopReason: "end_turn" } })
    expect(textsOf(agent.out.all)).toEqual(["Echo: ", "say héllo"])
    agent.child.stdin.end()
    expect(await agent.ended).toBe(0)
  })

  test("has the model of a mock answer", async () => {
    const { url } = await startServe()
    const agent = start(["--via-mock"], { FIXTURE_MOCK_URL: url, FIXTURE_API_KEY: "k" })
    await agent.prompt("hello")

    expect(await agent.response(2)).toMatchObject({ result: { stopReason: "end_turn" } })
    expect(textsOf(agent.out.all).join("")).toBe("Echo: hello")
  })

  test("tells when the model is not there", async () => {
    const agent = start(["--via-mock", "--mock-url", "http://127.0.0.1:9/v1"])
    await agent.prompt("hello")

    expect(await agent.response(2)).toMatchObject({ error: { code: -32603 } })
  })

  test("is kept in a folder, and found by the next process", async () => {
    const words = ["--persist", "--home", folder.path("home")]
    const first = start(words)
    await first.prompt("remember")
    await first.response(2)
    first.child.kill("SIGKILL")
    const second = start(words)
    second.request(1, "session/load", { sessionId: "session-1", cwd: "/", mcpServers: [] })
    await second.response(1)

    expect(textsOf(second.out.all)).toEqual(["remember", "Echo: remember"])
  })

  test("is written down, and said again to another client", async () => {
    const file = folder.path("session.jsonl")
    const agent = start(["--record", file], { SECRET_TOKEN: "hush-hush" })
    await agent.prompt("hush-hush")
    await agent.response(2)
    agent.child.stdin.end()
    await agent.ended
    const replayed = start(["--replay", file])
    replayed.request("a", "session/new")
    await replayed.response("a")
    replayed.request("b", "session/prompt")

    expect(await replayed.response("b")).toMatchObject({ result: { stopReason: "end_turn" } })
    expect(textsOf(replayed.out.all)).toEqual(["Echo: ", "<redacted>"])
    expect(readFileSync(file, "utf8")).not.toContain("hush-hush")
    replayed.request("c", "session/list")
    expect(await replayed.ended).toBe(1)
    expect(replayed.err.all[0]).toMatch(
      /^line 3 of the client is a request session\/list, but nothing more was recorded/
    )
  })
})

describe("ends", () => {
  test.each([
    [["--exit-on", "session/prompt@1=3"], 3],
    [["--crash-signal", "SIGABRT"], "SIGABRT"],
    [["--crash-on", "session/new=SIGKILL"], "SIGKILL"]
  ])("%j", async (words, end) => {
    const agent = start(words)
    agent.prompt("hello").catch(() => {})

    expect(await agent.ended).toBe(end)
  })

  test("a closed output, while the process goes on", async () => {
    const agent = start(["--close-output-on", "session/new", "--log-input", folder.path("after-close")])
    const closed = new Promise((resolve) => agent.child.stdout.once("end", resolve))
    agent.request(1, "session/new", { cwd: "/" })
    await closed
    agent.request(2, "session/list")
    agent.child.stdin.end()

    expect(await agent.ended).toBe(0)
    expect(agent.out.all).toEqual([])
    expect(readFileSync(folder.path("after-close"), "utf8").split("\n")).toHaveLength(3)
  })

  test("not by SIGTERM, and not with the input, if it is to stay", async () => {
    const agent = start(["--ignore-term", "--ignore-eof"])
    agent.request(1, "session/list")
    await agent.response(1)
    agent.child.kill("SIGTERM")
    agent.request(2, "session/list")
    await agent.response(2)
    agent.child.stdin.end()
    agent.child.kill("SIGKILL")

    expect(await agent.ended).toBe("SIGKILL")
  })

  test("by SIGTERM, if nothing was said", async () => {
    const agent = start([])
    agent.request(1, "session/list")
    await agent.response(1)
    agent.child.kill("SIGTERM")

    expect(await agent.ended).toBe("SIGTERM")
  })
})

/** The process group of a process, as Linux shows it behind the name. */
const groupOf = (pid = 0): string =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")[2] ?? ""

describe("surroundings", () => {
  test.each(["group", "detached", "holds-stdout"])("a grandchild: %s", async (kind) => {
    const agent = start(["--grandchild", kind])
    const line = await agent.err.first((one) => one.startsWith("grandchild "))
    const pid = Number(line.split(" ")[1])

    expect(process.kill(pid, 0)).toBe(true)
    if (process.platform === "linux") {
      expect(groupOf(pid) === groupOf(agent.child.pid)).toBe(kind !== "detached")
      const held = readlinkSync(`/proc/${agent.child.pid}/fd/1`)
      expect(readlinkSync(`/proc/${pid}/fd/1`) === held).toBe(kind === "holds-stdout")
    }
    process.kill(pid, "SIGKILL")
  })

  test("the environment that it was given", async () => {
    const agent = start(["--print-env"], { SOMETHING: "x y" })

    expect(await agent.ended).toBe(0)
    expect(JSON.parse(agent.out.all[0] ?? "")).toMatchObject({ SOMETHING: "x y" })
  })

  test("every byte that it read", async () => {
    const agent = start([], { FIXTURE_LOG_INPUT: folder.path("input") })
    agent.send('{"jsonrpc":"2.0","id":"A","method":"session\\/list"} ')
    await agent.response("A")

    expect(readFileSync(folder.path("input"), "utf8")).toBe('{"jsonrpc":"2.0","id":"A","method":"session\\/list"} \n')
  })

  test("options from a file, from variables and from the command line, together", async () => {
    const file = folder.write(
      "script.json",
      JSON.stringify({ stderr: ["from the file"], answer: { kind: "text", text: "a" } })
    )
    const agent = start(["--script", file, "--stderr=from the line"], { FIXTURE_CHUNKS: "3", FIXTURE_ONE_WRITE: "0" })
    await agent.prompt("hello")
    await agent.response(2)

    expect(textsOf(agent.out.all)).toEqual(["a", "", ""])
    expect(agent.err.all).toEqual(["from the file", "from the line"])
  })
})

describe("headless", () => {
  test.each([
    [[], ["Echo: --x"]],
    [
      ["--output-format", "ndjson"],
      ['{"type":"text","text":"Echo: "}', '{"type":"text","text":"--x"}', expect.stringContaining("end")]
    ]
  ])("%j prints the answer", async (words, lines) => {
    const agent = start(["-p", "--x", ...words])

    expect(await agent.ended).toBe(0)
    expect(agent.out.all).toEqual(lines)
  })

  test("tells the cause of a failure on stderr", async () => {
    const agent = start(["-p", "x", "--error", "session/prompt=-1:out of luck"])

    expect(await agent.ended).toBe(1)
    expect([agent.out.all, agent.err.all]).toEqual([[], ["error -1: out of luck"]])
  })
})

test.each([
  [["--delay", "session/prompt"], '--delay is "session/prompt"; give METHOD, METHOD#N'],
  [["--silent", "initialize@2"], '--silent is for "initialize@2"; give METHOD'],
  [["--ask-permission", "allow"], "--ask-permission is"],
  [["--ext-notify", "round=x"], "--ext-notify is"],
  [["--via-mock"], "--via-mock needs a model to ask"],
  [["--echo", "--answer", "x"], "--echo and --answer exclude each other"],
  [["--persist"], "--persist needs a place"],
  [["--replay", "x", "--echo"], "--replay stands alone; leave out --echo"],
  [["--script", "/nowhere.json"], 'cannot use "/nowhere.json"'],
  [["--script", "/dev/zero"], 'cannot use "/dev/zero": it is larger than 4194304 bytes'],
  [["--script", "/"], 'cannot use "/": it is a folder; give a file']
])("%j is refused", async (words, message) => {
  const agent = start(words)

  expect(await agent.ended).toBe(2)
  expect(agent.err.all[0]).toContain(message)
})
