import { noteFailure } from "../../domain/failure-details.ts"
import type { RawStdioClient } from "../raw/raw-client.ts"
import type { AgentSession } from "../session/agent-session.ts"
import { type Noting, noted } from "./noted.ts"

/** The same call, whose failure has with it what the charts did last. */
const notedCall =
  <Args extends ReadonlyArray<unknown>, A>(noting: Noting, call: (...args: Args) => Promise<A>) =>
  (...args: Args): Promise<A> =>
    noted(noting, () => call(...args))

/**
 * A session whose operations keep the last steps with what they fail with; it is changed in place.
 *
 * @since 0.1.0
 * @category constructors
 */
export const notedSession = <S extends AgentSession>(noting: Noting, session: S): S =>
  Object.assign(session, {
    initialize: notedCall(noting, session.initialize),
    createSession: notedCall(noting, session.createSession),
    createSessionWithModel: notedCall(noting, session.createSessionWithModel),
    loadSession: notedCall(noting, session.loadSession),
    resumeSession: notedCall(noting, session.resumeSession),
    listSessions: notedCall(noting, session.listSessions),
    closeSession: notedCall(noting, session.closeSession),
    deleteSession: notedCall(noting, session.deleteSession),
    setModel: notedCall(noting, session.setModel),
    setMode: notedCall(noting, session.setMode),
    setConfigOption: notedCall(noting, session.setConfigOption),
    prompt: notedCall(noting, session.prompt),
    promptBlocks: notedCall(noting, session.promptBlocks),
    extMethod: notedCall(noting, session.extMethod),
    request: notedCall(noting, session.request),
    nextPermission: notedCall(noting, session.nextPermission),
    waitForUpdate: notedCall(noting, session.waitForUpdate)
  })

/** The promise itself: a wait of a raw client that nobody looks at may fail unseen. */
const seenCall =
  <Args extends ReadonlyArray<unknown>, A>({ transitions }: Noting, call: (...args: Args) => Promise<A>) =>
  (...args: Args): Promise<A> => {
    const result = call(...args)
    result.catch((failure: unknown) => noteFailure(failure, { transitions: transitions() }))
    return result
  }

/** The same for a raw client. @since 0.1.0 @category constructors */
export const notedRawClient = (noting: Noting, client: RawStdioClient): RawStdioClient =>
  Object.assign(client, {
    responseForId: seenCall(noting, client.responseForId),
    nextMessage: seenCall(noting, client.nextMessage),
    waitForMessage: seenCall(noting, client.waitForMessage),
    expectSilence: seenCall(noting, client.expectSilence),
    sendLine: seenCall(noting, client.sendLine)
  })
