import { describe, expect, test } from "vitest"
import { junitXml } from "../../src/cli/explore-junit.ts"

const failure = (text: string) => ({
  name: text,
  seconds: 0.5,
  trouble: { kind: "failure", message: text, type: "failed", text } as const
})

describe("JUnit XML", () => {
  test("counts what failed, broke and was left out", () => {
    const one = failure("a")
    const xml = junitXml("m.mjs", [
      one,
      { ...one, trouble: { ...one.trouble, kind: "error" } },
      { ...one, trouble: { ...one.trouble, kind: "skipped" } },
      { ...one, trouble: null }
    ])

    expect(xml).toContain('tests="4" failures="1" errors="1" skipped="1" time="2.000"')
    expect(xml).toContain('<skipped message="a"/>')
  })

  test("escapes what would end an element or an attribute, and keeps line ends of attributes", () => {
    const xml = junitXml('"<&', [failure('a"b\n<c> ]]> & d')])

    expect(xml).toContain('<testsuite name="&#34;&lt;&amp;"')
    expect(xml).toContain('message="a&#34;b&#10;&lt;c&gt; ]]&gt; &amp; d"')
    expect(xml).toContain('type="failed">a"b\n&lt;c&gt; ]]&gt; &amp; d</failure>')
  })

  test("replaces what XML cannot hold, and leaves all else as it is", () => {
    const xml = junitXml("m", [failure("\u0000\u001b[31m\ufffe\ud800\t𝒳é")])

    expect(xml).toContain('type="failed">\ufffd\ufffd[31m\ufffd\ufffd\t𝒳é</failure>')
  })
})
