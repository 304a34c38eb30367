import type { ServerEnd } from "./make-handle.ts"

/** Tells everybody once that the server has closed. @since 0.1.0 @category constructors */
export const makeClosing = (): { readonly end: ServerEnd; readonly done: Promise<void>; close(): void } => {
  const told = new Set<() => void>()
  let isClosed = false
  let finish = (): void => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return {
    done,
    end: {
      isClosed: () => isClosed,
      onClosed(tell) {
        told.add(tell)
        return () => told.delete(tell)
      }
    },
    close() {
      isClosed = true
      for (const tell of [...told]) tell()
      finish()
    }
  }
}
