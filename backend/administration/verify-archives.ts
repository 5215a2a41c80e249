import { join } from 'node:path';
import type { Reads } from '#backend/domain/ports.ts';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import { writableAddress } from '#backend/storage/postgres/servers.ts';
import { openCopy } from '#backend/storage/verify/open-copy.ts';
import type { Settings } from '../config.ts';
import { readArchive, trailsOf } from './audit-archive.ts';
import type { ArchivedTrail } from './audit-archive.ts';
import { DATABASE_FILE } from './database-file.ts';
import { UsageError } from './usage-error.ts';
import { trailKeys } from './verify.ts';

/** A piece of a trail, and the hashes that its file has of entries where others end. */
interface Piece extends ArchivedTrail {
  readonly file: string;
  readonly hashes: ReadonlyMap<string, string>;
}

/**
 * `audit verify-archive <file> …`: whether files that `audit prune` made are as they were written: each entry follows the one before it, and what is
 * left in the database of these settings, or a later one of the files, goes on from the last. Out: 1 where it does not, a sentence for each.
 */
export async function verifyArchives(files: readonly string[], settings: Settings): Promise<number> {
  if (files.length === 0) throw new UsageError('Specify the archives: audit verify-archive <file> ….');
  const address = settings.DATABASE_URL?.reveal();
  const place = address === undefined ? join(settings.DATA_DIR, DATABASE_FILE) : await writableAddress(address);
  const copy = await openCopy(place, await trailKeys(settings.SECRET_KEY_FILE));
  try {
    const genuine: Piece[] = [];
    let faults = 0;
    // What goes on from a piece ends behind it, and is judged before it.
    for (const piece of (await piecesOf(files)).toSorted((a, b) => b.last.entry - a.last.entry)) {
      const fault = await faultOf(piece, copy.reads, genuine);
      const what = `${piece.file}: entries ${piece.first.entry} to ${piece.last.entry} of "${piece.org}"`;
      if (fault === undefined) genuine.push(piece);
      else faults += 1;
      if (fault === undefined) process.stdout.write(`${what} are unaltered.\n`);
      else process.stderr.write(`${what}: ${fault}\n`);
    }
    return faults === 0 ? 0 : 1;
  } finally {
    await copy.close();
  }
}

async function piecesOf(files: readonly string[]): Promise<readonly Piece[]> {
  const trails: (ArchivedTrail & { readonly file: string })[] = [];
  for (const file of files) for (const trail of await trailsOf(file)) trails.push({ ...trail, file });
  const ends = new Set(trails.map(endOf));
  const hashes = new Map(files.map((file) => [file, new Map<string, string>()]));
  for (const [file, found] of hashes) {
    for await (const { org, seq, previous, hash } of readArchive(file)) {
      const [before, own] = [endOf({ org, last: { entry: seq - 1 } }), endOf({ org, last: { entry: seq } })];
      if (ends.has(before)) found.set(before, previous);
      if (ends.has(own)) found.set(own, hash);
    }
  }
  return trails.map((trail) => ({ ...trail, hashes: hashes.get(trail.file) ?? new Map() }));
}

function endOf({ org, last: { entry } }: { readonly org: string; readonly last: { readonly entry: number } }): string {
  return `${org}/${entry}`;
}

/** Why it is not known that a piece is as it was written, a sentence. */
async function faultOf(piece: Piece, reads: Reads, genuine: readonly Piece[]): Promise<string | undefined> {
  const { org, last } = piece;
  const anchor = await reads.auditAnchor(org);
  const isLater = last.entry < (anchor?.entry ?? 0);
  if (!isLater) {
    const { broken, sealed } = await verifyChain(reads, org);
    if (broken !== undefined) return `the trail in the database was altered. ${broken.sentence}`;
    if (sealed === undefined) return 'the trail in the database does not exist, or is not sealed.';
  }
  const known = isLater
    ? genuine.find((one) => one.org === org && one.hashes.has(endOf(piece)))?.hashes.get(endOf(piece))
    : last.entry === anchor?.entry
      ? anchor.hash
      : (await reads.auditChain(org, { after: last.entry - 1, limit: 1 }))[0]?.hash;
  if (known === last.hash) return undefined;
  if (known === undefined && isLater)
    return `later entries were removed, too. Specify the archive that continues with entry ${last.entry + 1}.`;
  return 'the trail does not continue from these archives, but from others.';
}
