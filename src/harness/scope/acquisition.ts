/** How something is got, and given back. */
export interface Acquisition<A> {
  readonly start: () => Promise<A>
  readonly release: (value: A) => Promise<void>
  /** Hurries a start that is under way when the scope closes. */
  readonly interrupt?: () => void
  /** How long giving it back may take. Default: what the end of a process may take. */
  readonly boundMs?: number
}

/** What a scope holds. `forget` is for what was given back already. */
export interface Holding<A> {
  readonly value: A
  readonly forget: () => void
}
