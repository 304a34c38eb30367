import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { applyScenario } from "../../src/inference/scenario-apply.ts"
import { readScenario } from "../../src/inference/scenario-script.ts"
import { startVirtualServer } from "../../src/sim.ts"

const page = readFileSync(new URL("../../docs/scenarios.md", import.meta.url), "utf8")

test("the scenario of the page is one, and a server plays it", () => {
  const [, yaml = ""] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? []
  const reading = readScenario(parse(yaml))
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems))
  const { server, http, clock } = startVirtualServer()

  applyScenario(server, reading.script)
  const ask = (headers: ReadonlyArray<readonly [string, string]>) =>
    http.connect().request({
      method: "POST",
      target: "/v1/chat/completions",
      headers: [["content-type", "application/json"], ...headers],
      body: '{"stream":true}'
    })
  const tool = ask([["x-grok-turn-idx", "1"]])
  const limited = ask([])
  clock.advance(1_000)

  expect(tool.text()).toContain('"name":"get_weather"')
  expect([limited.status, new Map(limited.headers).get("retry-after")]).toEqual([429, "1"])
})
