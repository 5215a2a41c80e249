import { z } from 'zod';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { SiteRow } from '@repoless/core/sites/rows.ts';

/** A run that was started and is not known to be done: enough to continue it after the tab was closed. */
export interface StoredRun {
  readonly base: string;
  readonly author: string;
  /** A page of the author, to open its tree at. */
  readonly page: string;
  readonly inherited?: string;
  readonly environments: readonly Environment[];
  /** ISO 8601. */
  readonly begun: string;
  readonly rows: readonly SiteRow[];
}

type RunKey = Pick<StoredRun, 'base' | 'author' | 'begun'>;

/** Keeps the runs of an organization, each until it is done or given up: one that begins beside another takes nothing from it. */
export interface StoredRuns {
  all(): StoredRun[];
  keep(run: StoredRun): void;
  forget(run: RunKey): void;
}

const Row = z.object({
  id: z.string(),
  title: z.string().optional(),
  siteName: z.string(),
  contentRoot: z.string(),
  mappings: z.array(z.string()),
  includes: z.array(z.string()).optional(),
  givesUpIncludes: z.literal(true).optional(),
  configurationPage: z.string().optional(),
  cloudConfiguration: z.string().optional(),
  technicalAccount: z.string(),
});
const Run = z.object({
  base: z.string(),
  author: z.string(),
  page: z.string(),
  inherited: z.string().optional(),
  environments: z.array(z.object({ author: z.string(), technicalAccount: z.string().optional() })),
  begun: z.string(),
  rows: z.array(Row).min(1),
});

/** In: where to keep them (undefined: nowhere, then nothing outlives the tab), and whose runs they are. */
export function storedRuns(storage: Storage | undefined, service: string, organization: string): StoredRuns {
  const prefix = `repoless.run ${service} ${organization} `;
  const keyOf = ({ base, author, begun }: RunKey) => `${prefix}${base} ${author} ${begun}`;
  const stored = () =>
    Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => parseRun(storage?.getItem(key) ?? null).map((run) => ({ key, run })));
  return {
    all: () => stored().map(({ run }) => run),
    keep: (run) => {
      try {
        storage?.setItem(keyOf(run), JSON.stringify(run));
      } catch {
        // A full storage only costs going on after the tab was closed.
      }
    },
    // Also one that an earlier version keeps by base site and author alone.
    forget: (asked) => {
      for (const { key, run } of stored()) if (keyOf(run) === keyOf(asked)) storage?.removeItem(key);
    },
  };
}

/** The browser's storage for this origin; undefined where a frame may not have any. */
export function lastingStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** Written by an older or newer version of the panel, or by hand: what does not fit is as good as not there. */
function parseRun(text: string | null): StoredRun[] {
  const run = Run.safeParse(parseJson(text));
  if (!run.success) return [];
  const { inherited, environments, rows, ...rest } = run.data;
  return [
    {
      ...rest,
      ...(inherited === undefined ? {} : { inherited }),
      environments: environments.map(({ author, technicalAccount }) => ({
        author,
        ...(technicalAccount === undefined ? {} : { technicalAccount }),
      })),
      rows: rows.map(({ title, includes, givesUpIncludes, configurationPage, cloudConfiguration, ...row }) => ({
        ...row,
        ...(title === undefined ? {} : { title }),
        ...(includes === undefined ? {} : { includes }),
        ...(givesUpIncludes === undefined ? {} : { givesUpIncludes }),
        ...(configurationPage === undefined ? {} : { configurationPage }),
        ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }),
      })),
    },
  ];
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
