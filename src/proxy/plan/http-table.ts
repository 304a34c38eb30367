/** Kinds of frames of the framing `http`, as rules name them. */
export type HttpFrameKind = "head" | "body" | "event" | "data"

/** What one is, and what rules see as its content. */
export interface HttpFrameRow {
  readonly frame: string
  readonly content: string
}

/**
 * What the frames of the framing `http` are, as data: documentation is checked against these rows.
 *
 * @since 0.1.0
 * @category models
 */
export const httpFrames: Readonly<Record<HttpFrameKind, HttpFrameRow>> = {
  head: {
    frame:
      "the head of a request or response up to and including its empty line, those of 1xx too; all of it is header part",
    content:
      "`{ method, url, headers }` or `{ status, headers }`, as it goes on; names of headers in lower case, values of a repeated one joined by a comma"
  },
  body: {
    frame: "a whole body of at least a byte that is no event stream, or is one in a content coding, as gzip",
    content: "its JSON; none where it is no JSON"
  },
  event: {
    frame: "an event of a body of the type `text/event-stream`, up to and including its empty line",
    content: "the JSON of its data; where that is none, `{ event, data }`"
  },
  data: {
    frame: "a chunk, as it was read, of what follows 101 or a CONNECT that was granted; numbering says nothing",
    content: "none"
  }
}

/** What else the framing `http` does, in a sentence each. */
export const httpDecisions = {
  uncounted:
    "no frames are: comments of event streams and other lines without data, an event that its body ends before its empty line, and the end of a body in chunks with its trailers; they go on when they come and cannot be touched",
  offsets:
    "a byteOffset counts heads and bodies as they go on, the end of a body in chunks too, but no sizes of chunks",
  lines:
    "an event ends with the CR of its empty line where the line before ended with a CR alone: an LF behind that belongs to what follows",
  chunks:
    "a body in chunks goes on in chunks, though not the same ones: each piece that is written is one; extensions of chunks are left out",
  length:
    "while a rule of the direction may change lengths (drop, duplicate, truncateBody, inject, reorder), a body with Content-Length goes on in chunks, if who reads it speaks HTTP/1.1; a badLength finds no length there",
  late: "a body whose head has gone on with its Content-Length keeps that: rules that are added later and change the length leave the receiver out of step",
  badLength: "a badLength of a head puts another number into its Content-Length, and the body stays as it is",
  sever:
    "behind the prefix of a severed frame of a body in chunks, which is a chunk of its own, no last chunk comes: the body is seen to be cut off",
  packed:
    "Accept-Encoding of requests becomes identity, and is not added where there is none; events of a body that comes in a content coding all the same cannot be seen",
  host: "Host of requests becomes that of a TCP or TLS upstream; over a Unix socket it stays",
  answers:
    "an answer belongs to the oldest request that has none, by which HEAD and CONNECT are known; requests count when their head is read, also where a rule drops or doubles it, and an answer without a request is one to a GET",
  tunnel:
    "behind a CONNECT, or a request with Upgrade, no more requests are read until its answer has come; when that is 101, or grants the CONNECT, both directions are chunks of bytes",
  limit:
    'a frame that a rule may be about, by its number or because its content is needed, is kept whole, up to the limit; others go on in pieces, and have none, but with `tail: "drop"`, where each body or event has to be whole',
  refused:
    "frame errors are: a first line of no HTTP/1.0 or 1.1, a header that is none, control characters, a head or trailers over 64 KiB, Content-Length together with Transfer-Encoding, twice, or of no decimal number, chunked not last or in HTTP/1.0, a size of a chunk that is no hexadecimal number, a chunk that does not end with CRLF, and more than 10,000 requests without an answer",
  opened: "a body without Content-Length and chunks goes up to the end of its connection, and so does its frame"
} as const
