import { installFence } from "./sim/fence.ts"

/*
 * Loading this file puts the fence of simulated runs up, to stay: `node --import llm-understudy/fence`. For code that keeps
 * Node's own timers, clocks or ids from before the first run for itself.
 */
installFence()

export { installFence }
