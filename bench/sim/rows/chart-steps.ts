import { copyMachine } from "../../../machines/copy.machine.ts"
import { expectationMachine } from "../../../machines/expectation.machine.ts"
import { gateMachine } from "../../../machines/gate.machine.ts"
import { laneMachine } from "../../../machines/lane.machine.ts"
import { listenerMachine } from "../../../machines/listener.machine.ts"
import { measureRates } from "../measure/rates.ts"
import { type ChartWalks, walkChart, walksOf } from "../programs/chart-walks.ts"
import { type Figure, type MeasureRow, sized } from "../row.ts"

const machines = [copyMachine, expectationMachine, gateMachine, laneMachine, listenerMachine]

/** Walks of each chart, and steps of one repetition. */
const walks = 200
const stepsUsual = 1_500_000

const how =
  "Random walks of at most 25 events, each of which the state has a transition for; starts count as steps. Every walk was gone along " +
  "with xstate as well."

/** Steps of the shipped charts, compiled to tables. */
export const measureChartSteps: MeasureRow = async (sizes) => {
  const charts = machines.map((machine) => walksOf(machine, sized(walks, sizes, 20)))
  const problems = charts.flatMap(({ id, problems }) => problems.map((problem) => `${id}: ${problem}`))
  const steps = sized(stepsUsual, sizes)
  const figures: Array<Figure> = []
  const told = { unit: "steps/CPU-s" }
  const walkFor = (chart: ChartWalks, wanted: number): number => {
    let made = 0
    while (made < wanted) made += walkChart(chart)
    return made
  }
  const all = () => ({ steps: charts.reduce((sum, chart) => sum + walkFor(chart, steps / charts.length), 0) })
  const bar = { atLeast: 1_000_000 }
  figures.push(
    ...(await measureRates(all, { steps: { ...told, what: "all shipped charts, as many steps of each", bar } }, sizes))
  )
  for (const chart of charts) {
    const one = () => ({ steps: walkFor(chart, steps / charts.length) })
    figures.push(...(await measureRates(one, { steps: { ...told, what: `chart ${chart.id}` } }, sizes)))
  }
  return { how, figures, problems }
}
