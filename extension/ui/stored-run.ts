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
  title: z.exactOptional(z.string()),
  siteName: z.string(),
  contentRoot: z.string(),
  mappings: z.array(z.string()),
  includes: z.exactOptional(z.array(z.string())),
  givesUpIncludes: z.exactOptional(z.literal(true)),
  configurationPage: z.exactOptional(z.string()),
  cloudConfiguration: z.exactOptional(z.string()),
  technicalAccount: z.string(),
});
const Run = z.object({
  base: z.string(),
  author: z.string(),
  page: z.string(),
  inherited: z.exactOptional(z.string()),
  environments: z.array(z.object({ author: z.string(), technicalAccount: z.exactOptional(z.string()) })),
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
      .flatMap((key) => {
        const run = readStored(storage, key, Run);
        return run === undefined ? [] : [{ key, run }];
      });
  return {
    all: () => stored().map(({ run }) => run),
    keep: (run) => writeStored(storage, keyOf(run), run),
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

/** What the browser stores under a key. Written by another version of the panel, or by hand: what does not fit is as good as not there. */
export function readStored<T>(storage: Storage | undefined, key: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(storage?.getItem(key) ?? '')).data;
  } catch {
    return undefined;
  }
}

/** Stores a value. If storage is full, it just doesn't outlive the tab. */
export function writeStored(storage: Storage | undefined, key: string, value: unknown): void {
  try {
    storage?.setItem(key, JSON.stringify(value));
  } catch {
    return;
  }
}
