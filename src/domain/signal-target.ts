const idMax = 2_147_483_647

/**
 * Whether a number can be that of a process to be signalled: 0 and negative ones mean groups, 1 is the first process.
 *
 * @since 0.1.0
 * @category guards
 */
export const isSignallablePid = (pid: number): boolean => Number.isInteger(pid) && pid > 1 && pid <= idMax

/**
 * Whether a group may be signalled: never that of the harness itself, which is `null` where the machine does not say.
 *
 * **Source** agent-harness.md, section 1.9.6
 *
 * @since 0.1.0
 * @category guards
 */
export const isSignallableGroup = (group: number, ownGroup: number | null): boolean =>
  isSignallablePid(group) && group !== ownGroup
