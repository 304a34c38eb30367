/** CPU time of this process so far, all threads and the system included, in seconds. */
export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
