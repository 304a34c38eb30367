import { randomBytes } from "node:crypto"

/** A seed that nobody chose: 32 bits from the cryptographic source of this machine. It is always told. */
export const anySeed = (): number => randomBytes(4).readUInt32BE()
