import { readStored, writeStored } from '../../host/storage.ts';
import { z } from 'zod';
import { AdminAccess } from '@repoless/contract/access.ts';
import { CodeSource } from '@repoless/contract/code-source.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { PlannedStep, SiteRow } from '@repoless/core/sites/rows.ts';
import type { AppliedRow } from '@repoless/core/sites/undo-rows.ts';

/** A run that was started: enough to continue it, and to undo what it wrote, after the tab was closed. */
export interface StoredRun {
  readonly base: string;
  readonly author: string;
  /** A page of the author, to open its tree at. */
  readonly page: string;
  readonly inherited?: string;
  readonly environments: readonly Environment[];
  /** ISO 8601. */
  readonly started: string;
  /** Its sites existed before. */
  readonly isRepair?: true;
  /** The rows that are not known to be done. */
  readonly rows: readonly SiteRow[];
}

type RunKey = Pick<StoredRun, 'base' | 'author' | 'started'>;

/** Stores the runs of an organization, each until it is done and undone, or discarded; concurrent runs don't affect each other. */
export interface StoredRuns {
  all(): StoredRun[];
  store(run: StoredRun): void;
  /** Stores the run with its remaining rows; removes it if there are none and nothing can be undone. */
  leave(run: StoredRun, rows: readonly SiteRow[]): void;
  /** Pages of the author that are set up: no run has anything left to do for them. */
  done(author: string, ids: ReadonlySet<string>): void;
  remove(run: RunKey): void;
  /** What the run wrote for each row. */
  applied(run: RunKey): readonly AppliedRow[];
  /** Stores what the run writes from now on, in addition to what it wrote before it was interrupted. */
  recorder(run: RunKey): (row: SiteRow, steps: readonly PlannedStep[]) => void;
  /** What the run wrote for these rows can no longer be undone: it already is, or it no longer belongs to the run. */
  settle(run: StoredRun, rows: Iterable<SiteRow>): void;
}

const Row = z.object({
  id: z.string(),
  title: z.exactOptional(z.string()),
  siteName: z.string(),
  contentRoot: z.string(),
  mappings: z.array(z.string()),
  includes: z.exactOptional(z.array(z.string())),
  givesUpIncludes: z.exactOptional(z.literal(true)),
  configurationPage: z.exactOptional(z.string()),
  cloudConfiguration: z.exactOptional(z.string()),
  technicalAccount: z.string(),
  code: z.exactOptional(CodeSource),
  access: z.exactOptional(AdminAccess),
});
const Call = z.object({
  target: z.literal(['service', 'authoring']),
  method: z.literal(['PUT', 'POST', 'DELETE']),
  address: z.string(),
  body: z.exactOptional(
    z.union([
      z.object({ type: z.literal('json'), value: z.unknown() }),
      z.object({ type: z.literal('form'), fields: z.array(z.tuple([z.string(), z.string()])) }),
    ]),
  ),
});
const Step = z.object({
  id: z.literal(['register-site', 'configuration-page', 'cloud-configuration', 'switch']),
  state: z.union([
    z.object({ kind: z.literal('create') }),
    z.object({ kind: z.literal('change'), before: z.unknown(), after: z.unknown() }),
  ]),
  call: z.exactOptional(Call),
  revert: z.exactOptional(Call),
  restores: z.exactOptional(z.record(z.string(), z.unknown())),
});
const Applied = z.object({ row: Row, taken: z.array(Step) }).transform(({ row, taken }): AppliedRow => ({ row, steps: taken }));
const Run = z.object({
  base: z.string(),
  author: z.string(),
  page: z.string(),
  inherited: z.exactOptional(z.string()),
  environments: z.array(z.object({ author: z.string(), technicalAccount: z.exactOptional(z.string()) })),
  started: z.string(),
  isRepair: z.exactOptional(z.literal(true)),
  rows: z.array(Row),
});

/** Takes where to store them (undefined: nowhere, so nothing outlives the tab), and the service and organization of the runs. */
export function storedRuns(storage: Storage | undefined, service: string, organization: string): StoredRuns {
  const of = `${service} ${organization} `;
  const nameOf = ({ base, author, started }: RunKey) => `${base} ${author} ${started}`;
  const keyOf = (run: RunKey) => `repoless.run ${of}${nameOf(run)}`;
  const appliedOf = (run: RunKey) => `repoless.undo ${of}${nameOf(run)} `;
  const stored = <T>(prefix: string, schema: z.ZodType<T>) =>
    Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => {
        const value = readStored(storage, key, schema);
        return value === undefined ? [] : [{ key, value }];
      });
  const runs: StoredRuns = {
    all: () => stored(`repoless.run ${of}`, Run).map(({ value }) => value),
    store: (run) => writeStored(storage, keyOf(run), run),
    leave: (run, rows) => {
      if (rows.length > 0 || runs.applied(run).length > 0) runs.store({ ...run, rows });
      else runs.remove(run);
    },
    done: (author, ids) => {
      for (const run of runs.all()) {
        const rows = run.rows.filter(({ id }) => !ids.has(id));
        if (run.author === author && rows.length < run.rows.length) runs.leave(run, rows);
      }
    },
    // Also one that an earlier version stored by base site and author only.
    remove: (run) => {
      const same = stored(`repoless.run ${of}`, Run).filter(({ value }) => keyOf(value) === keyOf(run));
      for (const { key } of [...same, ...stored(appliedOf(run), Applied)]) storage?.removeItem(key);
    },
    applied: (run) => stored(appliedOf(run), Applied).map(({ value }) => value),
    recorder: (run) => {
      const earlier = new Map(runs.applied(run).map(({ row, steps = [] }) => [row.id, steps]));
      return (row, now) => {
        const steps = [...(earlier.get(row.id) ?? []), ...now].filter(({ call }) => call !== undefined);
        const key = `${appliedOf(run)}${row.id}`;
        if (steps.length === 0) storage?.removeItem(key);
        else writeStored(storage, key, { row, taken: steps });
      };
    },
    settle: (run, rows) => {
      for (const { id } of rows) storage?.removeItem(`${appliedOf(run)}${id}`);
      runs.leave(run, run.rows);
    },
  };
  return runs;
}
