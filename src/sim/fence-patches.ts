/** Any function, before anything is known of it. */
export type Callable = (this: unknown, ...args: ReadonlyArray<unknown>) => unknown

export const isCallable = (value: unknown): value is Callable => typeof value === "function"

/** Replacements of built-in functions that can be taken back. */
export interface Patches {
  /** Replaces a method by what `make` gives for the original; does nothing when there is no such method, or
   * a replacement already. */
  method(target: object, key: PropertyKey, make: (original: Callable) => Callable): void
  /** Replaces whatever stands there. */
  property(target: object, key: PropertyKey, descriptor: PropertyDescriptor): void
  restore(): void
}

interface Patch {
  readonly target: object
  readonly key: PropertyKey
  readonly original: PropertyDescriptor | undefined
  readonly replacement: PropertyDescriptor
}

/**
 * **Takes** all replacements that there are, also those of other copies of this file: none is replaced again
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePatches = (replacements: WeakSet<object>): Patches => {
  const patches: Array<Patch> = []

  const property = (target: object, key: PropertyKey, descriptor: PropertyDescriptor): void => {
    const original = Object.getOwnPropertyDescriptor(target, key)
    if (original?.configurable === false && original.writable !== true) return
    if (isCallable(descriptor.value)) replacements.add(descriptor.value)
    Object.defineProperty(target, key, descriptor)
    patches.push({ target, key, original, replacement: descriptor })
  }

  return {
    method(target, key, make) {
      const original: unknown = Reflect.get(target, key)
      if (!isCallable(original) || replacements.has(original)) return
      const value = make(original)
      dressAs(value, original)
      const isEnumerable = Object.getOwnPropertyDescriptor(target, key)?.enumerable ?? true
      property(target, key, { value, writable: true, configurable: true, enumerable: isEnumerable })
    },
    property,
    restore() {
      for (const { target, key, original, replacement } of patches.reverse()) {
        const there = Object.getOwnPropertyDescriptor(target, key)
        // Whoever has put something on top of it, fake timers say, takes that away himself.
        if (there?.value !== replacement.value || there?.get !== replacement.get) continue
        if (original === undefined) Reflect.deleteProperty(target, key)
        else Object.defineProperty(target, key, original)
      }
      patches.length = 0
    }
  }
}

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
