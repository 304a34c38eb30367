/** What a program on Node says when it ends by accident. Source: agent-harness.md, section 4.4. */
export const nodeCrashes = [
  "FATAL ERROR:",
  "JavaScript heap out of memory",
  "UnhandledPromiseRejection",
  "Cannot find module",
  "ERR_MODULE_NOT_FOUND"
]
