import { setTimeout as later } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { oldEntries } from '#backend/domain/audit/old-entries.ts';
import type { TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import type { LinkedEntry } from '#backend/domain/audit/ports.ts';
import type { Store } from '#backend/domain/ports.ts';
import type { Settings } from '../config.ts';
import { trailsOf, writeArchive } from './audit-archive.ts';
import { UsageError } from './usage-error.ts';
import { trailKeys } from './verify.ts';
import { sealTrails, withStore } from './with-store.ts';

/** Where a piece of a trail ends that is removed at once. */
interface Step {
  readonly entry: number;
  readonly hash: string;
}

/** What is removed of one organization: its entries up to each of these, the last of which is the last of the archive. */
interface Removal {
  readonly org: string;
  readonly steps: readonly Step[];
  readonly entries: number;
}

/**
 * `audit prune --before <date> --archive <file> [--org <organization>]`: writes the entries that are older to a file, and removes them while the service
 * runs or not. They are verified before, with all that follows them; nothing is removed that is not in the file. Cut off at any moment
 * each trail begins behind what was removed, and the command is given again with another file.
 */
export async function pruneAudit(args: readonly string[], settings: Settings): Promise<number> {
  const { before, archive, org } = readOptions(args);
  const keys = await trailKeys(settings.SECRET_KEY_FILE);
  // What is not sealed yet is, when a store has closed.
  await sealTrails(settings, keys);
  return await withStore(
    settings,
    async (store) => {
      if (org !== undefined) await requireTrail(store, org);
      const removals: Removal[] = [];
      const entries = await writeArchive(archive, async (add) => {
        for await (const one of org === undefined ? orgsWithTrail(store) : [org]) {
          const removal = await archived(store, one, before, add);
          if (removal !== undefined) removals.push(removal);
        }
      });
      if (entries === 0) {
        process.stdout.write('No sealed entry is old enough. Nothing was removed, and no archive was created.\n');
        return 0;
      }
      await requireArchived(archive, removals);
      for (const removal of removals) await remove(store, keys, removal);
      process.stdout.write(`Entries ${entries}: removed. Keep ${archive}: it is now their only copy.\n`);
      return 0;
    },
    keys,
  );
}

function readOptions(args: readonly string[]) {
  const { before: date, archive, org } = parsedArgs(args);
  if (date === undefined || archive === undefined)
    throw new UsageError('Say how old, and where to: audit prune --before <date> --archive <file> [--org <organization>].');
  const before = new Date(date);
  if (!DATE.test(date) || Number.isNaN(before.getTime()))
    throw new UsageError(`"${date}" is not a date. Use 2026-01-31, or a time in UTC like 2026-01-31T09:00:00Z.`);
  if (before.getTime() > Date.now()) throw new UsageError(`${date} is in the future. Use a date in the past.`);
  return { before, archive, org };
}

function parsedArgs(args: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { before: option, archive: option, org: option } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : '');
  }
}

/** What is misspelt has no old entries either, and would look as if it were done. */
async function requireTrail({ reads }: Store, org: string): Promise<void> {
  const { entries, unchained } = await reads.auditHead(org);
  if (entries + unchained.length > 0) return;
  throw new UsageError(`No organization "${org}" has an audit trail here. Check its name: audit prune … --org <organization>.`);
}

async function* orgsWithTrail({ trails }: Store): AsyncGenerator<string> {
  for (let after = ''; ;) {
    const page = await trails.orgs({ after, limit: PAGE });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** Gives the old entries of a trail to the archive. Rejects with a sentence where the trail is not as it was written, up to its end. */
async function archived(
  { reads }: Store,
  org: string,
  before: Date,
  add: (entry: LinkedEntry) => Promise<void>,
): Promise<Removal | undefined> {
  const steps: Step[] = [];
  let [entries, last]: [number, LinkedEntry | undefined] = [0, undefined];
  for await (const entry of oldEntries(reads, org, before)) {
    await add(entry);
    entries += 1;
    if (entries % AT_ONCE === 0) steps.push({ entry: entry.seq, hash: entry.hash });
    last = entry;
  }
  if (last === undefined) return undefined;
  if (steps.at(-1)?.entry !== last.seq) steps.push({ entry: last.seq, hash: last.hash });
  // Only with all that follows it up to its seal is it known that nobody wrote it anew.
  const [stored] = await reads.auditChain(org, { after: last.seq - 1, limit: 1 });
  const { broken, sealed } = await verifyChain(reads, org, { after: last.seq });
  const problem = broken?.sentence ?? (sealed === undefined || stored?.hash !== last.hash ? 'It was changed in the meantime.' : undefined);
  if (problem !== undefined) throw new Error(`The audit trail of "${org}" was altered, so nothing was removed. ${problem}`);
  return { org, steps, entries };
}

/** Reads what was written, before the only other copy goes. */
async function requireArchived(archive: string, removals: readonly Removal[]): Promise<void> {
  const ends = new Map((await trailsOf(archive)).map(({ org, last }) => [org, last]));
  for (const { org, steps } of removals) {
    const [wanted, found] = [steps.at(-1), ends.get(org)];
    if (found === undefined || found.entry !== wanted?.entry || found.hash !== wanted.hash)
      throw new Error(`The archive ${archive} does not contain what was written to it, so nothing was removed.`);
  }
}

async function remove({ trails }: Store, keys: TrailKeys, { org, steps, entries }: Removal): Promise<void> {
  for (const step of steps) {
    const anchor = { org, ...step, removed: new Date().toISOString() };
    await trails.removeUpTo(anchor, keys.sealAnchor(anchor));
    // The service writes between two pieces.
    await later(PAUSE);
  }
  const last = steps.at(-1);
  process.stdout.write(`${org}: entries ${entries}, up to ${last?.entry}, hash ${last?.hash}.\n`);
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/;
const PAGE = 500;
/** Entries that one statement removes. */
const AT_ONCE = 500;
/** Milliseconds. */
const PAUSE = 20;
