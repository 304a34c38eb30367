import { describe, expect, it } from "vitest"
import { isSecretHeader, withoutSecrets } from "../../src/domain/secret-header.ts"

describe("a header", () => {
  it.each([
    "Authorization",
    "proxy-authorization",
    "X-API-Key",
    "api-key",
    "cookie",
    "x-goog-api-key",
    "Ocp-Apim-Subscription-Key",
    "x-auth-token"
  ])("%s holds a key", (name) => {
    expect(isSecretHeader(name)).toBe(true)
  })

  it.each(["x-team", "x-authorization-kind", "user-agent", "x-max-tokens", "idempotency-key"])(
    "%s holds none",
    (name) => {
      expect(isSecretHeader(name)).toBe(false)
    }
  )
})

describe("a text without secrets", () => {
  const headers = [
    ["authorization", "Bearer sk-12345678-abcdef"],
    ["cookie", "id=cookie-value-1; theme=dark"],
    ["x-team", "red-team-of-many"]
  ] as const

  it("has no key of a header, wherever it stands and also where it was cut short", () => {
    expect(withoutSecrets('is "Bearer sk-12345678-abcdef" twice sk-12345678-abcdef', headers)).toBe(
      'is "Bearer ***" twice ***'
    )
    expect(withoutSecrets("sk-12345678-ab…", headers)).toBe("***…")
    expect(withoutSecrets("id=cookie-value-1; theme=dark", headers)).toBe("id=***; theme=dark")
  })

  it("is the same where there is none", () => {
    expect(withoutSecrets("red-team-of-many sk-1234", headers)).toBe("red-team-of-many sk-1234")
  })
})
