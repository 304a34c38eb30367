import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"

/** **Fails** with `InvalidOption` for what is no number of milliseconds from 0. */
export const checkedSleep = (ms: number): number => {
  if (typeof ms === "number" && ms >= 0) return ms
  throw new InvalidOption(`sim.sleep(ms): ms is ${describe(ms)}; give a number of milliseconds from 0`)
}

/** **Fails** with `InvalidOption` for what cannot be drawn from. */
export const checkedDraw = (n: number, label: string): number => {
  if (Number.isInteger(n) && n >= 1 && typeof label === "string") return n
  throw new InvalidOption(
    `sim.choice.draw(n, label): got ${describe(n)} and ${describe(label)}; give a whole number from 1 and a text`
  )
}
