import fc from "fast-check"
import { expect, test } from "vitest"
import { AgentClosed, RequestTimeout } from "../src/domain/harness-errors.ts"
import type { SimStep } from "../src/sim/process-script.ts"
import { memberToken } from "../src/wire/acp/member-token.ts"
import { cutAt, cuts, lineBytes } from "./arbitraries/acp-lines.ts"
import { rawLines, rawScenes, sendCommands, waitedIds } from "./arbitraries/raw-scenes.ts"
import { checkProperty } from "./check.ts"
import { type ModelOutcome, makeRawModel } from "./model/raw-client.ts"
import type { AgentStage } from "./observation/agent-stage.ts"
import { forever, makeRawStage, pauses, says } from "./observation/raw-stage.ts"
import type { Settled } from "./observation/settling.ts"

const tokenOf = (line: string): string => memberToken(line, "id") ?? ""

const refusal = (idToken: string): string =>
  `{"jsonrpc":"2.0","id":${idToken},"error":{"code":-32601,"message":"unsupported by raw test client"}}\n`

/** What a wait has come to, in the words of the model. */
const outcomeOf = ({ value, error }: Settled): ModelOutcome | string => {
  if (error === undefined) return { kind: "found", message: value }
  const parts = /\((\d+) other messages seen(?:; last: \[(.*)\])?\)\nstderr: /s.exec(String(error))
  if (parts === null) return String(error)
  return { kind: "none", skipped: Number(parts[1]), tail: parts[2] === undefined ? [] : [parts[2]] }
}

const joined = (outcome: ModelOutcome): ModelOutcome =>
  outcome.kind === "found" ? outcome : { ...outcome, tail: [outcome.tail.join(", ")] }

/** Lets time pass, and everybody go on in it. */
const pass = async ({ clock, turns }: AgentStage, ms: number): Promise<void> => {
  const end = clock.now() + ms
  for (; clock.nextDue() <= end; clock.step()) await turns()
  clock.advance(end - clock.now())
  await turns()
}

/** Lets everything leave that was sent: no scene sends more than thirty things. */
const allSent = async ({ clock, turns }: AgentStage): Promise<void> => {
  for (let sends = 0; sends < 30; sends++) {
    clock.advance(40)
    await turns()
  }
}

// Seen to fail on these bugs, planted one at a time: an id matches in any case, or as a number; a line whose `method` is null matches;
// responses are not kept, not taken out, found last first, or kept where they are to be discarded; what is kept is not counted; the count
// goes on from wait to wait; the tail has two lines, four, the first three, or longer ones; a refusal has the id as parsed, is sent twice,
// or not where the id is null; something is said to what is no message; a wait reads on when it is over, or does not hear of lines that come
// later.
test("waits find what they are for, count and show what they pass over, and refuse requests in it (W9, W10, W12, W13, W14)", () => {
  const property = fc.asyncProperty(rawLines, waitedIds, fc.boolean(), async (lines, ids, keeps) => {
    const said = says(lines.map((line) => `${line}\n`).join(""))
    const stage = await makeRawStage({ steps: [pauses(100), said, forever] }, { discardUnmatched: !keeps })
    const model = makeRawModel(lines, { keeps, tokenOf })
    // A wait that is over by the time when lines come has no part in them.
    expect(outcomeOf(await stage.settled(stage.client.responseForId("a", { ms: 50 })))).toMatchObject({ skipped: 0 })
    stage.clock.advance(100)

    for (const id of ids) {
      const settled = await stage.settled(stage.client.responseForId(id, { ms: 100 }))

      expect(outcomeOf(settled)).toEqual(joined(model.wait(id)))
      if (settled.error !== undefined) expect(settled.error).toBeInstanceOf(RequestTimeout)
    }
    await allSent(stage)
    expect(stage.written()).toBe(model.refused.map(refusal).join(""))
    expect(stage.client.refusals().map(({ idToken }) => idToken)).toEqual(model.refused)
  })
  return checkProperty("raw waits", property, { runs: 400 })
})

/** From the end of an agent: notice of it, its pipe, its drain, and the last words of one that lives on. */
const settlesWithinMs = 1_000 + 250 + 60 * 40

