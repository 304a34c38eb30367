/**
 * The part of the page's script that draws the lanes: `makeLanes(model, parts)` gives `{ draw, place, show, hit }`. What is in
 * view is drawn and nothing else, so that ten thousand steps cost what the window holds.
 */
export const timelineLanes = `
function makeLanes(model, parts) {
  const { steps, causeOf, effectsOf, laneOf, actors } = model
  const { scroll, space, canvas } = parts
  const context = canvas.getContext("2d")
  const laneHeight = 38, axisHeight = 36, radius = 6, reach = 13
  const x = new Float64Array(steps.length)
  let namesWidth = 120
  let colors = {}

  const readColors = () => {
    const style = getComputedStyle(document.documentElement)
    for (const name of ["page", "panel", "edge", "text", "muted", "lane", "focus", "deliver", "timer", "task", "chosen", "failed", "faint", "gap"])
      colors[name] = style.getPropertyValue("--" + name).trim()
  }

  const place = (scale, zoom) => {
    const begin = steps.length === 0 ? 0 : steps[0].t
    const span = steps.length === 0 ? 0 : steps[steps.length - 1].t - begin
    const perMs = span > 0 ? steps.length * 22 / span : 0
    context.font = "600 12.5px system-ui, sans-serif"
    let widest = 60
    for (const actor of actors.slice(0, 500)) widest = Math.max(widest, context.measureText(shorten(actor)).width)
    namesWidth = Math.min(widest + 24, 180, Math.max(80, scroll.clientWidth / 3))
    const left = namesWidth + 24
    for (let at = 0; at < steps.length; at++) {
      const idle = at === 0 ? 0 : steps[at].t - steps[at - 1].t
      if (scale === "linear") x[at] = left + (steps[at].t - begin) * perMs * zoom
      else x[at] = at === 0 ? left : x[at - 1] + zoom * (22 + (scale === "log" && idle > 0 ? 16 * Math.log10(1 + idle) : 0))
    }
    space.style.width = Math.ceil((steps.length === 0 ? left : x[steps.length - 1]) + 60) + "px"
    space.style.height = axisHeight + actors.length * laneHeight + 8 + "px"
  }

  const shorten = (text) => text.length > 22 ? text.slice(0, 10) + "…" + text.slice(-11) : text

  /** The first step that is not left of a place. */
  const firstFrom = (value) => {
    let low = 0, high = x.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (x[middle] < value) low = middle + 1
      else high = middle
    }
    return low
  }

  const yOf = (at) => axisHeight + laneOf.get(steps[at].actor) * laneHeight + laneHeight / 2

  const shape = (kind, px, py, size) => {
    context.beginPath()
    if (kind === "deliver") context.arc(px, py, size, 0, Math.PI * 2)
    else if (kind === "task") context.rect(px - size + 1, py - size + 1, size * 2 - 2, size * 2 - 2)
    else {
      context.moveTo(px, py - size)
      context.lineTo(px + size, py + size - 1)
      context.lineTo(px - size, py + size - 1)
      context.closePath()
    }
  }

  const drawArrow = (from, to, color, dx, dy) => {
    const x0 = x[from] - dx, y0 = yOf(from) - dy, x1 = x[to] - dx, y1 = yOf(to) - dy
    context.strokeStyle = color
    context.fillStyle = color
    context.beginPath()
    if (y0 === y1) {
      if (to - from < 2) { context.moveTo(x0 + radius, y0); context.lineTo(x1 - radius - 2, y1) }
      else { context.moveTo(x0 + 4, y0 - radius + 1); context.quadraticCurveTo((x0 + x1) / 2, y0 - 17, x1 - 4, y1 - radius - 1) }
      context.stroke()
      return
    }
    const tip = y1 > y0 ? y1 - radius - 2 : y1 + radius + 2
    const turn = tip + (y1 > y0 ? -8 : 8)
    context.moveTo(x0 + radius, y0)
    context.bezierCurveTo((x0 + x1) / 2, y0, x1, (y0 + y1) / 2, x1, turn)
    context.stroke()
    context.beginPath()
    context.moveTo(x1, tip)
    context.lineTo(x1 - 4, turn)
    context.lineTo(x1 + 4, turn)
    context.fill()
  }

  const drawStep = (at, isSelected, dx, dy) => {
    const step = steps[at], px = x[at] - dx, py = yOf(at) - dy
    const color = model.isNeeded(at) ? colors[step.op] : colors.faint
    shape(step.op, px, py, radius)
    context.fillStyle = color
    context.fill()
    context.strokeStyle = colors.page
    context.lineWidth = 1
    context.stroke()
    if (model.isChosen(at)) {
      context.beginPath()
      context.moveTo(px, py - 12)
      context.lineTo(px + 12, py)
      context.lineTo(px, py + 12)
      context.lineTo(px - 12, py)
      context.closePath()
      context.strokeStyle = colors.chosen
      context.lineWidth = 2
      context.stroke()
    }
    if (model.isFailed(at)) {
      context.strokeStyle = colors.failed
      context.lineWidth = 3.5
      context.beginPath()
      context.moveTo(px - 9, py - 9)
      context.lineTo(px + 9, py + 9)
      context.moveTo(px + 9, py - 9)
      context.lineTo(px - 9, py + 9)
      context.stroke()
    }
    if (isSelected) {
      context.strokeStyle = colors.focus
      context.lineWidth = 2.5
      context.beginPath()
      context.arc(px, py, 15, 0, Math.PI * 2)
      context.stroke()
    }
    context.lineWidth = 1
  }

  const drawAxis = (first, last, dx, width) => {
    context.fillStyle = colors.panel
    context.fillRect(0, 0, width, axisHeight)
    context.fillStyle = colors.edge
    context.fillRect(0, axisHeight - 1, width, 1)
    context.font = "12px system-ui, sans-serif"
    context.textBaseline = "middle"
    context.textAlign = "left"
    let free = -Infinity, idleFree = -Infinity
    for (let at = first; at < last; at++) {
      const px = x[at] - dx
      const isNew = at === 0 || steps[at].t !== steps[at - 1].t
      if (!isNew) continue
      const text = sayDuration(steps[at].t)
      const wide = context.measureText(text).width
      if (px - 3 >= free) {
        context.fillStyle = colors.text
        context.fillText(text, px - 3, 12)
        context.fillRect(px, axisHeight - 8, 1, 7)
        free = px + wide + 14
      }
      if (at === 0) continue
      const idle = steps[at].t - steps[at - 1].t, gap = x[at] - x[at - 1]
      const idleText = "+" + sayDuration(idle), idleWide = context.measureText(idleText).width
      const start = (x[at] + x[at - 1]) / 2 - dx - idleWide / 2
      if (idleWide + 6 > gap || start < idleFree) continue
      context.fillStyle = colors.muted
      context.fillText(idleText, start, 26)
      idleFree = start + idleWide + 6
    }
  }

  const drawNames = (dy, height) => {
    context.fillStyle = colors.panel
    context.fillRect(0, 0, namesWidth, height)
    context.fillStyle = colors.edge
    context.fillRect(namesWidth - 1, 0, 1, height)
    context.font = "600 12.5px system-ui, sans-serif"
    context.textBaseline = "middle"
    context.textAlign = "left"
    context.fillStyle = colors.text
    context.save()
    context.beginPath()
    context.rect(0, axisHeight, namesWidth - 4, height)
    context.clip()
    const from = Math.max(0, Math.floor((dy - laneHeight) / laneHeight))
    for (let lane = from; lane < actors.length; lane++) {
      const y = axisHeight + lane * laneHeight + laneHeight / 2 - dy
      if (y > height + laneHeight) break
      context.fillText(shorten(actors[lane]), 12, y)
    }
    context.restore()
  }

  const draw = (selected) => {
    const width = scroll.clientWidth, height = scroll.clientHeight, ratio = window.devicePixelRatio || 1
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio)
      canvas.height = Math.round(height * ratio)
      canvas.style.width = width + "px"
      canvas.style.height = height + "px"
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const dx = scroll.scrollLeft, dy = scroll.scrollTop
    const first = Math.max(0, firstFrom(dx + namesWidth - 30) - 1), last = firstFrom(dx + width + 30)
    context.fillStyle = colors.page
    context.fillRect(0, 0, width, height)
    context.fillStyle = colors.gap
    for (let at = Math.max(1, first); at < Math.min(last + 1, steps.length); at++)
      if (x[at] - x[at - 1] > 60) context.fillRect(x[at - 1] - dx + 14, axisHeight, x[at] - x[at - 1] - 28, height)
    context.fillStyle = colors.lane
    for (let lane = 0; lane < actors.length; lane++)
      context.fillRect(0, Math.round(axisHeight + lane * laneHeight + laneHeight / 2 - dy), width, 1)
    if (selected >= 0) {
      context.fillStyle = colors.focus
      context.globalAlpha = 0.35
      context.fillRect(x[selected] - dx - 0.5, axisHeight, 1, height)
      context.globalAlpha = 1
    }
    context.lineWidth = 1.2
    const arrowColor = (at) => at === selected || causeOf[at] === selected ? colors.focus : model.isNeeded(at) ? colors.muted : colors.faint
    for (let at = first; at < last; at++) {
      if (causeOf[at] >= 0) drawArrow(causeOf[at], at, arrowColor(at), dx, dy)
      for (const effect of effectsOf[at]) if (effect >= last) drawArrow(at, effect, arrowColor(effect), dx, dy)
    }
    for (let at = first; at < last; at++) drawStep(at, at === selected, dx, dy)
    drawAxis(first, last, dx, width)
    drawNames(dy, height)
  }

  /** Scrolls so that a step can be seen. */
  const show = (at) => {
    const px = x[at], py = yOf(at), margin = 60
    if (px - scroll.scrollLeft < namesWidth + margin) scroll.scrollLeft = px - namesWidth - margin
    else if (px - scroll.scrollLeft > scroll.clientWidth - margin) scroll.scrollLeft = px - scroll.clientWidth + margin
    if (py - scroll.scrollTop < axisHeight + laneHeight) scroll.scrollTop = py - axisHeight - laneHeight
    else if (py - scroll.scrollTop > scroll.clientHeight - laneHeight) scroll.scrollTop = py - scroll.clientHeight + laneHeight
  }

  /** The step at a place of the window; -1 when there is none. */
  const hit = (clientX, clientY) => {
    const box = canvas.getBoundingClientRect()
    if (clientX - box.left < namesWidth || clientY - box.top < axisHeight) return -1
    const px = clientX - box.left + scroll.scrollLeft, py = clientY - box.top + scroll.scrollTop
    let best = -1, bestDistance = reach * reach
    for (let at = firstFrom(px - reach); at < x.length && x[at] <= px + reach; at++) {
      const distance = (x[at] - px) ** 2 + (yOf(at) - py) ** 2
      if (distance <= bestDistance) { best = at; bestDistance = distance }
    }
    return best
  }

  const centre = (at) => {
    const box = canvas.getBoundingClientRect()
    return { x: box.left + x[at] - scroll.scrollLeft, y: box.top + yOf(at) - scroll.scrollTop }
  }

  return { draw, place, show, hit, centre, readColors }
}
`
