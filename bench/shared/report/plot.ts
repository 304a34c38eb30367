/** Readings at growing sizes. */
export interface PlotLine {
  readonly label: string
  readonly points: ReadonlyArray<readonly [x: number, y: number]>
}

/** A plot of lines over sizes. */
export interface Plot {
  readonly title: string
  readonly xLabel: string
  readonly yLabel: string
  readonly lines: ReadonlyArray<PlotLine>
  /** Whether both scales begin at 0 and go on in equal steps. Default: they are scales of powers of ten. */
  readonly isLinear?: boolean
}

const width = 640
const height = 360
const frame = { left: 80, right: 620, top: 40, bottom: 310 }
const colors = ["#1f6feb", "#bf3989", "#1a7f37", "#9a6700"]

/** A plot as a picture that stands for itself, in light and dark pages. */
export const plotSvg = ({ title, xLabel, yLabel, lines: asked, isLinear = false }: Plot): string => {
  const scale = isLinear ? linearScale : powerScale
  const lines = asked.map((line) => ({ ...line, points: line.points.filter((point) => point.every(isShown)) }))
  const points = lines.flatMap((line) => line.points)
  const x = scale(
    points.map(([at]) => at),
    [frame.left, frame.right]
  )
  const y = scale(
    points.map(([, value]) => value),
    [frame.bottom, frame.top]
  )
  const grid = [
    ...x.ticks.map((tick) => {
      const at = x.place(tick)
      return `<path d="M${at} ${frame.top}V${frame.bottom}" class="grid"/><text x="${at}" y="${frame.bottom + 18}" text-anchor="middle">${sizeText(tick)}</text>`
    }),
    ...y.ticks.map((tick) => {
      const at = y.place(tick)
      return `<path d="M${frame.left} ${at}H${frame.right}" class="grid"/><text x="${frame.left - 8}" y="${at + 4}" text-anchor="end">${sizeText(tick)}</text>`
    })
  ]
  const drawn = lines.flatMap(({ label, points: own }, place) => {
    const color = colors[place % colors.length]
    const places = own.map(([at, value]) => [x.place(at), y.place(value)] as const)
    const path = places.map(([px, py], step) => `${step === 0 ? "M" : "L"}${px} ${py}`).join("")
    return [
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...places.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${color}"/>`),
      `<text x="${frame.left + 8}" y="${frame.bottom - 10 - 16 * (lines.length - 1 - place)}" fill="${color}" class="label">${escaped(label)}</text>`
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>svg{background:#fff;font:12px sans-serif}text{fill:#333}.grid{stroke:#ddd}.title{font-size:15px}text.label{font-weight:bold;fill:revert-layer}@media(prefers-color-scheme:dark){svg{background:#161b22}text{fill:#ccc}.grid{stroke:#333}}</style>
<text x="${width / 2}" y="22" text-anchor="middle" class="title">${escaped(title)}</text>
${grid.join("\n")}
${drawn.join("\n")}
<text x="${(frame.left + frame.right) / 2}" y="${height - 12}" text-anchor="middle">${escaped(xLabel)}</text>
<text x="16" y="${(frame.top + frame.bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(frame.top + frame.bottom) / 2})">${escaped(yLabel)}</text>
</svg>
`
}

/** What has no place on a scale of powers of ten, as none or endlessly many, is left out. */
const isShown = (value: number): boolean => Number.isFinite(value) && value > 0

interface Scale {
  /** Powers of ten from the first that is not above all, to the first that is not below any. */
  readonly ticks: ReadonlyArray<number>
  place(value: number): number
}

const powerScale = (values: ReadonlyArray<number>, [from, to]: readonly [number, number]): Scale => {
  const least = values.length === 0 ? 0 : Math.floor(Math.log10(Math.min(...values)))
  const most = values.length === 0 ? 1 : Math.max(least + 1, Math.ceil(Math.log10(Math.max(...values))))
  const place = (value: number): number =>
    Math.round((from + ((Math.log10(value) - least) / (most - least)) * (to - from)) * 10) / 10
  return { ticks: Array.from({ length: most - least + 1 }, (_, step) => 10 ** (least + step)), place }
}

const linearScale = (values: ReadonlyArray<number>, [from, to]: readonly [number, number]): Scale => {
  const greatest = Math.max(1, ...values)
  const step = [1, 2, 5, 10]
    .map((factor) => factor * 10 ** Math.floor(Math.log10(greatest / 5)))
    .find((one) => greatest / one <= 6)
  const size = step ?? greatest
  const ticks = Array.from({ length: Math.ceil(greatest / size) + 1 }, (_, place) => place * size)
  const most = ticks.at(-1) ?? greatest
  return { ticks, place: (value) => Math.round((from + (value / most) * (to - from)) * 10) / 10 }
}

const sizeText = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 6 })

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
