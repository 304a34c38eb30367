import { InvalidOption } from "../domain/errors.ts"
import { describe } from "../domain/json.ts"
import { aName, check, type OptionCheck, shown, someText, yesOrNo } from "../domain/option-checks.ts"
import { pairCheck } from "./network-checks.ts"

/** **Fails** with `InvalidOption` for what is no number of milliseconds from 0. */
export const checkedSleep = (ms: number): number => {
  if (typeof ms === "number" && ms >= 0) return ms
  throw new InvalidOption(`sim.sleep(ms): ms is ${describe(ms)}; give a number of milliseconds from 0`)
}

/** **Fails** with `InvalidOption` for what cannot be drawn from. */
export const checkedDraw = (n: number, label: string, calmWeight = 1): number => {
  if (!(Number.isInteger(calmWeight) && calmWeight >= 1)) {
    throw new InvalidOption(
      `sim.choice.draw(n, label, calmWeight): calmWeight is ${describe(calmWeight)}; give a whole number from 1`
    )
  }
  if (Number.isInteger(n) && n >= 1 && typeof label === "string") return n
  throw new InvalidOption(
    `sim.choice.draw(n, label): got ${describe(n)} and ${describe(label)}; give a whole number from 1 and a text`
  )
}

/** Checks one argument of a call of the world. **Fails** with `InvalidOption` */
const argument =
  (call: string, path: string, one: OptionCheck) =>
  <A>(value: A): A => {
    const problem = one(value, path)
    if (problem === null) return value
    throw new InvalidOption(`${call}: ${problem}`)
  }

const aText: OptionCheck = check((value) => typeof value === "string", "a text")

/** What `fetch` itself would take; `null` for anything else. */
const addressIn = (value: unknown): string | null => {
  if (value instanceof Request) return value.url
  if (value instanceof URL) return value.href
  return typeof value === "string" && /^(https?:|\/)/i.test(value) ? value : null
}

const aFetcher: OptionCheck = (value, path) => {
  const address = addressIn(value)
  return address === null
    ? aName(value, path)
    : `${path} is an address, ${shown(address)}; what sim.fetch() gives takes it: sim.fetch("ann")(url)`
}

const aBody = (example: string): OptionCheck => check((value) => typeof value === "function", `a function, ${example}`)

/** The arguments of the world's functions that a slip would else make fail late, elsewhere, or not at all. */
export const checked = {
  fetch: argument("sim.fetch(client)", "client", aFetcher),
  dispatcher: argument("sim.dispatcher(client)", "client", aName),
  connector: argument("sim.connector(client)", "client", aName),
  asClient: argument("sim.as(client, body)", "client", aName),
  asBody: argument("sim.as(client, body)", "body", aBody("() => ...")),
  note: argument("sim.note(text)", "text", aText),
  sometimes: argument("sim.sometimes(goal, holds)", "goal", someText),
  holds: argument("sim.sometimes(goal, holds)", "holds", yesOrNo),
  cover: argument("sim.cover(tuple)", "tuple", aText),
  stateOf: argument("sim.stateOf(state)", "state", aBody('() => "..."')),
  onEnd: argument("sim.onEnd(close)", "close", aBody("async () => { ... }")),
  onHang: argument("sim.onHang(waiting)", "waiting", aBody('() => ["ann waits for bob"]')),
  socketPair: argument("sim.socketPair(name, options)", "name", aName),
  socketOptions: argument("sim.socketPair(name, options)", "", pairCheck),
  stdioPair: argument("sim.stdioPair(name, options)", "name", aName),
  stdioOptions: argument("sim.stdioPair(name, options)", "", pairCheck),
  callClient: argument("sim.call(client, body)", "client", aName),
  callBody: argument("sim.call(client, body)", "body", aBody("async (call) => { ... }")),
  tool: argument("call.tool(id, work)", "id", someText),
  toolWork: argument("call.tool(id, work)", "work", aBody("async () => { ... }"))
} as const
