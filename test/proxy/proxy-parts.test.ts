import { describe, expect, test } from "vitest"
import { InvalidOption } from "../../src/domain/errors.ts"
import { proxyParts } from "../../src/proxy/proxy-parts.ts"

const parts = (listen: unknown, upstream: unknown, options: unknown = {}): unknown =>
  Reflect.apply(proxyParts, null, [listen, upstream, undefined, options])

const problemOf = (...args: Parameters<typeof parts>): string => {
  try {
    return `was taken: ${JSON.stringify(parts(...args))}`
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOption)
    return error instanceof Error ? error.message : ""
  }
}

const forms = "give unix:PATH or tcp:HOST:PORT, as in tcp:127.0.0.1:0 for any free port"

describe("what a proxy is not made of", () => {
  test.each([
    [null, `listen is null; ${forms}`],
    [{ kind: "unix", path: 5 }, `listen is {"kind":"unix","path":5}; ${forms}`],
    [{ kind: "unix", path: "" }, 'listen is "unix:"; the path is missing'],
    [{ kind: "tcp", host: "127.0.0.1", port: "1" }, /^listen is \{.*\}; give unix:PATH/],
    [{ kind: "tcp", host: "127.0.0.1", port: 1.5 }, /^listen is "tcp:127\.0\.0\.1:1\.5"; give a host and a port/],
    [{ kind: "__proto__" }, `listen is {"kind":"__proto__"}; ${forms}`],
    [[], `listen is []; ${forms}`]
  ])("a listen of %j", (listen, problem) => {
    expect(problemOf(listen, "./up.sock")).toMatch(problem)
  })

  test.each([
    [null, "the options are null; give an object"],
    [[], "the options are []; give an object"],
    [{ sed: 1 }, 'there is no option "sed"; did you mean "seed"?'],
    [{ seed: -1 }, /^seed is -1; give a whole number from 0 to/]
  ])("options that are %j", (options, problem) => {
    expect(problemOf("./a.sock", "./b.sock", options)).toMatch(problem)
  })

  // Seen to fail when only the texts are compared.
  test.each([
    ["./a.sock", "unix:a.sock"],
    ["/run/./a.sock", "unix:/run//b/../a.sock"],
    ["../a.sock", "./b/../../a.sock"],
    ["tcp:4010", "http://127.0.0.1:4010"],
    ["tcp:localhost:4010", "tcp:[::1]:4010"],
    ["tcp:[::1]:4010", "http://LOCALHOST:4010"]
  ])("itself: %s before %s", (listen, upstream) => {
    expect(problemOf(listen, upstream)).toMatch(/^listen and upstream are both .*; a proxy cannot be its own upstream$/)
  })

  test.each([
    ["./a.sock", "./b.sock"],
    ["tcp:4010", "tcp:4011"],
    ["tcp:127.0.0.1:4010", "tcp:127.0.0.2:4010"],
    ["tcp:0", "tcp:4010"],
    ["unix:4010", "tcp:4010"]
  ])("another one: %s before %s is taken", (listen, upstream) => {
    expect(problemOf(listen, upstream)).toMatch(/^was taken/)
  })
})
