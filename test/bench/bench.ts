import type { Report } from './figures.ts';
import type { Load } from './load/load.ts';
import type { BenchOptions } from './options.ts';
import type { Workspace } from './workspace.ts';

/** What every scenario gets. */
export interface Bench {
  readonly options: BenchOptions;
  readonly workspace: Workspace;
  readonly load: Load;
  /** Says on the terminal what is going on; not part of the report. */
  tell(text: string): void;
}

export type Scenario = (bench: Bench) => Promise<Report>;
