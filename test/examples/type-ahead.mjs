/** A box that asks at every key, and shows whatever answer came last. */
export const typeAhead = {
  name: "type ahead",
  options: { runs: 300 },
  run: async (sim) => {
    const server = await sim.startServer()
    let shown = ""
    const ask = async (content) => {
      const response = await sim.fetch("box")(`${server.url()}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "tide-1", messages: [{ role: "user", content }] })
      })
      shown = (await response.json()).choices[0].message.content
    }
    await Promise.all(["t", "ti", "tide"].map(ask))
    if (shown !== "Echo: tide") throw new Error(`the box shows ${shown}`)
  }
}
