import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { agentCommands } from "./agent-running.ts"

/* The command as people have it, with the fake agent of this package. */

const { start, finish, write, folder } = agentCommands()

const args = (...words: ReadonlyArray<string>): ReadonlyArray<string> => words.map((word) => `--agent-arg=${word}`)

describe("one prompt in a headless run", () => {
  test("prints the answer on stdout, and what the mock saw on stderr, and leaves no sandbox", async () => {
    const { code, out, err, sandboxes } = await finish(["fixture", "--prompt", "say hello", ...args("--via-mock")])

    expect([code, out]).toEqual([0, "Echo: say hello"])
    expect(err).toMatch(/^exit code 0 after \d+ ms$/m)
    expect(err).toMatch(/^POST {4}\/v1\/chat\/completions {2}auxiliary {2}echo {7}200 +\d+$/m)
    expect(sandboxes()).toEqual([])
  })

  test("gives one record with --json, and nothing else", async () => {
    const { out, err, code } = await finish(["fixture", "--prompt", "x", "--json", ...args("--via-mock")])

    expect([code, err]).toEqual([0, ""])
    expect(JSON.parse(out)).toMatchObject({
      type: "agent",
      ok: true,
      profile: "fixture",
      mode: "headless",
      answer: "Echo: x",
      exitCode: 0,
      problems: [],
      sandbox: null,
      requests: [{ method: "POST", kind: "auxiliary", answer: "echo", status: 200, outcome: "completed" }]
    })
  })

  test("prints what the agent printed where a format was asked for", async () => {
    const { code, out } = await finish(["fixture", "--prompt", "x", "--format", "ndjson"])

    expect(code).toBe(0)
    expect(out.split("\n")[0]).toBe('{"type":"text","text":"Echo: "}')
  })

  test("has failed when the agent has, with the ends of both streams, and no secret", async () => {
    const failing = args("--exit-on", "session/prompt=3", "--stderr", "boom hush-hush")
    const { code, out, err } = await finish(["fixture", "--prompt", "x", "--env=MY_TOKEN=hush-hush", ...failing])

    expect([code, out]).toEqual([1, ""])
    expect(err).toContain(
      "fixture ended with exit code 3\nits stdout was empty\nthe end of its stderr:\n  boom <redacted>\n"
    )
  })

  test("has failed when the agent prints no answer, or is too slow", async () => {
    const silent = await finish(["fixture", "--prompt", "x", ...args("--answer", "")])
    const slow = await finish(["fixture", "--prompt", "x", "--timeout", "1", ...args("--silent", "session/prompt")])

    expect([silent.code, slow.code]).toEqual([1, 1])
    expect(silent.err).toContain("ended with exit code 0, and printed no answer")
    expect(slow.err).toContain("was killed, for it had not ended after 1 ms")
  })

  test("keeps the sandbox that it is told to keep, with its repository", async () => {
    const { out, err, sandboxes } = await finish(["fixture", "--prompt", "x", "--keep", "--git", "--json"])
    const { sandbox } = JSON.parse(out)

    expect(sandboxes()).toEqual([expect.stringMatching(/^us-/)])
    expect(err).toBe(`the sandbox is kept: ${sandbox}`)
    expect(readFileSync(`${sandbox}/workspace/README.md`, "utf8")).toBe("test file\n")
  })
})

