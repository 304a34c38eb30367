import fc from "fast-check"
import { expect, test } from "vitest"
import { readTimeoutScale } from "../src/domain/timeout-scale.ts"
import { sandboxSummary } from "../src/harness/diagnostics/sandbox-summary.ts"
import { redactedOutput } from "../src/harness/diagnostics/sanitised-output.ts"
import { pathsOf } from "./arbitraries/harness-environments.ts"
import { anyBuiltIn } from "./arbitraries/harness-profiles.ts"
import { checkProperty } from "./check.ts"

const secretNames = fc.constantFrom(
  ...["API_KEY", "apikey", "clientSecret", "MY-TOKEN", "X_PASS", "DB_PASSWORD_FILE", "aws.credentials", "SESSION"],
  ...["HTTP_COOKIE", "AUTHORIZATION", "Auth", "GIT_PASSWD", "accessToken", "TOKEN_URL"]
)
const endpointNames = fc.constantFrom("BASE_URL", "serviceUrl", "HTTPS_PROXY", "MY_ENDPOINT_HERE", "NO_PROXY")
const plainNames = fc.constantFrom("FEATURE", "MONKEYS", "PASSAGE", "AUTHOR", "KEYBOARD", "COMPASS", "SESSIONS", "LANG")

/** A value that stands nowhere else in the line. */
const value = fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).map((text) => `⟦${text}⟧`)

const secretPart = fc
  .string({ unit: fc.constantFrom(..."hush123"), minLength: 6, maxLength: 10 })
  .map((text) => `hush${text}`)
const loopbackHost = fc.constantFrom("127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.3.2.1")
const otherHost = fc.constantFrom("example.test", "10.0.0.1", "128.0.0.1", "[::2]", "localhost.test", "127.0.0.1.test")
const schemes = fc.constantFrom("http", "https", "ws", "wss")

interface Address {
  readonly scheme: string
  readonly host: string
  readonly port: number
  readonly secret: string
}
const address = (host: fc.Arbitrary<string>): fc.Arbitrary<Address> =>
  fc.record({ scheme: schemes, host, port: fc.integer({ min: 1024, max: 65_535 }), secret: secretPart })

const written = ({ scheme, host, port, secret }: Address): string =>
  `${scheme}://user:${secret}@${host}:${port}/v1?key=${secret}#${secret}`

const summaryOf = (variables: Readonly<Record<string, string>>, profile: Parameters<typeof pathsOf>[0]): string =>
  sandboxSummary(pathsOf(profile), variables)

// Seen to fail when names are compared without upper-casing them, when `SESSION` is missing among the words, when only
// whole words count, when endpoints are looked at before secrets, and when the query of a URL is kept.
test("E7. the summary shows a value only of a plain variable, or the bare address of this machine", () =>
  checkProperty(
    "summaries hide",
    fc.property(
      anyBuiltIn,
      fc.tuple(secretNames, value),
      fc.tuple(endpointNames, fc.oneof(address(otherHost).map(written), value)),
      fc.tuple(plainNames, value),
      address(loopbackHost),
      (profile, [secretName, secret], [endpointName, elsewhere], [plainName, shown], here) => {
        const summary = summaryOf({ [secretName]: secret, [endpointName]: elsewhere, [plainName]: shown }, profile)

        expect(summary).toContain(`${secretName}=<redacted>`)
        expect(summary).not.toContain(secret)
        expect(summary).toContain(`${endpointName}=<redacted>`)
        expect(summary).not.toContain(elsewhere)
        expect(summary).toContain(`${plainName}=⟦`)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not stand in it
        expect(summary).not.toMatch(/[\u0000-\u001f]/)

        const local = summaryOf({ [endpointName]: written(here) }, profile)
        expect(local).toContain(`${endpointName}=${new URL(written(here)).origin}/v1`)
        expect(local).not.toContain(here.secret)
        expect(local).not.toContain("user")
      }
    ),
    { runs: 300 }
  ))

const secretText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom(..."ab*<>rd"), minLength: 4, maxLength: 8 }) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", minLength: 4, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom("redacted", "<redacted>", "****", "line", "sensitive", "secret", "a***b") }
)

