import { agentCallMachine } from "../../../machines/agent-call.machine.ts"
import { agentRequestMachine } from "../../../machines/agent-request.machine.ts"
import { agentSessionMachine } from "../../../machines/agent-session.machine.ts"
import { copyMachine } from "../../../machines/copy.machine.ts"
import { expectationMachine } from "../../../machines/expectation.machine.ts"
import { fakeLeaderMachine } from "../../../machines/fake-leader.machine.ts"
import { fakeLeaderClientMachine } from "../../../machines/fake-leader-client.machine.ts"
import { fakeLeaderPeerMachine } from "../../../machines/fake-leader-peer.machine.ts"
import { gateMachine } from "../../../machines/gate.machine.ts"
import { harnessScopeMachine } from "../../../machines/harness-scope.machine.ts"
import { headlessRunMachine } from "../../../machines/headless-run.machine.ts"
import { laneMachine } from "../../../machines/lane.machine.ts"
import { leaderFixtureMachine } from "../../../machines/leader-fixture.machine.ts"
import { leaderGenerationMachine } from "../../../machines/leader-generation.machine.ts"
import { leaderIpcMachine } from "../../../machines/leader-ipc.machine.ts"
import { listenerMachine } from "../../../machines/listener.machine.ts"
import { ownedProcessMachine } from "../../../machines/owned-process.machine.ts"
import { processHostMachine } from "../../../machines/process-host.machine.ts"
import { proxyConnectionMachine } from "../../../machines/proxy-connection.machine.ts"
import { proxyListenerMachine } from "../../../machines/proxy-listener.machine.ts"
import { proxyPumpMachine } from "../../../machines/proxy-pump.machine.ts"
import { rawClientMachine } from "../../../machines/raw-client.machine.ts"
import { rawSenderMachine } from "../../../machines/raw-sender.machine.ts"
import { stdioWireMachine } from "../../../machines/stdio-wire.machine.ts"
import { type Figure, type MeasureRow, sized } from "../../shared/row.ts"
import { measureRates } from "../measure/rates.ts"
import { type ChartWalks, walkChart, walksOf } from "../programs/chart-walks.ts"

const machines = [
  agentCallMachine,
  agentRequestMachine,
  agentSessionMachine,
  copyMachine,
  expectationMachine,
  fakeLeaderMachine,
  fakeLeaderClientMachine,
  fakeLeaderPeerMachine,
  gateMachine,
  harnessScopeMachine,
  headlessRunMachine,
  laneMachine,
  leaderFixtureMachine,
  leaderGenerationMachine,
  leaderIpcMachine,
  listenerMachine,
  ownedProcessMachine,
  processHostMachine,
  proxyConnectionMachine,
  proxyListenerMachine,
  proxyPumpMachine,
  rawClientMachine,
  rawSenderMachine,
  stdioWireMachine
]

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
