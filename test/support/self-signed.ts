import { generateKeyPairSync, sign } from "node:crypto"

/** A server's key and certificate, as PEM. */
export interface SelfSigned {
  readonly key: string
  readonly cert: string
}

/**
 * A certificate for `localhost` and 127.0.0.1 that its own key has signed, valid from 2000 to 2099. Made here so that no key stands in
 * the repository, and no program has to be installed: an X.509 certificate is a few nested lengths.
 */
export const selfSigned = (): SelfSigned => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(set(sequence(commonName, value(0x0c, Buffer.from("localhost")))))
  const names = sequence(value(0x82, Buffer.from("localhost")), value(0x87, Buffer.from([127, 0, 0, 1])))
  const dates = sequence(value(0x17, Buffer.from("000101000000Z")), value(0x18, Buffer.from("20990101000000Z")))
  const toBeSigned = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, Buffer.from([1])),
    sequence(ecdsaWithSha256),
    name,
    dates,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    value(0xa3, sequence(sequence(subjectAltName, value(0x04, names))))
  )
  const signature = sign("sha256", toBeSigned, privateKey)
  const certificate = sequence(toBeSigned, sequence(ecdsaWithSha256), value(0x03, Buffer.from([0]), signature))
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`
  }
}

/** A value of DER: its kind, how long it is, and what it holds. */
const value = (kind: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  if (length < 0x80) return Buffer.concat([Buffer.from([kind, length]), content])
  return Buffer.concat([Buffer.from([kind, 0x82, length >> 8, length & 0xff]), content])
}

const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => value(0x30, ...parts)
const set = (...parts: ReadonlyArray<Uint8Array>): Buffer => value(0x31, ...parts)
const identifier = (hex: string): Buffer => value(0x06, Buffer.from(hex, "hex"))

const commonName = identifier("550403")
const subjectAltName = identifier("551d11")
const ecdsaWithSha256 = identifier("2a8648ce3d040302")
