import type { Campaign, CampaignOptions } from "./campaign.ts"

/**
 * How the programs of a module are searched. What is given here comes before what a program says itself; `goals` and `first` are
 * added to what it says.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface ExploreModuleOptions extends Pick<CampaignOptions, "runs" | "seed" | "strategy" | "goals" | "first"> {
  /** The program of this name, or exported by it. Default: all, one after the other. */
  readonly only?: string
  /** Threads that share the runs, from 1 to 64, the default being 1; no more of them than there are runs. */
  readonly workers?: number
  /** A budget in milliseconds of real time for all programs together, in the place of a number of runs. One run of each is made. */
  readonly budgetMs?: number
  /**
   * Where failing choices are kept, to be tried first the next time: a path, or `false` for nowhere. Default: `__sim__/NAME.json`
   * beside the module. With `CI` in the environment nothing is written.
   */
  readonly corpus?: string | false
  /**
   * The file for the trace of a failure, `false` for none. Default: what `SIM_TRACE` in the environment says, a file or a folder,
   * else a file beside `corpus`; with `CI` in the environment none.
   */
  readonly trace?: string | false
  /** Options of Node for the threads, such as `["--import", "tsx"]`. Default: those of this process. */
  readonly execArgv?: ReadonlyArray<string>
  /** Ends the search at once, and its threads, whatever they do. */
  readonly signal?: AbortSignal
}

/**
 * What the search of a program of a module came to, when no run failed.
 *
 * @since 0.1.0
 * @category exploring
 */
export interface ModuleCampaign extends Campaign {
  /** Its name. */
  readonly program: string
}
