/** Any function, before anything is known of it. */
export type Callable = (this: unknown, ...args: ReadonlyArray<unknown>) => unknown

export const isCallable = (value: unknown): value is Callable => typeof value === "function"

/** Replacements of built-in functions, which are put in place and taken back again and again. */
export interface Patches {
  /** A method shall be what `make` gives for the original; nothing when there is no such method, or
   * a replacement already. */
  method(target: object, key: PropertyKey, make: (original: Callable) => Callable): void
  /** A property that is computed shall be computed by what `make` gives for the original. */
  getter(target: object, key: PropertyKey, make: (original: Callable) => Callable): void
  /** A property shall be what `make` gives for what stands there. */
  property(target: object, key: PropertyKey, make: MakeProperty): void
  /** Puts them in place: the same functions as the last time, for clients keep them. */
  put(): void
  /** Everything is what it was, but for what somebody has put on top. */
  restore(): void
}

type MakeProperty = (original: PropertyDescriptor | undefined) => PropertyDescriptor | null

interface Patch {
  readonly target: object
  readonly key: PropertyKey
  readonly make: MakeProperty
  original: PropertyDescriptor | undefined
  replacement: PropertyDescriptor | null
  isUp: boolean
}

/**
 * **Takes** a question for all replacements that there are, also those of other copies of this file: none is replaced again
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePatches = (replacements: () => WeakSet<object>): Patches => {
  const patches: Array<Patch> = []

  const put = (patch: Patch): void => {
    const { target, key } = patch
    const there = Object.getOwnPropertyDescriptor(target, key)
    if (there?.configurable === false && there.writable !== true) return
    // Fake timers that were turned on inside a run and off after it have put it back.
    const isThere = patch.replacement !== null && isSame(there, patch.replacement)
    if (!isThere && (patch.replacement === null || !isSame(there, patch.original))) {
      const replacement = patch.make(there)
      if (replacement === null) return
      patch.original = there
      patch.replacement = replacement
    }
    const { replacement } = patch
    if (replacement === null) return
    if (isCallable(replacement.value)) replacements().add(replacement.value)
    if (!isThere) place(patch, there, replacement)
    patch.isUp = true
  }

  const takeBack = (patch: Patch): void => {
    const { target, key, original, replacement, isUp } = patch
    patch.isUp = false
    // Whoever has put something on top of it, fake timers say, takes that away himself.
    const there = isUp ? Object.getOwnPropertyDescriptor(target, key) : undefined
    if (there === undefined || replacement === null || !isSame(there, replacement)) return
    // Somebody has frozen its home meanwhile: it stays, and hands on what is not of a run.
    if (there.configurable === false && there.writable !== true) return
    if (original === undefined) Reflect.deleteProperty(target, key)
    else place(patch, there, original)
  }

  const property = (target: object, key: PropertyKey, make: MakeProperty): void =>
    void patches.push({ target, key, make, original: undefined, replacement: null, isUp: false })

  return {
    method(target, key, make) {
      property(target, key, (there) => {
        const original: unknown = Reflect.get(target, key)
        if (!isCallable(original) || replacements().has(original)) return null
        const value = make(original)
        dressAs(value, original)
        return { value, writable: true, configurable: true, enumerable: there?.enumerable ?? true }
      })
    },
    getter(target, key, make) {
      property(target, key, (there) => {
        const original: unknown = there?.get
        return isCallable(original) ? { ...there, get: make(original) } : null
      })
    },
    property,
    put: () => patches.forEach(put),
    restore: () => patches.toReversed().forEach(takeBack)
  }
}

/** To assign is twice as fast as to define, and does the same where only the value differs. */
const place = ({ target, key }: Patch, there: PropertyDescriptor | undefined, next: PropertyDescriptor): void => {
  const isValue = there?.writable === true && next.writable === true && there.enumerable === next.enumerable
  if (isValue && there.configurable === next.configurable) Reflect.set(target, key, next.value)
  else Object.defineProperty(target, key, next)
}

const isSame = (one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean =>
  one?.value === other?.value && one?.get === other?.get

/** Gives a replacement the name, the length and the other properties of its original, unless it has its own. */
const dressAs = (value: Callable, original: Callable): void => {
  for (const key of Reflect.ownKeys(original)) {
    const isNameOrLength = key === "name" || key === "length"
    if (key === "prototype" || (!isNameOrLength && Object.hasOwn(value, key))) continue
    const descriptor = Object.getOwnPropertyDescriptor(original, key)
    const there = Object.getOwnPropertyDescriptor(value, key)
    if (descriptor !== undefined && there?.configurable !== false) Object.defineProperty(value, key, descriptor)
  }
}
