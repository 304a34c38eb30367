/** How a leader is connected to and waited for; none of it is scaled. Source: agent-harness.md, section 5.7 and appendix C */
export const connectAttemptsMax = 4
export const connectAttemptMs = 5_000
export const connectGapMs = 100
export const registerMs = 10_000
export const readyMs = 120_000
export const pingMs = 30_000

/** Of this version of the protocol, and no other, commands are known. */
export const controlProtocolVersion = 1

/** A leader that is left has so long to take the last message. */
export const farewellMs = 1_000

/** How long an answer to a command, and a message, is waited for when nobody says, before the timeout scale. */
export const leaderAnswerMs = 30_000

/** So many messages, or bytes of them, are kept for who has not received them: the newest. */
export const unreceivedMax = 100_000
export const unreceivedBytesMax = 67_108_864

/** So many messages are kept that were no answer to anything, the newest. */
export const strayMessagesMax = 1_000
