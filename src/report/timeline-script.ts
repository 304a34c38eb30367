/** The script of the timeline page but for the lanes: the model, the panel of the step, the list, and what keys do. */
export const timelineScript = String.raw`
function sayDuration(ms) {
  const rounded = (value) => Math.round(value * 1000) / 1000
  if (ms < 1000) return rounded(ms) + " ms"
  if (ms < 60000) return rounded(ms / 1000) + " s"
  const units = [["d", 86400000], ["h", 3600000], ["min", 60000], ["s", 1000]]
  const at = units.findIndex(([, unit]) => ms >= unit)
  const count = Math.floor(ms / units[at][1]), rest = (ms - count * units[at][1]) / units[at + 1][1]
  const text = String(at === 2 ? rounded(rest) : Math.floor(rest))
  return count + " " + units[at][0] + (text === "0" ? "" : " " + text + " " + units[at + 1][0])
}

function makeModel(run) {
  const steps = run.steps
  const indexOf = new Map(steps.map((step, at) => [step.i, at]))
  const causeOf = steps.map((step) => step.cause === null || !indexOf.has(step.cause) ? -1 : indexOf.get(step.cause))
  const effectsOf = steps.map(() => [])
  causeOf.forEach((cause, at) => { if (cause >= 0) effectsOf[cause].push(at) })
  const needed = new Set(run.needed), failed = new Set(run.failed)
  const chosen = steps.map((step) => step.draws.some(([, , answer]) => answer !== 0))
  const statesOf = new Map()
  steps.forEach((step, at) => {
    if (step.state === undefined) return
    if (!statesOf.has(step.actor)) statesOf.set(step.actor, [])
    statesOf.get(step.actor).push(at)
  })
  return {
    steps, indexOf, causeOf, effectsOf, statesOf,
    actors: run.actors,
    laneOf: new Map(run.actors.map((actor, lane) => [actor, lane])),
    isNeeded: (at) => needed.has(steps[at].i),
    isFailed: (at) => failed.has(steps[at].i),
    isChosen: (at) => chosen[at]
  }
}

const byId = (id) => document.getElementById(id)
const run = JSON.parse(byId("run").textContent)
const model = makeModel(run)
const { steps } = model
const lanes = makeLanes(model, { scroll: byId("scroll"), space: byId("space"), canvas: byId("lanes") })
const rowHeight = 26
let selected = -1
let zoom = 1
let shown = []
let isDrawing = false

const redraw = () => {
  if (isDrawing) return
  isDrawing = true
  requestAnimationFrame(() => {
    isDrawing = false
    lanes.draw(selected)
    drawRows()
  })
}

const element = (name, text, className) => {
  const made = document.createElement(name)
  if (text !== undefined) made.textContent = text
  if (className) made.className = className
  return made
}

const linkTo = (at) => {
  const button = element("button", String(steps[at].i), "link")
  button.setAttribute("aria-label", "Go to step " + steps[at].i)
  button.addEventListener("click", () => select(at))
  return button
}

const whoOf = (step) => step.from === undefined ? step.actor : step.from + " → " + step.actor

const sayStep = (at) => {
  const step = steps[at]
  const marks = (model.isFailed(at) ? ", failed here" : "") + (model.isChosen(at) ? ", chosen" : "")
  return "Step " + step.i + " of " + run.total + ", " + sayDuration(step.t) + ", " + step.op + " " + step.label + " to " + step.actor +
    (step.from === undefined ? "" : " from " + step.from) + marks
}

const fillRows = (id, rows) => {
  byId(id + "-part").hidden = rows.length === 0
  byId(id).replaceChildren(...rows.map(({ cells, className }) => {
    const row = element("tr", undefined, className)
    row.append(...cells.map((cell) => { const td = element("td"); td.append(cell); return td }))
    return row
  }))
}

const statesAt = (at) => [...model.statesOf].flatMap(([actor, places]) => {
  let low = 0, high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle] <= at) low = middle + 1
    else high = middle
  }
  return low === 0 ? [] : [{ cells: [actor, steps[places[low - 1]].state, linkTo(places[low - 1])] }]
})

const effectsMax = 12

const drawDetails = () => {
  const step = steps[selected]
  byId("at").textContent = "Step " + step.i + " of " + run.total + (model.isFailed(selected) ? " — failed here" : "")
  const facts = [
    ["time", sayDuration(step.t)], ["what", step.op + " " + step.label], ["actor", whoOf(step)],
    ["channel", step.ch === null ? "none" : step.ch], ["chain", String(step.chain)],
    ["could happen", step.enabled === 1 ? "this alone" : step.enabled + " operations"],
    ["matters", model.isNeeded(selected) ? "yes" : "no: the " + (run.isFailure ? "failure" : "end") + " does not depend on it"]
  ]
  const list = facts.flatMap(([name, value]) => [element("dt", name), element("dd", value)])
  const links = (name, places) => {
    const cell = element("dd", places.length === 0 ? "none" : undefined, "links")
    cell.append(...places.slice(0, effectsMax).map(linkTo))
    if (places.length > effectsMax) cell.append("and " + (places.length - effectsMax) + " more")
    list.push(element("dt", name), cell)
  }
  links("caused by", model.causeOf[selected] < 0 ? [] : [model.causeOf[selected]])
  links("causes", model.effectsOf[selected])
  byId("what").replaceChildren(...list)
  byId("note-part").hidden = step.note === undefined
  byId("note").textContent = step.note === undefined ? "" : step.note
  byId("bytes-part").hidden = step.bytes === undefined
  byId("bytes").textContent = step.bytes === undefined ? "" : step.bytes
  fillRows("draws", step.draws.map(([label, n, answer]) => ({ cells: [label, String(answer), String(n)], className: answer === 0 ? "" : "chosen" })))
  fillRows("states", statesAt(selected))
}

/** The rows in view and some around them; the others are not made. */
const drawRows = () => {
  const box = byId("rows")
  const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 10)
  const last = Math.min(shown.length, Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + 10)
  const rows = [rowSpace]
  for (let place = first; place < last; place++) {
    const at = shown[place], step = steps[at]
    const classes = [model.isNeeded(at) ? "" : "unneeded", model.isChosen(at) ? "chosen" : "", model.isFailed(at) ? "failed" : ""]
    const row = element("div", undefined, classes.filter((name) => name !== "").join(" "))
    row.id = "row-" + step.i
    row.setAttribute("role", "option")
    row.setAttribute("aria-selected", String(at === selected))
    row.setAttribute("aria-setsize", String(shown.length))
    row.setAttribute("aria-posinset", String(place + 1))
    row.style.top = place * rowHeight + "px"
    const marks = (model.isFailed(at) ? "✕ " : "") + (model.isChosen(at) ? "◇ " : "")
    row.append(element("span", String(step.i), "n"), element("span", sayDuration(step.t), "t"), element("span", marks + whoOf(step) + "  " + step.label, "w"))
    row.addEventListener("click", () => select(at))
    rows.push(row)
  }
  box.replaceChildren(...rows)
  if (selected >= 0 && byId("row-" + steps[selected].i)) box.setAttribute("aria-activedescendant", "row-" + steps[selected].i)
  else box.removeAttribute("aria-activedescendant")
}

const rowSpace = element("div")
rowSpace.setAttribute("role", "presentation")

const placeInList = (at) => {
  let low = 0, high = shown.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (shown[middle] < at) low = middle + 1
    else high = middle
  }
  return low
}

const select = (at) => {
  if (!(at >= 0 && at < steps.length)) return
  selected = at
  const place = placeInList(at), box = byId("rows")
  if (place * rowHeight < box.scrollTop) box.scrollTop = place * rowHeight
  else if ((place + 1) * rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = (place + 1) * rowHeight - box.clientHeight
  lanes.show(at)
  drawDetails()
  byId("first").disabled = byId("back").disabled = stepBy(-1) === at
  byId("last").disabled = byId("forward").disabled = stepBy(1) === at
  byId("said").textContent = sayStep(at)
  byId("tip").hidden = true
  redraw()
}

/** The step so many places on, among those that are shown. */
const stepBy = (count) => {
  const place = placeInList(selected)
  const isThere = shown[place] === selected
  const next = count > 0 && !isThere ? place + count - 1 : place + count
  return shown.length === 0 ? selected : shown[Math.max(0, Math.min(shown.length - 1, next))]
}

const sameActor = (direction) => {
  for (let at = selected + direction; at >= 0 && at < steps.length; at += direction)
    if (steps[at].actor === steps[selected].actor && (!byId("only").checked || model.isNeeded(at))) return at
  return selected
}

const failure = () => run.failed.length === 0 ? steps.length - 1 : model.indexOf.get(run.failed[0])

const filter = () => {
  const isOnly = byId("only").checked
  shown = steps.map((_, at) => at).filter((at) => !isOnly || model.isNeeded(at))
  rowSpace.style.height = shown.length * rowHeight + "px"
  byId("list-title").textContent = isOnly ? shown.length + " of " + steps.length + " steps" : "All " + steps.length + " steps"
  drawRows()
  select(selected)
}

const rescale = () => {
  lanes.place(byId("scale").value, zoom)
  if (selected >= 0) lanes.show(selected)
  redraw()
}

const keys = {
  ArrowLeft: () => stepBy(-1), ArrowRight: () => stepBy(1), Home: () => shown[0], End: () => shown[shown.length - 1]
}
const keysInside = {
  PageUp: () => stepBy(-10), PageDown: () => stepBy(10), c: () => model.causeOf[selected], f: failure
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("tip").hidden = true
  const target = event.target
  if (steps.length === 0 || event.ctrlKey || event.altKey || event.metaKey || target.id === "scale") return
  const isInRows = target.id === "rows", isInside = isInRows || target.id === "scroll"
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  let go = keys[key] || (isInside ? keysInside[key] : undefined)
  if (isInside && (key === "ArrowUp" || key === "ArrowDown")) {
    const direction = key === "ArrowUp" ? -1 : 1
    go = () => isInRows ? stepBy(direction) : sameActor(direction)
  }
  if (go === undefined) return
  event.preventDefault()
  select(go())
})

const press = (id, act) => { const button = byId(id); if (button) button.addEventListener("click", act) }
press("first", () => select(shown[0]))
press("back", () => select(stepBy(-1)))
press("forward", () => select(stepBy(1)))
press("last", () => select(shown[shown.length - 1]))
press("to-failure", () => select(failure()))
press("in", () => { zoom = Math.min(8, zoom * 1.5); rescale() })
press("out", () => { zoom = Math.max(0.1, zoom / 1.5); rescale() })
press("copy", async () => {
  try {
    await navigator.clipboard.writeText(byId("replay").textContent)
    byId("said").textContent = byId("copy").textContent = "Copied"
  } catch {
    getSelection().selectAllChildren(byId("replay"))
    byId("said").textContent = "The line is selected, to be copied"
  }
})
byId("only").addEventListener("change", filter)
byId("scale").addEventListener("change", rescale)
byId("scroll").addEventListener("scroll", redraw, { passive: true })
byId("rows").addEventListener("scroll", redraw, { passive: true })
byId("lanes").addEventListener("click", (event) => select(lanes.hit(event.clientX, event.clientY)))
byId("lanes").addEventListener("mouseleave", () => { byId("tip").hidden = true })
byId("lanes").addEventListener("mousemove", (event) => {
  const at = lanes.hit(event.clientX, event.clientY), tip = byId("tip")
  byId("lanes").style.cursor = at < 0 ? "" : "pointer"
  tip.hidden = at < 0
  if (at < 0) return
  const step = steps[at], more = [step.state, step.note].filter((text) => text !== undefined)
  const chosen = step.draws.filter(([, , answer]) => answer !== 0).map(([label, n, answer]) => "◇ " + label + " " + answer + " of " + n)
  tip.textContent = [sayStep(at), ...more, ...chosen, ...(step.bytes === undefined ? [] : [step.bytes.slice(0, 120)])].join("\n")
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px"
  tip.style.top = Math.max(4, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + "px"
})
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { lanes.readColors(); redraw() })
new ResizeObserver(rescale).observe(byId("scroll"))
lanes.readColors()
rescale()
byId("to-failure").hidden = !run.isFailure
byId("rows").style.setProperty("--digits", String(run.total).length + "ch")
filter()
select(failure())
`