/** Text in which secrets stand whole, in pieces, beside each other, and on lines that are replaced. */
const output = (secrets: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...secrets),
        fc.constantFrom(...secrets).chain((secret) => fc.nat(secret.length).map((end) => secret.slice(0, end))),
        fc.constantFrom(...secrets).chain((secret) => fc.nat(secret.length).map((start) => secret.slice(start))),
        fc.constantFrom("\n", " ", "the cookie", "Bearer x", "plain text", "***", "<redacted>")
      ),
      { maxLength: 12 }
    )
    .map((pieces) => pieces.join(""))

// Seen to fail when there is one mark for all, and when values of four bytes are passed over.
test("E8. shown output holds no secret value of four bytes or more", () =>
  checkProperty(
    "output hides secrets",
    fc.property(
      fc
        .array(secretText, { minLength: 1, maxLength: 3 })
        .chain((secrets) => fc.tuple(fc.constant(secrets), output(secrets))),
      fc.boolean(),
      ([secrets, text], truncated) => {
        const variables = Object.fromEntries(secrets.map((secret, index) => [`TOKEN_${index}`, secret]))
        const shown = redactedOutput(text, variables, { truncated })

        for (const secret of secrets) expect(shown.includes(secret)).toBe(false)
      }
    ),
    { runs: 1000 }
  ))

const plainWords = fc.constantFrom("one", "two", " ", "\n", "(", "3")
const relatedSecrets = ["hush", "hush1", "hush12", "1hush1"]

// Seen to fail when the shortest value is replaced first, when a value is replaced once alone, and when the plainer mark
// is used where it need not be.
test("E8. what is no secret stays in shown output, and each secret is marked", () =>
  checkProperty(
    "output stays",
    fc.property(
      fc.array(fc.tuple(plainWords, fc.constantFrom(...relatedSecrets)), { maxLength: 8 }),
      fc.subarray(relatedSecrets, { minLength: 4 }),
      (pieces, secrets) => {
        const variables = Object.fromEntries(secrets.map((secret, index) => [`TOKEN_${index}`, secret]))
        const text = pieces.map(([word, secret]) => `${word}|${secret}|`).join("")

        expect(redactedOutput(text, variables)).toBe(pieces.map(([word]) => `${word}|<redacted>|`).join(""))
      }
    )
  ))

test("E8. output without secrets is shown as it is", () =>
  checkProperty(
    "output is shown",
    fc.property(fc.string({ unit: fc.constantFrom(..."xyz \n0123") }), secretText, (text, secret) => {
      expect(redactedOutput(text, { TOKEN: `${secret}!` })).toBe(text)
    })
  ))

const scaleText = fc.oneof(
  fc.integer({ min: -5, max: 20 }).map(String),
  fc.constantFrom(
    "4294967295",
    "4294967296",
    "99999999999999999999",
    "007",
    "",
    " 1",
    "1 ",
    "1e3",
    "0x10",
    "1.0",
    "1_0",
    "١"
  ),
  fc.string({ maxLength: 5 })
)

// Seen to fail when `parseInt` reads the text, when 0 is a scale, and when the greatest one is 2^32.
test("E10. the timeout scale is a positive whole number, and 1 unless the whole text is one", () =>
  checkProperty(
    "timeout scale",
    fc.property(scaleText, scaleText, (first, second) => {
      // A plus sign is allowed, as the reader of numbers of the original allows it.
      const read = (text: string) => {
        const isScale = /^\+?[0-9]+$/.test(text) && BigInt(text.replace("+", "")) >= 1n
        return isScale && BigInt(text.replace("+", "")) <= 4_294_967_295n ? Number(text) : null
      }
      const { scale } = readTimeoutScale({ HARNESS_TIMEOUT_SCALE: first, GROK_TEST_TIMEOUT_SCALE: second })

      expect(Number.isInteger(scale) && scale >= 1).toBe(true)
      expect(scale).toBe(read(first) ?? read(second) ?? 1)
      expect(readTimeoutScale({ GROK_TEST_TIMEOUT_SCALE: second }).scale).toBe(read(second) ?? 1)
    }),
    { runs: 500 }
  ))
