import { connect } from "node:net"

// Opens many connections to a port, says when all are open, and holds them until its input ends.

const [port = "0", count = "0"] = process.argv.slice(2)

const open = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", resolve)
    socket.on("error", reject)
  })

/** So many at once that the queue of the port does not overflow. */
const together = 200

for (let opened = 0; opened < Number(count); opened += together) {
  await Promise.all(Array.from({ length: Math.min(together, Number(count) - opened) }, open))
}
process.stdout.write("open\n")
process.stdin.resume().on("end", () => process.exit())
