import type { Gate } from '../go-live/gate.ts';
import { takeGatePart } from '../go-live/take-gate.ts';
import type { GatePart, GateRun } from '../go-live/take-gate.ts';
import type { SetupPorts } from '../ports.ts';
import { codeChoice } from '../propose-choices.ts';
import type { Failure } from '../situation.ts';
import { repositoryKey } from '../sync/repository-groups.ts';
import { accountOf } from './environments.ts';
import { authorOfRow } from './row-site.ts';
import type { Batch, SiteRow } from './rows.ts';

type Run = Pick<GateRun, 'signal' | 'onWaiting'>;

/**
 * The gate of rows (decision 0044): what belongs to a repository is looked at once for all rows on it, as long as these
 * live (one run, one review). Each answers why the gate does not hold.
 */
export interface RowGates {
  /** The repository has `main` and the editor's files, whatever is synchronised: before anything is written. */
  source(row: SiteRow, run: Run): Promise<Failure | undefined>;
  /** Its code is synchronised and served; the first row that asks begins the sync. */
  code(row: SiteRow, run: Run): Promise<Failure | undefined>;
  /** The row's own pages, on its preview host. */
  pages(row: SiteRow, run: Run): Promise<Failure | undefined>;
}

export function createRowGates(ports: Pick<SetupPorts, 'service' | 'hosts' | 'wait' | 'now'>, batch: Batch): RowGates {
  const sources = new Map<string, Promise<Failure | undefined>>();
  const codes = new Map<string, Promise<Failure | undefined>>();
  const part =
    (row: SiteRow, run: Run, ...parts: readonly GatePart[]) =>
    async (): Promise<Failure | undefined> => {
      const gate = rowGate(batch, row);
      for (const each of parts) {
        const failure = gate === undefined ? undefined : await takeGatePart({ ports, ...run }, gate, each);
        if (failure !== undefined) return failure;
      }
      return undefined;
    };
  return {
    source: (row, run) => once(sources, batch, row, part(row, run, 'repository', 'repository-files')),
    code: (row, run) => once(codes, batch, row, part(row, run, 'code-sync', 'editor-files')),
    pages: (row, run) => {
      const sheet = row.configurationPage === undefined ? [] : (['configuration-served'] as const);
      return part(row, run, ...sheet, 'content-page')();
    },
  };
}

function once<T>(kept: Map<string, Promise<T>>, { code }: Batch, row: SiteRow, look: () => Promise<T>): Promise<T> {
  const choice = codeChoice(row.code ?? code);
  const key = choice === undefined ? '' : repositoryKey(choice);
  const found = kept.get(key) ?? look();
  kept.set(key, found);
  return found;
}

/** Undefined where the row names no repository: the contract's schema says so at its cell. */
function rowGate(batch: Batch, row: SiteRow): Gate | undefined {
  const code = codeChoice(row.code ?? batch.code);
  if (code === undefined) return undefined;
  const { info, organization } = batch;
  const ownAccount = accountOf(batch.environments ?? [], authorOfRow(batch, row));
  return { info, organization, siteName: row.siteName, code, technicalAccount: row.technicalAccount, ownAccount };
}
