import { describe, expect, it } from "vitest"
import type { Operation } from "../../src/oracles/history.ts"
import { checkLinearizable } from "../../src/oracles/linearizability.ts"
import {
  type ClaimInput,
  claimModel,
  type QueueInput,
  queueModel,
  type RegisterInput,
  registerModel
} from "../../src/oracles/sequential-model.ts"
import { correctHistory, type HistoryShape } from "./histories.ts"

const register = registerModel(-1)

const registerHistory = (shape: HistoryShape) =>
  correctHistory<number, RegisterInput<number>, number | null>(shape, {
    model: register,
    ask: (index, below) => (below(2) === 0 ? { type: "write", value: index } : { type: "read" }),
    answer: (state, input) => (input.type === "read" ? state : null)
  })

const queueHistory = (shape: HistoryShape) =>
  correctHistory<ReadonlyArray<number>, QueueInput<number>, number | null>(shape, {
    model: queueModel<number>(),
    ask: (index, below) => (below(2) === 0 ? { type: "enqueue", value: index } : { type: "dequeue" }),
    answer: (state, input) => (input.type === "dequeue" ? (state[0] ?? null) : null)
  })

/** An operation from `called` to `at`; without an answer it is pending. */
const op = <I, O>(
  process: string,
  input: I,
  [called, at]: readonly [number, number?],
  output?: O
): Operation<I, O> => ({
  process,
  input,
  called,
  returned: at === undefined || output === undefined ? null : { at, output }
})

const claims = (...operations: ReadonlyArray<Operation<ClaimInput, boolean>>) =>
  checkLinearizable([op("test", { type: "register" }, [-2, -1], true), ...operations], claimModel)

const claim = (process: string, span: readonly [number, number?], output?: boolean) =>
  op<ClaimInput, boolean>(process, { type: "claim" }, span, output)

describe("A claim, as a test-and-set", () => {
  it("is won by one of those that overlap", () => {
    expect(claims(claim("a", [0, 5], true), claim("b", [1, 9], false)).type).toBe("linearizable")
    expect(claims(claim("a", [0, 5], false), claim("b", [1, 9], true)).type).toBe("linearizable")
  })

  it("is not won twice", () => {
    const found = claims(claim("a", [0, 5], true), claim("b", [1, 9], true))
    expect(found).toMatchObject({ type: "violated", operation: { process: "b" }, states: ["taken"] })
  })

  it("is not lost before somebody could have won it", () => {
    expect(claims(claim("b", [0, 1], false), claim("a", [2, 5], true)).type).toBe("violated")
    expect(claims(claim("a", [0, 1], false)).type).toBe("violated")
  })

  it("may be lost to one that is pending", () => {
    expect(claims(claim("a", [0]), claim("b", [1, 2], false)).type).toBe("linearizable")
    expect(claims(claim("a", [3]), claim("b", [1, 2], false)).type).toBe("violated")
  })

  it("is lost when it was taken back, and before it was there", () => {
    const retire = op<ClaimInput, boolean>("test", { type: "retire" }, [0, 1], true)
    expect(claims(retire, claim("a", [2, 3], false)).type).toBe("linearizable")
    expect(claims(retire, claim("a", [2, 3], true)).type).toBe("violated")
    expect(claims(claim("a", [-4, -3], false), claim("b", [0, 1], true)).type).toBe("linearizable")
  })
})

describe("A register", () => {
  const write = (value: number, span: readonly [number, number?]) =>
    op<RegisterInput<number>, number | null>(`w${value}`, { type: "write", value }, span, null)
  const read = (value: number, span: readonly [number, number]) =>
    op<RegisterInput<number>, number | null>("r", { type: "read" }, span, value)
  const check = (...operations: ReadonlyArray<Operation<RegisterInput<number>, number | null>>) =>
    checkLinearizable(operations, register).type

  it("shows what was written before or meanwhile", () => {
    expect(check(write(1, [0, 9]), read(-1, [1, 2]), read(1, [3, 4]))).toBe("linearizable")
    expect(check(write(1, [0, 1]), write(2, [2, 3]), read(2, [4, 5]))).toBe("linearizable")
  })

  it("does not go back", () => {
    expect(check(write(1, [0, 9]), read(1, [1, 2]), read(-1, [3, 4]))).toBe("violated")
    expect(check(write(1, [0, 1]), write(2, [2, 3]), read(1, [4, 5]))).toBe("violated")
  })

  it("shows a write that never returned, or never does", () => {
    expect(check(write(1, [0]), read(-1, [1, 2]), read(1, [3, 4]), read(1, [5, 6]))).toBe("linearizable")
    expect(check(write(1, [0]), read(-1, [1, 2]))).toBe("linearizable")
    expect(check(write(1, [3]), read(1, [1, 2]))).toBe("violated")
  })

  it("counts operations that touch as overlapping", () => {
    expect(check(write(1, [0, 1]), read(-1, [1, 2]))).toBe("linearizable")
  })
})