describe("one turn over ACP", () => {
  test("tells what the agent says and does, and how it was answered", async () => {
    const asking = args("--ask-permission", "reject_once,allow_once")
    const { code, out, err, sandboxes } = await finish(["fixture", "--acp", "--prompt", "x", ...asking])

    expect([code, out, sandboxes()]).toEqual([0, "Echo: x", []])
    expect(err).toContain("  permission for do something: allow_once (allow_once)\n  end_turn, ")
    expect(err).toMatch(/^initialize \d+ ms, session \d+ ms, turn \d+ ms$/m)
  })

  test("rejects, or asks a person, where it is told to", async () => {
    const asking = [
      "fixture",
      "--acp",
      "--prompt",
      "x",
      ...args("--ask-permission", "reject_once,allow_once"),
      "--json"
    ]
    const rejected = await finish([...asking, "--permissions", "reject"])
    const person = start([...asking, "--permissions", "ask"])
    await person.err.first((line) => line === "  2  allow_once (allow_once)")
    person.child.stdin.write("9\n2\n")
    await person.ended
    const nobody = await finish([...asking, "--permissions", "ask"])

    const answers = [rejected.out, person.out.all[0] ?? "", nobody.out].map(
      (line) => JSON.parse(line).turns[0].permissions[0].answer
    )
    expect(answers).toEqual(["reject_once (reject_once)", "allow_once (allow_once)", "cancelled"])
    expect(person.err.all).toContain('there is no answer "9"; give a number from 1 to 2')
  })

  test("has failed when the agent ends, by the call that it was in, with the ends of both streams", async () => {
    const crash = args("--crash-on", "session/new=SIGABRT", "--stderr", "boom", "--pollute", "before=npm warn")
    const { code, err, sandboxes } = await finish(["fixture", "--acp", "--prompt", "x", ...crash])

    expect([code, sandboxes()]).toEqual([1, []])
    expect(err).toContain(
      "understudy agent: fixture agent stdio has ended with signal SIGABRT\nthe end of its stdout:\n"
    )
    expect(err).toContain("  npm warn\n")
    expect(err).toContain("the end of its stderr:\n  boom\n")
  })

  test("has failed when the agent does not come as far as a turn in its time", async () => {
    const silent = args("--silent", "initialize")
    const { code, err } = await finish(["fixture", "--acp", "--prompt", "x", "--timeout", "1", ...silent])

    expect(code).toBe(1)
    expect(err).toMatch(/initialize .*\b1 ms/)
  })

  test("fails with an error of the agent, and with a stop reason that is no end", async () => {
    const words = ["fixture", "--acp", "--prompt", "x", "--json"]
    const failed = await finish([...words, ...args("--error", "session/prompt=-32000:no luck")])

    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({
      ok: false,
      problems: ["prompt was answered with error -32000: no luck"],
      turns: [{ ok: false, stopReason: null }]
    })
  })
})

describe("answers of a scenario", () => {
  const scenario = (strict: boolean): string =>
    write(
      `strict-${strict}.yaml`,
      `strict: ${strict}\nturns: [a]\nexpectations:\n  - name: greeting\n    endpoint: ChatCompletions\n    kind: auxiliary\n    response: { text: Ahoy }\n    times: 2\n`
    )

  test("are given by name, and a strict one has to be used up", async () => {
    const words = ["fixture", "--prompt", "x", ...args("--via-mock")]
    const loose = await finish([...words, "--scenario", scenario(false)])
    const strict = await finish([...words, "--scenario", scenario(true)])

    expect([loose.code, loose.out, strict.code, strict.out]).toEqual([0, "Ahoy", 1, "Ahoy"])
    expect(loose.err).toContain("  greeting#1  ")
    expect(strict.err).toContain("expectation `greeting#2` (state: Pending)")
  })
})

describe("a trace", () => {
  test("holds the events of the mock, the lines of the wire and the steps of the process, without secrets", async () => {
    const file = folder.path("trace.jsonl")
    const words = ["--env=MY_TOKEN=hush-hush", "--trace", file, ...args("--via-mock", "--ask-ext", "fixture/x")]
    const { code } = await finish(["fixture", "--acp", "--prompt", "say hush-hush", ...words])
    const text = readFileSync(file, "utf8")
    const lines: ReadonlyArray<Record<string, unknown>> = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))

    expect(code).toBe(0)
    expect(text).not.toContain("hush-hush")
    expect(lines[0]).toMatchObject({ from: "run", profile: "fixture", mode: "acp" })
    expect(lines).toContainEqual(expect.objectContaining({ from: "mock", type: "decision", source: "mode" }))
    expect(lines).toContainEqual(expect.objectContaining({ chart: "owned-process", event: "spawned", from: "harness" }))
    expect(lines).toContainEqual(expect.objectContaining({ chart: "owned-process", state: "reaped" }))
    const prompt = lines.find(({ from, text }) => from === "wire" && String(text).includes('"session/prompt"'))
    expect(prompt).toMatchObject({ direction: "out", text: expect.stringContaining("say <redacted>") })
    const times = lines.flatMap(({ at }) => (typeof at === "number" ? [at] : []))
    expect(times).toEqual([...times].sort((left, right) => left - right))
  })

  test("holds the output of a headless run", async () => {
    const file = folder.path("headless.jsonl")
    await finish(["fixture", "--prompt", "x", "--trace", file])

    expect(readFileSync(file, "utf8")).toMatch(
      /"from":"output","at":[\d.]+,"stream":"stdout","isCut":false,"text":"Echo: x\\n"/
    )
  })
})
