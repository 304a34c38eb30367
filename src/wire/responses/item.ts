import type { JsonObject } from "../json.ts"
import { type Frame, frame, membersOf } from "./frame.ts"
import { itemIdOf, type ResponsesOptions } from "./options.ts"

/**
 * One output item of profile full: what it is in the end, and the events that open it, fill it and close it.
 *
 * @since 0.1.0
 * @category models
 */
export interface OutputItem {
  readonly item: JsonObject
  readonly opening: ReadonlyArray<Frame>
  readonly deltas: ReadonlyArray<Frame>
  readonly closing: ReadonlyArray<Frame>
}

/**
 * Where an item stands, and with what status it ends.
 *
 * @since 0.1.0
 * @category models
 */
export interface ItemPlace {
  readonly outputIndex: number
  readonly status: "completed" | "incomplete"
  readonly options: ResponsesOptions
}

/**
 * What an event says about its item: the item's id, and the JSON members that refer to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ItemReference {
  readonly id: string
  readonly members: string
}

/** @since 0.1.0 @category constructors */
export const referenceTo = (prefix: string, place: ItemPlace): ItemReference => {
  const id = itemIdOf(prefix, place.outputIndex, place.options)
  return { id, members: membersOf({ item_id: id, output_index: place.outputIndex }) }
}

/** @since 0.1.0 @category constructors */
export const itemAdded = (place: ItemPlace, item: JsonObject): Frame =>
  frame("response.output_item.added", { output_index: place.outputIndex, item })

/** @since 0.1.0 @category constructors */
export const itemDone = (place: ItemPlace, item: JsonObject): Frame =>
  frame("response.output_item.done", { output_index: place.outputIndex, item })

/**
 * The padding of a delta event, if the options ask for it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const paddingOf = (place: ItemPlace): JsonObject =>
  place.options.obfuscation === undefined ? {} : { obfuscation: place.options.obfuscation }
