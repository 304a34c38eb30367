import { describe, expect, test } from "vitest"
import { InvalidOption } from "../../src/domain/errors.ts"
import { endpointText, readEndpoint, readUpstream } from "../../src/proxy/endpoint.ts"

const unix = (path: string) => ({ kind: "unix", path })
const tcp = (host: string, port: number) => ({ kind: "tcp", host, port })
const tls = (host: string, port: number) => ({ kind: "tls", host, port })

const problemOf = (read: () => unknown): string => {
  try {
    return `was read: ${JSON.stringify(read())}`
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidOption)
    return error instanceof Error ? error.message : ""
  }
}

describe("where a proxy listens", () => {
  test.each([
    ["unix:/tmp/a.sock", unix("/tmp/a.sock")],
    ["unix:a.sock", unix("a.sock")],
    ["unix:tcp:1", unix("tcp:1")],
    ["UNIX:/tmp/A", unix("/tmp/A")],
    ["/tmp/a:1.sock", unix("/tmp/a:1.sock")],
    ["folder/a.sock", unix("folder/a.sock")],
    [".sock", unix(".sock")],
    ["tcp:127.0.0.1:4010", tcp("127.0.0.1", 4010)],
    ["tcp:localhost:0", tcp("localhost", 0)],
    ["tcp:[::1]:65535", tcp("::1", 65_535)],
    ["tcp:4010", tcp("127.0.0.1", 4010)],
    ["tcp:0", tcp("127.0.0.1", 0)]
  ])("%s", (text, address) => {
    expect(readEndpoint(text)).toEqual(address)
    expect(readEndpoint(endpointText(readEndpoint(text)))).toEqual(address)
  })

  const forms = "give unix:PATH or tcp:HOST:PORT, as in tcp:127.0.0.1:0 for any free port"
  const hostAndPort = "give a host and a port from 0 to 65535, as in tcp:127.0.0.1:4010"

  // Seen to fail when hosts of other machines are listened at, and when a port is not bounded.
  test.each([
    ["", `listen is ""; ${forms}`],
    ["unix:", 'listen is "unix:"; the path is missing'],
    ["a.sock", `listen is "a.sock"; ${forms}; a path alone has a / in it, as in ./a.sock`],
    ["localhost:4010", 'listen is "localhost:4010"; did you mean "tcp:localhost:4010"?'],
    ["4010", 'listen is "4010"; did you mean "tcp:4010"?'],
    ["tcp:", `listen is "tcp:"; ${hostAndPort}`],
    ["tcp:localhost", `listen is "tcp:localhost"; ${hostAndPort}`],
    ["tcp:localhost:65536", `listen is "tcp:localhost:65536"; ${hostAndPort}`],
    ["tcp:localhost:-1", `listen is "tcp:localhost:-1"; ${hostAndPort}`],
    ["tcp:::1:80", `listen is "tcp:::1:80"; ${hostAndPort}; an IPv6 address stands in brackets`],
    ["tcp:[::g]:80", 'listen is "tcp:[::g]:80"; "::g" is no IPv6 address'],
    ["tcp:[localhost]:80", 'listen is "tcp:[localhost]:80"; "localhost" is no IPv6 address'],
    ["tcp:a b:80", 'listen is "tcp:a b:80"; "a b" is no host'],
    [
      "tcp:0.0.0.0:4010",
      'listen is "tcp:0.0.0.0:4010"; only this machine is served; give a host of loopback, as in tcp:127.0.0.1:4010'
    ],
    ["ftp://key@h/a", `listen is "ftp://…@h/a"; no such scheme is known; ${forms}`],
    ["tcp://127.0.0.1:1", 'listen is "tcp://127.0.0.1:1"; leave out the // behind tcp:'],
    ["tcp:key@b@localhost", `listen is "tcp:…@localhost"; ${hostAndPort}`],
    ["tcp:key@localhost:1", 'listen is "tcp:…@localhost:1"; leave out what is before the @'],
    ["key@localhost:1", `listen is "…@localhost:1"; ${forms}; a path alone has a / in it, as in ./…@localhost:1`],
    ["http://localhost", `listen is "http://localhost"; that is for an upstream; ${forms}`],
    [4010, `listen is 4010; ${forms}`]
  ])("is not %j", (text, problem) => {
    expect(problemOf(() => readEndpoint(text))).toBe(problem)
  })
})

describe("where a proxy connects to", () => {
  test.each([
    ["unix:/tmp/a.sock", unix("/tmp/a.sock"), "lengthPrefixed"],
    ["./a.sock", unix("./a.sock"), "lengthPrefixed"],
    ["tcp:example.com:80", tcp("example.com", 80), "lengthPrefixed"],
    ["http://127.0.0.1:4010", tcp("127.0.0.1", 4010), "http"],
    ["http://localhost/", tcp("localhost", 80), "http"],
    ["HTTP://[::1]:99", tcp("::1", 99), "http"],
    ["https://api.example.com", tls("api.example.com", 443), "http"],
    ["https://api.example.com:8443/", tls("api.example.com", 8443), "http"]
  ])("%s", (text, address, framing) => {
    const read = readUpstream(text)

    expect(read).toEqual({ address, framing })
    expect(readUpstream(endpointText(read.address)).address).toEqual(address)
  })

  const forms = "give unix:PATH, tcp:HOST:PORT, http://HOST:PORT or https://HOST"

  test.each([
    ["", `upstream is ""; ${forms}`],
    ["example.com", `upstream is "example.com"; ${forms}; a path alone has a / in it, as in ./example.com`],
    ["tcp:127.0.0.1:0", 'upstream is "tcp:127.0.0.1:0"; nobody serves port 0; give the one that is served'],
    ["http://localhost:0", 'upstream is "http://localhost:0"; nobody serves port 0; give the one that is served'],
    ["https:", 'upstream is "https:"; give http://HOST:PORT or https://HOST'],
    ["http:///a", 'upstream is "http:///a"; give http://HOST:PORT or https://HOST'],
    [
      "https://api.example.com/v1",
      'upstream is "https://api.example.com/v1"; paths are asked for by clients; give https://api.example.com'
    ],
    [
      "https://key:secret@b.example",
      'upstream is "https://…@b.example"; keys are sent by clients; leave out what is before the @'
    ],
    [
      "https://b.example/v1?key=secret",
      'upstream is "https://b.example/v1?…"; paths are asked for by clients; give https://b.example'
    ],
    ["wss://key:secret@b.example/a?b=c", `upstream is "wss://…@b.example/a?…"; no such scheme is known; ${forms}`],
    ["tcp:key@b.example:1", 'upstream is "tcp:…@b.example:1"; leave out what is before the @'],
    [null, `upstream is null; ${forms}`]
  ])("is not %j", (text, problem) => {
    expect(problemOf(() => readUpstream(text))).toBe(problem)
  })
})
