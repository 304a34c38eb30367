import { isMainThread, parentPort, workerData } from "node:worker_threads"
import { type DigestOrder, digestOf } from "./programs/hashes.ts"

// A process or a thread that makes the runs it is asked for, and says their digest.
const order: DigestOrder = isMainThread ? JSON.parse(process.argv[2] ?? "") : workerData
const digest = await digestOf(order)
if (isMainThread) process.stdout.write(digest)
else parentPort?.postMessage(digest)
