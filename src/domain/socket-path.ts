/**
 * How many bytes the path of a Unix socket may have, its terminator not counted. A runtime cuts a longer one off in silence, and
 * another socket is meant than the one that was named.
 *
 * **Takes** the name of a platform as Node has it
 * **Source** agent-harness.md, sections 1.3 and 6.1
 *
 * @since 0.1.0
 * @category streams
 */
export const socketPathBytesMax = (platform: string): number => (platform === "linux" ? 107 : 103)

/** How many bytes a path has. */
export const pathBytes = (path: string): number => new TextEncoder().encode(path).byteLength
