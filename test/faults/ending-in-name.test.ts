import { expect, it } from "vitest"
import { checkScript } from "../../src/domain/check-script.ts"
import { ScriptedResponse } from "../../src/domain/scripted-response.ts"

it("a fault with an ending in its name is told where the ending goes", () => {
  const name: string = "connection_reset:rst"

  expect(() => checkScript(Reflect.apply(ScriptedResponse.fault, ScriptedResponse, [name]))).toThrow(
    'name "connection_reset" with the options { resetMode: "rst" }'
  )
})
