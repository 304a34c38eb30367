// Connects by TLS to the port of localhost that its argument says, and tells what comes, or why nothing does.
import { makeLiveStreams } from "../../src/live/stream-sockets.ts"

makeLiveStreams().connect(
  { kind: "tls", host: "localhost", port: Number(process.argv[2]) },
  {
    opened: (socket) => ({
      received: (bytes) => console.log(Buffer.from(bytes).toString()),
      ended: socket.end,
      closed: () => {}
    }),
    failed: ({ reason }) => console.log(reason)
  }
)
