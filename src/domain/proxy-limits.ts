/** Bounds of the fault proxy; none is scaled. Source: agent-harness.md, section 6 and appendix C */

/** Each connect to the upstream has so long. */
export const proxyConnectMs = 5_000

/** What is written of a severed frame has so long to leave. */
export const severFlushMs = 100

/** So many events are kept, and closed connections. */
export const proxyEventsMax = 10_000
export const closedConnectionsMax = 1_000

/** So many bytes of frames are recorded where nobody says. */
export const recordingBytesMax = 67_108_864

/** Of its chances, where nobody says. */
export const proxySeedDefault = 1

/** How long a wait of a handle lasts where nobody says. */
export const proxyWaitMs = 30_000
