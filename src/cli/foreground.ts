/**
 * Whether this process is in the foreground of its terminal. One in the background that reads from it is stopped by the
 * system, so `serve &` must leave it alone.
 *
 * **Gives** false where the system cannot tell
 *
 * @since 0.1.0
 * @category guards
 */
export const isInForeground = async (): Promise<boolean> => {
  const { execFile } = await import("node:child_process")
  return new Promise((resolve) => {
    execFile("ps", ["-o", "pgid=,tpgid=", "-p", String(process.pid)], (error, output) => {
      const [own, foreground] = output.trim().split(/\s+/)
      resolve(error === null && own !== undefined && own === foreground)
    })
  })
}
