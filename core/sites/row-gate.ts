import type { Gate } from '../go-live/gate.ts';
import { type GatePart, type GateRun, takeGatePart } from '../go-live/take-gate.ts';
import type { Failure } from '../situation/call.ts';
import { codeChoice, repositoryKey } from '../situation/code-choice.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { accountOf } from './environments.ts';
import type { RowPlan } from './plan-row.ts';
import { authorOfRow } from './row-site.ts';
import type { Batch, SiteRow } from './rows.ts';

type Run = Pick<GateRun, 'signal' | 'onWaiting'>;

/**
 * The gate of rows: what depends on a repository is checked once for all its rows, as long as this object
 * lives (one run, one review). A guarded host says nothing about other hosts. Each method returns why the
 * gate fails.
 */
export interface RowGates {
  /**
   * The repository has `main` and the editor's files, whatever is synchronized; before anything is written. `outcome` is that of the row's
   * plan.
   */
  source(row: SiteRow, run: Run, outcome: Outcome): Promise<Failure | undefined>;
  /** Its code is synchronized and served; the first row that needs it starts the sync. */
  code(row: SiteRow, run: Run): Promise<Failure | undefined>;
  /** The row's own pages, on its preview host. */
  pages(row: SiteRow, run: Run): Promise<Failure | undefined>;
}

type Outcome = Extract<RowPlan, { kind: 'ready' }>['outcome'];

export function createRowGates(ports: Pick<SetupPorts, 'service' | 'hosts' | 'wait' | 'now'>, batch: Batch): RowGates {
  const sources: Checks = new Map();
  const syncs: Checks = new Map();
  const codes: Checks = new Map();
  const written = new Set<string>();
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
  // If nothing had to be written, the caller need not be among the readers of the host.
  const unlessUnread = (row: SiteRow, failure: Failure | undefined) =>
    failure !== undefined && isGuarded(failure) && !written.has(row.siteName) ? undefined : failure;
  return {
    source: (row, run, outcome) => {
      if (outcome !== 'unchanged') written.add(row.siteName);
      return once(sources, batch, row, part(row, run, 'repository', 'repository-files'));
    },
    code: async (row, run) => {
      const failure = await once(syncs, batch, row, part(row, run, 'code-sync'));
      return failure ?? unlessUnread(row, await once(codes, batch, row, part(row, run, 'editor-files')));
    },
    pages: async (row, run) => {
      const sheet = row.configurationPage === undefined ? [] : (['configuration-served'] as const);
      return unlessUnread(row, await part(row, run, ...sheet, 'content-page')());
    },
  };
}

/** By repository. */
type Checks = Map<string, Promise<Failure | undefined>>;

/** The first row that needs it starts the check; if that row's host could not be read, the next row checks its own. */
async function once(
  checks: Checks,
  { code }: Batch,
  row: SiteRow,
  check: () => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const choice = codeChoice(row.code ?? code);
  const key = choice === undefined ? '' : repositoryKey(choice);
  for (;;) {
    const found = checks.get(key);
    if (found === undefined) {
      const own = check();
      checks.set(key, own);
      return own;
    }
    const failure = await found;
    if (failure === undefined || !isGuarded(failure)) return failure;
    if (checks.get(key) === found) checks.delete(key);
  }
}

function isGuarded({ finding }: Failure): boolean {
  return finding?.kind === 'blocked' && finding.reason === 'host-guarded';
}

/** Undefined if the row names no repository: the contract's schema reports that at its cell. */
function rowGate(batch: Batch, row: SiteRow): Gate | undefined {
  const code = codeChoice(row.code ?? batch.code);
  if (code === undefined) return undefined;
  const { info, organization } = batch;
  const ownAccount = accountOf(batch.environments ?? [], authorOfRow(batch, row));
  return { info, organization, siteName: row.siteName, code, technicalAccount: row.technicalAccount, ownAccount };
}
