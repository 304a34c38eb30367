/**
 * A server was disposed of while a client waited for a call that the test had in its hand: closing cut it.
 *
 * @since 0.1.0
 * @category errors
 */
export class HeldCallsCut extends Error {
  readonly _tag = "HeldCallsCut"
  /** One line each: the call, and the line of the test that took it. */
  readonly calls: ReadonlyArray<string>
  constructor(calls: ReadonlyArray<string>) {
    super(
      `the mock server closed while its clients waited for calls in the hand of the test; answer each, or say proceed():\n${calls.map((call) => `  ${call}`).join("\n")}`
    )
    this.name = "HeldCallsCut"
    this.calls = [...calls]
  }
}
