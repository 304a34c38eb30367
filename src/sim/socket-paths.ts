/** Where sockets stand in a simulated file system. */
export interface SocketPaths {
  kindAt(path: string): "nothing" | "socket" | "other"
  /** Puts the file of a socket there; false when there is no folder for it. */
  putSocket(path: string): boolean
  removeSocket(path: string): void
}

/** Sockets alone, in a file system that has every folder. @since 0.1.0 @category constructors */
export const makeSocketPaths = (): SocketPaths => {
  const sockets = new Set<string>()
  return {
    kindAt: (path) => (sockets.has(path) ? "socket" : "nothing"),
    putSocket: (path) => sockets.add(path) === sockets,
    removeSocket: (path) => void sockets.delete(path)
  }
}
