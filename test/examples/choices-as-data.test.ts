import fc from "fast-check"
import { arbitraries } from "llm-understudy/properties"
import { type SimWorld, withSim } from "llm-understudy/sim"
import { expect, test } from "vitest"

/** A box that asks at every key, and shows whatever answer came last. */
const typeInto = async (sim: SimWorld, texts: ReadonlyArray<string>) => {
  const server = await sim.startServer()
  let shown = ""
  const ask = async (content: string) => {
    const response = await sim.fetch("box")(`${server.url()}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "tide-1", messages: [{ role: "user", content }] })
    })
    const reply = JSON.parse(await response.text())
    shown = reply.choices[0].message.content
  }
  await Promise.all(texts.map(ask))
  if (texts.length > 0) expect(shown).toBe(`Echo: ${texts.at(-1)}`)
}

test("what was typed and what the network did shrink together", async () => {
  const keys = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/))
  const property = fc.asyncProperty(keys, arbitraries.choices(), (texts, choice) =>
    withSim({ choice }, (sim) => typeInto(sim, texts))
  )

  const { counterexample } = await fc.check(property, { seed: 1 })

  const [texts = [], choices = []] = counterexample ?? []
  expect(texts).toHaveLength(2) // two keys, and one choice that is not calm: the first answer comes later than the second
  expect(choices.flat().filter((answer) => answer !== 0)).toHaveLength(1)
})
