import childProcess from "node:child_process"
import nodeCrypto, { randomUUID } from "node:crypto"
import dns from "node:dns"
import fs from "node:fs"
import net from "node:net"
import os from "node:os"
import timers, { setTimeout as namedSetTimeout } from "node:timers"
import timersPromises from "node:timers/promises"
import workers from "node:worker_threads"
import { expect, test, vi } from "vitest"
import { explore, withSim } from "../../src/sim.ts"

/** The homes of all that a run replaces. */
const homes: Readonly<Record<string, object>> = {
  globalThis,
  "Date.prototype": Date.prototype,
  Math,
  Atomics,
  AbortSignal,
  performance: Object.getPrototypeOf(performance),
  "Event.prototype": Event.prototype,
  "Intl.DateTimeFormat.prototype": Intl.DateTimeFormat.prototype,
  process,
  webcrypto: Object.getPrototypeOf(globalThis.crypto),
  subtle: Object.getPrototypeOf(globalThis.crypto.subtle),
  crypto: nodeCrypto,
  childProcess,
  dns,
  "dns.promises": dns.promises,
  "dns.Resolver": dns.Resolver.prototype,
  fs,
  "fs.promises": fs.promises,
  "net.Socket": net.Socket.prototype,
  os,
  timers,
  timersPromises,
  workers
}

/** What stands at every place; a getter counts by itself. */
const everything = (): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(homes).flatMap(([home, object]) =>
      Reflect.ownKeys(object).map((key) => {
        const there = Object.getOwnPropertyDescriptor(object, key)
        return [`${home}.${String(key)}`, there?.get ?? there?.value] as const
      })
    )
  )

const changed = (before: ReadonlyMap<string, unknown>): ReadonlyArray<string> => {
  const now = everything()
  const places = new Set([...before.keys(), ...now.keys()])
  return [...places].filter((place) => !Object.is(before.get(place), now.get(place)))
}

// Node makes this one when it is first asked for.
void AbortController

const before = { all: everything(), setTimeout, namedSetTimeout, randomUUID }

test("Inside a run more than a hundred built-ins are replaced; after it each is the same function as before", async () => {
  const inside = await withSim({}, () => changed(before.all))
  expect(inside).toContain("globalThis.setTimeout")
  expect(inside.length).toBeGreaterThan(100)

  expect(changed(before.all)).toEqual([])
  expect(setTimeout).toBe(before.setTimeout)
  expect([namedSetTimeout, randomUUID]).toEqual([before.namedSetTimeout, before.randomUUID])
})

test("So they are after a run that fails, and after an exploration that finds something", async () => {
  await expect(withSim({}, () => Promise.reject(new Error("boom")))).rejects.toThrow("boom")
  expect(changed(before.all)).toEqual([])

  const failing = explore({ runs: 100 }, (sim) => {
    if (sim.choice.draw(2, "any") === 1) throw new Error("found")
  })
  await expect(failing).rejects.toThrow("found")
  expect(changed(before.all)).toEqual([])
})

test("What a client keeps of one run works on: in later runs with their time, between them with the real one", async () => {
  const kept = await withSim({}, () => ({ setTimeout, now: Date.now, uuid: crypto.randomUUID.bind(crypto) }))
  const passed = (): Promise<number> =>
    new Promise((resolve) => {
      const began = kept.now()
      kept.setTimeout(() => resolve(kept.now() - began), 30)
    })

  expect(await withSim({ seed: 1 }, passed)).toBe(30)
  expect(kept.now()).toBeLessThan(Date.UTC(2030, 0, 1))
  expect(await passed()).toBeLessThan(60_000)
  const ids = [1, 1, 2].map((seed) => withSim({ seed }, () => kept.uuid()))
  expect(new Set(await Promise.all(ids)).size).toBe(2)
  expect(kept.uuid()).not.toBe(kept.uuid())
  expect(changed(before.all)).toEqual([])
})

test("A mock that a test puts in place between two runs is there in the second, and stays after it", async () => {
  await withSim({}, () => {})
  const spy = vi.spyOn(fs, "existsSync").mockReturnValue(true)
  const uptime = vi.spyOn(os, "uptime").mockReturnValue(5)
  try {
    expect(await withSim({}, () => fs.existsSync("/no/such/file"))).toBe(true)
    expect([fs.existsSync, os.uptime()]).toEqual([spy, 5])
  } finally {
    spy.mockRestore()
    uptime.mockRestore()
  }
  expect(changed(before.all)).toEqual([])
})

test("Node's own clearTimeout gives back a timer that a run has made and real time has taken over", async () => {
  const fired: Array<string> = []
  const timer = await withSim({}, () => setTimeout(() => fired.push("too late"), 1))
  fired.length = 0
  timer.refresh()
  clearTimeout(timer)
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(fired).toEqual([])
})
