import { type Monitor, simTest } from "llm-understudy/sim"

/** A law of one's own: nobody takes the coin while somebody has it. `hot` says what must still happen, `fail` what is broken. */
const oneHolder: Monitor<{ holder: string | null; broken: string | null }> = {
  name: "one-holder",
  init: () => ({ holder: null, broken: null }),
  on(event, state) {
    if (event.type !== "told") return state
    if (event.what === "takes the coin" && state.holder !== null)
      return { ...state, broken: `${event.actor} took the coin of ${state.holder}` }
    return { ...state, holder: event.what === "takes the coin" ? event.actor : null }
  },
  hot: ({ holder }) =>
    holder === null ? [] : [{ what: "a coin is kept", who: holder, waitsFor: "its holder, to give it back", since: 0 }],
  fail: ({ broken }) => broken ?? undefined
}

simTest("a coin has one holder at a time", { runs: 100, judge: { oracles: [oneHolder] } }, async (sim) => {
  let queue = Promise.resolve()
  const hold = async (name: string) => {
    sim.tell({ type: "told", what: "takes the coin" }, name)
    await sim.sleep(sim.choice.draw(3, `${name}/holds`) * 10)
    sim.tell({ type: "told", what: "gives it back" }, name)
  }
  for (const name of ["ann", "bob", "cat"]) queue = queue.then(() => hold(name))
  await queue
})
