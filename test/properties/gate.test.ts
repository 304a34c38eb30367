import { describe, expect, it } from "vitest"
import { mayPass, mayWait } from "../../properties/model/gate.ts"

const held = { at: 10, isHeld: true }
const opened = { at: 20, isHeld: false }
const heldAgain = { at: 20, isHeld: true }
const over = () => true

describe("the gate of the model", () => {
  it("lets pass at once while it is open", () => {
    expect(mayPass([], 5, 5)).toBe(true)
    expect(mayWait([], 5, over)).toBe(false)
  })

  it("keeps who comes while it is held until it opens", () => {
    expect(mayPass([held], 15, 15)).toBe(false)
    expect(mayWait([held], 15, over)).toBe(true)
    expect(mayPass([held, opened], 15, 20)).toBe(true)
    expect(mayWait([held, opened], 15, over)).toBe(false)
  })

  it("leaves the order open within the millisecond of a change", () => {
    expect(mayPass([held], 10, 10)).toBe(true)
    expect(mayWait([held], 10, over)).toBe(true)
    expect(mayPass([held, opened, heldAgain], 20, 20)).toBe(true)
    expect(mayWait([held, opened, heldAgain], 20, over)).toBe(true)
  })

  it("lets go whom a short opening has woken", () => {
    expect(mayPass([held, opened, heldAgain], 15, 20)).toBe(true)
    expect(mayWait([held, opened, heldAgain], 15, over)).toBe(false)
  })

  it("gives an opening until the end of its millisecond", () => {
    expect(mayWait([held, opened], 15, (since) => since < 20)).toBe(true)
  })
})