// Seen to fail when the end of the output is told before lines that are left, when a last line without an end is lost, when nobody tells
// waits of the end, and on most bugs above.
test("the same comes of any pieces at any speed, and no wait outlasts its agent (W11, W15)", () => {
  const idle = fc.array(fc.constantFrom(0, 0, 60, 9_000), { minLength: 5, maxLength: 5 })
  const property = fc.asyncProperty(rawScenes, waitedIds, idle, async ({ lines, script, choices }, ids, gaps) => {
    const stage = await makeRawStage(script, {}, { choices })
    const model = makeRawModel(lines, { keeps: true, tokenOf })
    const steps = script.steps.reduce((sum, step) => sum + (step.kind === "sleep" && step.ms < 1e9 ? step.ms : 0), 0)

    for (const [index, id] of ids.entries()) {
      const asked = stage.clock.now()
      const settled = await stage.settled(stage.client.responseForId(id, { ms: 10_000_000 }))

      const expected = model.wait(id)
      const outcome = outcomeOf(settled)
      expect(outcome).toEqual(expected.kind === "found" ? expected : { ...expected, tail: [] })
      if (settled.error !== undefined) expect(settled.error).toBeInstanceOf(AgentClosed)
      expect(settled.at).toBeLessThanOrEqual(Math.max(asked, steps) + settlesWithinMs)
      await pass(stage, gaps[index] ?? 0)
    }
    expect(stage.client.refusals().map(({ idToken }) => idToken)).toEqual(model.refused)
    const { value } = await stage.settled(stage.client.close())
    expect(value).toMatchObject({ reason: expect.any(String) })
    expect([stage.releases(), stage.world.host.alive()]).toEqual([1, []])
  })
  return checkProperty("raw agents", property, { runs: 300 })
})

// Seen to fail when refusals do not wait for the gaps of others, when a send does not wait for the one before, when a chunk or a send is
// left out, and when the LF of a line is a send of its own.
test("what is sent is what was given, in order, and nothing comes between (W3)", () => {
  const asks: ReadonlyArray<SimStep> = [1, 2, 3].flatMap((id) => [pauses(7), says(`{"id":${id},"method":"ask"}\n`)])
  const property = fc.asyncProperty(sendCommands, fc.array(fc.nat(3), { maxLength: 20 }), async (commands, choices) => {
    const stage = await makeRawStage({ steps: [...asks, forever] }, {}, { choices })
    stage.client.responseForId("never", { ms: 100_000 }).catch(() => {})
    const units: Array<string> = []
    const sends: Array<Promise<void>> = []
    for (const command of commands) {
      if (command.kind === "line") {
        units.push(`${command.text}\n`)
        sends.push(stage.client.sendLine(command.text))
      } else if (command.kind === "chunks") {
        units.push(command.texts.join(""))
        sends.push(
          stage.client.sendChunks(
            command.texts.map((text) => new TextEncoder().encode(text)),
            command
          )
        )
      } else stage.clock.advance(command.ms)
      await stage.turns()
    }
    await stage.settled(Promise.all(sends))
    while (stage.client.refusals().length < 3 && stage.clock.step()) await stage.turns()
    await allSent(stage)

    expect(
      isMerge(
        stage.written(),
        units,
        [1, 2, 3].map((id) => refusal(String(id)))
      )
    ).toBe(true)
  })
  return checkProperty("raw sends", property, { runs: 300 })
})

/** Whether a text is two lists of units, each in its order, with none cut apart. */
const isMerge = (text: string, left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  if (left.length === 0 && right.length === 0) return text === ""
  return [[left, right] as const, [right, left] as const].some(([from, other]) => {
    const [unit, ...rest] = from
    return unit !== undefined && text.startsWith(unit) && isMerge(text.slice(unit.length), rest, other)
  })
}

// Seen to fail when something is said to what is no message, and when lines that are UTF-8 are told of as those that are not.
test("whatever bytes come, a valid exchange behind them works, and nothing but refusals is said (W10, W11)", () => {
  const property = fc.asyncProperty(fc.array(lineBytes, { maxLength: 3 }), cuts, async (noise, places) => {
    const bytes = Uint8Array.from(noise.flatMap((piece) => [...piece]))
    const steps = cutAt(bytes, places).map((piece): SimStep => ({ kind: "write", stream: "stdout", bytes: piece }))
    const stage = await makeRawStage({ steps: [...steps, says('\n{"id":"a","result":1}\n'), forever] })

    const { value } = await stage.settled(stage.client.responseForId("a", { ms: 100 }))

    expect(value).toEqual({ id: "a", result: 1 })
    expect(stage.written()).toBe("")
    const isBroken = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).includes("\ufffd")
    expect(stage.client.violations().length > 0).toBe(isBroken)
  })
  return checkProperty("raw noise", property, { runs: 300 })
})
