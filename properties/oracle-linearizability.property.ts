import fc from "fast-check"
import { expect, test } from "vitest"
import { type Operation, prefixUntil } from "../src/oracles/history.ts"
import { checkLinearizable } from "../src/oracles/linearizability.ts"
import {
  type ClaimInput,
  claimModel,
  type QueueInput,
  queueModel,
  type RegisterInput,
  registerModel,
  type SequentialModel
} from "../src/oracles/sequential-model.ts"
import { concurrentHistories } from "./arbitraries/concurrent-histories.ts"
import { checkProperty } from "./check.ts"

/** Tries every order of the operations, by the definition and nothing else. */
const isExplained = <S, I, O>(
  left: ReadonlyArray<Operation<I, O>>,
  model: SequentialModel<S, I, O>,
  state: S
): boolean => {
  if (left.every(({ returned }) => returned === null)) return true
  return left.some((operation) => {
    const isFirst = left.every(({ returned }) => returned === null || returned.at >= operation.called)
    const next = isFirst ? model.step(state, operation.input, operation.returned) : null
    return (
      next !== null &&
      isExplained(
        left.filter((other) => other !== operation),
        model,
        next
      )
    )
  })
}

const agrees = <S, I, O>(history: ReadonlyArray<Operation<I, O>>, model: SequentialModel<S, I, O>): void => {
  const found = checkLinearizable(history, model)
  expect(found.type).toBe(isExplained(history, model, model.init) ? "linearizable" : "violated")
  if (found.type !== "violated") return
  const at = found.operation.returned?.at ?? 0
  const before = history.map(({ returned }) => returned?.at ?? 0).filter((moment) => moment < at)
  expect(isExplained(found.prefix, model, model.init)).toBe(false)
  expect(isExplained(prefixUntil(history, Math.max(-1, ...before)), model, model.init)).toBe(true)
}

const value = fc.integer({ min: 0, max: 2 })

const claim = fc.constantFrom<ClaimInput>(
  { type: "register" },
  { type: "claim" },
  { type: "claim" },
  { type: "retire" }
)

const enqueueOrDequeue = fc.oneof(
  value.map((value): QueueInput<number> => ({ type: "enqueue", value })),
  fc.constant<QueueInput<number>>({ type: "dequeue" })
)

const writeOrRead = fc.oneof(
  value.map((value): RegisterInput<number> => ({ type: "write", value })),
  fc.constant<RegisterInput<number>>({ type: "read" })
)

const orNothing = fc.option(value)
const nothing = fc.constant(null)

// Seen to fail when equal moments do not overlap, when an operation stays open after its return, when pending operations have no
// effect, when the search remembers states without what had its effect, and when its first failure is taken for the prefix.
test("the checker says of claims what trying every order says, and its prefix is the shortest that fails", () =>
  checkProperty(
    "linearizable claims",
    fc.property(
      concurrentHistories(claim, () => fc.boolean()),
      (history) => agrees(history, claimModel)
    ),
    { runs: 2_000 }
  ))

test("the checker says the same of queues", () =>
  checkProperty(
    "linearizable queues",
    fc.property(
      concurrentHistories(enqueueOrDequeue, ({ type }) => (type === "enqueue" ? nothing : orNothing)),
      (history) => agrees(history, queueModel<number>())
    ),
    { runs: 2_000 }
  ))

test("the checker says the same of registers", () =>
  checkProperty(
    "linearizable registers",
    fc.property(
      concurrentHistories(writeOrRead, ({ type }) => (type === "write" ? nothing : orNothing)),
      (history) => agrees(history, registerModel(0))
    ),
    { runs: 2_000 }
  ))
