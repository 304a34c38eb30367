import { InvalidOption } from "../../domain/errors.ts"
import { sandboxReleaseMs } from "../../domain/scope-limits.ts"
import type { FaultProxy } from "../../proxy/fault-proxy.ts"
import type { OwnedProcess } from "../process/owned-process.ts"
import type { RawStdioClient } from "../raw/raw-client.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import type { Holding } from "../scope/acquisition.ts"
import type { Scope } from "../scope/scope.ts"
import type { StartedAgent } from "../session/started-agent.ts"

/*
 * What is closed by hand is forgotten by its scope as soon as it is gone. The objects are changed in place, for they have members that
 * tell what is so now.
 */

/** The same call, after which something is forgotten however it ends, unless it was refused: then nothing was done. */
export const forgettingAfter =
  <Args extends ReadonlyArray<unknown>, A>(call: (...args: Args) => Promise<A>, forget: () => void) =>
  (...args: Args): Promise<A> => {
    const result = call(...args)
    result.then(forget, (failure: unknown) => {
      if (!(failure instanceof InvalidOption)) forget()
    })
    return result
  }

/** @since 0.1.0 @category constructors */
export const heldSandbox = ({ value, forget }: Holding<Sandbox>): Sandbox => {
  const close = forgettingAfter(value.close, forget)
  return Object.assign(value, { close, [Symbol.asyncDispose]: close })
}

/** @since 0.1.0 @category constructors */
export const heldRawClient = ({ value, forget }: Holding<RawStdioClient>): RawStdioClient => {
  const close = forgettingAfter(value.close, forget)
  const kill = forgettingAfter(value.kill, forget)
  return Object.assign(value, { close, kill, [Symbol.asyncDispose]: async () => void (await close()) })
}

/** @since 0.1.0 @category constructors */
export const heldProxy = ({ value, forget }: Holding<FaultProxy>): FaultProxy => {
  const stop = forgettingAfter(value.stop, forget)
  return Object.assign(value, { stop, [Symbol.asyncDispose]: stop })
}

/** One that ends by itself is forgotten as well. */
export const heldProcess = ({ value, forget }: Holding<OwnedProcess>): OwnedProcess => {
  const dispose = value[Symbol.asyncDispose]
  value
    .wait()
    .then(() => value.close())
    .then(forget, () => {})
  return Object.assign(value, {
    close: forgettingAfter(value.close, forget),
    kill: forgettingAfter(value.kill, forget),
    [Symbol.asyncDispose]: forgettingAfter(dispose, forget)
  })
}

/** Where the sandbox of an agent is held once it was taken from it. */
export interface SandboxPlace {
  take(sandbox: Sandbox): Sandbox
  /** It went with the agent, unless it was taken. */
  leave(): void
}

/** Registered before the agent, which has to be gone before its sandbox is. */
export const sandboxPlace = (scope: Scope, name: string): SandboxPlace => {
  let taken: Sandbox | null = null
  const forget = scope.defer(name, () => taken?.close(), { boundMs: sandboxReleaseMs })
  return {
    take(sandbox) {
      taken = heldSandbox({ value: sandbox, forget })
      return taken
    },
    leave() {
      if (taken === null) forget()
    }
  }
}

/** @since 0.1.0 @category constructors */
export const heldAgent = ({ value, forget }: Holding<StartedAgent>, place: SandboxPlace): StartedAgent => {
  const { takeSandbox } = value
  const close = forgettingAfter(value.close, () => {
    forget()
    place.leave()
  })
  return Object.assign(value, {
    close,
    takeSandbox: () => place.take(takeSandbox()),
    [Symbol.asyncDispose]: async () => void (await close())
  })
}
