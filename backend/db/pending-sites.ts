import type { StoredSite } from '../domain/ports.ts';
import { isUsual } from './write-set.ts';
import type { WriteSet } from './write-set.ts';

/** A site as a write leaves it that is decided and waits for its commit. */
export interface PendingSite {
  readonly document: StoredSite;
  /** Settles when the write is acknowledged, with true, or did not come to be. Never rejects. */
  readonly stored: Promise<boolean>;
}

/** Sites by organization and name, as the last write leaves them that waits for its commit. */
export class PendingSites {
  readonly #sites = new Map<string, PendingSite>();

  get(org: string, site: string): PendingSite | undefined {
    return this.#sites.get(`${org}/${site}`);
  }

  add({ org, site }: StoredSite, pending: PendingSite): void {
    this.#sites.set(`${org}/${site}`, pending);
  }

  /** The write ended; the site is pending still where another one stands on it. */
  remove(document: StoredSite): void {
    const { org, site } = document;
    if (this.get(org, site)?.document === document) this.#sites.delete(`${org}/${site}`);
  }
}

/**
 * The site that a write leaves, where that and its version are all that the next writer of the site can meet of it. Secrets, keys and
 * what holds over profiles are read where they are stored, so that those who need them wait for the commit.
 */
export function siteLeft(writeSet: WriteSet): StoredSite | undefined {
  const [change, ...others] = writeSet.sites;
  if (change?.kind !== 'put' || change.document === undefined || others.length > 0) return undefined;
  return isUsual(writeSet) ? change.document : undefined;
}

/**
 * Whether a write cannot be stored unless that is on which it was decided: it puts the very site, and only over the version that it saw.
 * Others, e.g. of a secret of the site, do not look at its version.
 */
export function isGuardedBySite(writeSet: WriteSet, standsOn: readonly PendingSite[]): boolean {
  if (standsOn.length === 0) return true;
  const left = siteLeft(writeSet);
  return left !== undefined && standsOn.every(({ document: { org, site } }) => org === left.org && site === left.site);
}

/** Resolves when all of them ended: whether each was stored. */
export async function areStored(pending: readonly PendingSite[]): Promise<boolean> {
  return pending.length === 0 || (await Promise.all(pending.map(({ stored }) => stored))).every(Boolean);
}
