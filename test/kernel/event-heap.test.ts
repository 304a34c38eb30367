import fc from "fast-check"
import { expect, it } from "vitest"
import { type HeapEntry, makeEventHeap } from "../../src/kernel/event-heap.ts"
import { seed } from "../support/seed.ts"

const entry = (due: number, order: number): HeapEntry => ({
  due,
  order,
  label: "",
  fire: () => {},
  isForgotten: false
})

/** Pushes (a due time) and pops (null), in any order. */
const operations = fc.array(fc.option(fc.nat(5)), { maxLength: 60 })

it("a heap gives the earliest entry, and of several the oldest, whenever it is asked", () => {
  fc.assert(
    fc.property(operations, (list) => {
      const heap = makeEventHeap()
      const model: Array<HeapEntry> = []
      list.forEach((due, order) => {
        if (due !== null) {
          const pushed = entry(due, order)
          heap.push(pushed)
          model.push(pushed)
          model.sort((a, b) => a.due - b.due || a.order - b.order)
        } else {
          expect(heap.peek()).toBe(model[0])
          expect(heap.pop()).toBe(model.shift())
        }
        expect(heap.size()).toBe(model.length)
      })
      while (model.length > 0) expect(heap.pop()).toBe(model.shift())
      expect([heap.pop(), heap.peek()]).toEqual([undefined, undefined])
    }),
    { seed }
  )
})

it("a heap that is swept has lost what was forgotten, and nothing else", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(9), fc.boolean()), { maxLength: 60 }), (list) => {
      const heap = makeEventHeap()
      const entries = list.map(([due, isForgotten], order) => ({ ...entry(due, order), isForgotten }))
      for (const pushed of entries) heap.push(pushed)

      heap.sweep()

      const kept = entries.filter(({ isForgotten }) => !isForgotten).sort((a, b) => a.due - b.due || a.order - b.order)
      expect(Array.from({ length: heap.size() }, () => heap.pop())).toEqual(kept)
    }),
    { seed }
  )
})
