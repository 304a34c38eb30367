import { randomBytes } from "node:crypto"

/** 32 hexadecimal digits that no other run has. */
export const newRunId = (): string => randomBytes(16).toString("hex")