describe("A queue", () => {
  const put = (value: number, span: readonly [number, number?]) =>
    op<QueueInput<number>, number | null>("p", { type: "enqueue", value }, span, null)
  const take = (value: number | null, span: readonly [number, number]) =>
    op<QueueInput<number>, number | null>("t", { type: "dequeue" }, span, value)
  const check = (...operations: ReadonlyArray<Operation<QueueInput<number>, number | null>>) =>
    checkLinearizable(operations, queueModel<number>()).type

  it("gives in order what came in order, and either of what came together", () => {
    expect(check(put(1, [0, 1]), put(2, [2, 3]), take(1, [4, 5]), take(2, [6, 7]), take(null, [8, 9]))).toBe(
      "linearizable"
    )
    expect(check(put(1, [0, 3]), put(2, [0, 3]), take(2, [4, 5]), take(1, [6, 7]))).toBe("linearizable")
  })

  it("gives nothing twice, out of order, or that nobody put in", () => {
    expect(check(put(1, [0, 1]), put(2, [2, 3]), take(2, [4, 5]))).toBe("violated")
    expect(check(put(1, [0, 1]), take(1, [2, 3]), take(1, [4, 5]))).toBe("violated")
    expect(check(put(1, [0, 1]), take(7, [2, 3]))).toBe("violated")
    expect(check(put(1, [0, 1]), take(null, [2, 3]))).toBe("violated")
  })
})

describe("A failing history", () => {
  it("is shown as its shortest failing prefix, in which later returns are pending", () => {
    const history = registerHistory({ operations: 600, clients: 8, seed: 5 })
    const corrupted = history.findIndex(({ input, called }) => input.type === "read" && called > 40)
    const broken = history.map((operation, index) =>
      index === corrupted && operation.returned !== null
        ? { ...operation, returned: { at: operation.returned.at, output: 1e9 } }
        : operation
    )
    const found = checkLinearizable(broken, register, { operationsMax: 600 })
    if (found.type !== "violated") throw new Error(found.type)

    const at = found.operation.returned?.at ?? 0
    expect(found.operation).toBe(broken[corrupted])
    expect(found.prefix.every(({ called, returned }) => called <= at && (returned?.at ?? 0) <= at)).toBe(true)
    expect(found.prefix.length).toBeLessThan(200)
    expect(found.states.length).toBeGreaterThan(0)
    expect(found.steps).toBeLessThan(100_000)
  })

  it("ends where it fails by what has returned, although the search knows what will", () => {
    // What fails as a whole at the return of `b` can still be explained there: `a` may yet win.
    const history = [
      op("test", { type: "register" } as ClaimInput, [0, 1], true),
      claim("a", [2, 9], false),
      claim("b", [3, 4], false)
    ]
    expect(checkLinearizable(history, claimModel)).toMatchObject({ type: "violated", operation: { process: "a" } })
  })

  it("is that of the key that fails first", () => {
    const lost = (key: string, at: number) => [
      { ...op("test", { type: "register" } as ClaimInput, [0, 1], true), key },
      { ...claim(key, [at, at + 1], false), key }
    ]
    expect(checkLinearizable([...lost("late", 50), ...lost("early", 20)], claimModel)).toMatchObject({ key: "early" })
  })
})

describe("The cost of a check", () => {
  it.each([1, 2, 3])("of 600 operations of 8 clients on 8 keys is below 5,000 steps (seed %d)", (seed) => {
    const shape = { operations: 600, clients: 8, seed, keys: 8 }
    for (const found of [
      checkLinearizable(registerHistory(shape), register),
      checkLinearizable(queueHistory(shape), queueModel<number>())
    ]) {
      expect(found.type).toBe("linearizable")
      expect(found.steps).toBeLessThan(5_000)
    }
  })

  it.each([1, 2, 3])("of 600 operations of 8 clients on one register is below 60,000 steps (seed %d)", (seed) => {
    const history = registerHistory({ operations: 600, clients: 8, seed })
    const found = checkLinearizable(history, register, { operationsMax: 600 })
    expect(found.type).toBe("linearizable")
    expect(found.steps).toBeLessThan(60_000)
  })

  it("is bounded: what was not seen is undecided", () => {
    const history = registerHistory({ operations: 600, clients: 8, seed: 1 })
    expect(checkLinearizable(history, register)).toMatchObject({ type: "undecided", keys: ["k0"] })
    expect(checkLinearizable(history, register, { operationsMax: 600, stepsMax: 500 })).toEqual({
      type: "undecided",
      keys: ["k0"],
      steps: 500
    })
  })

  it("does not judge what overlaps with an operation that is left out", () => {
    const read = op<RegisterInput<number>, number | null>("r", { type: "read" }, [0, 9], 1)
    const write = op<RegisterInput<number>, number | null>("w", { type: "write", value: 1 }, [1, 2], null)
    expect(checkLinearizable([read, write], register, { operationsMax: 1 }).type).toBe("undecided")
    expect(checkLinearizable([read, write], register).type).toBe("linearizable")
  })

  it("finds a failure among the first hundred of a longer history", () => {
    const history = registerHistory({ operations: 600, clients: 8, seed: 1 })
    const broken = history.map((operation, index) =>
      index === 20 && operation.returned !== null
        ? { ...operation, input: { type: "read" as const }, returned: { at: operation.returned.at, output: 1e9 } }
        : operation
    )
    expect(checkLinearizable(broken, register).type).toBe("violated")
  })
})
