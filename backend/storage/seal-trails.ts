import { setTimeout as later } from 'node:timers/promises';
import { sql } from 'kysely';
import { verifyChain } from '#backend/domain/audit/verify-chain.ts';
import type { SealedEnd, TrailKeys } from '#backend/domain/audit/trail-keys.ts';
import type { AuditSeal } from '#backend/domain/audit/ports.ts';
import type { Reads } from '#backend/domain/ports.ts';
import { nextTurn } from '#backend/domain/turn.ts';
import { text } from './row.ts';
import type { Query } from './sql-reads.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';

export interface TrailSealer {
  readonly reads: Reads;
  /** The trail of this organization grew. */
  audited(org: string): void;
  /** Seals what is not sealed yet, and ends. */
  close(): Promise<void>;
}

interface SealerOptions {
  readonly reads: Reads;
  readonly read: Query;
  readonly change: Query;
  readonly keys: TrailKeys;
  log(message: string, error: unknown): void;
}

/**
 * Seals the audit trails: those that are not at the start, then each within about a second of its growing. What is behind the last seal is
 * verified before it is sealed, so that nothing that somebody else wrote is made genuine. Without keys it does nothing.
 */
export function sealTrails(
  compile: Compile,
  { reads, keys, ...options }: Omit<SealerOptions, 'keys'> & { keys: TrailKeys | undefined },
): TrailSealer {
  return keys === undefined
    ? { reads, audited: () => undefined, close: async () => undefined }
    : trailSealer(compile, { reads, keys, ...options });
}

function trailSealer(compile: Compile, { reads, read, change, keys, log }: SealerOptions): TrailSealer {
  const statements = sealStatements(compile);
  const waiting = new Set<string>();
  /** What this node sealed, to know where a seal is taken away while it runs. */
  const made = new Map<string, SealedEnd>();
  const stopped = new AbortController();
  let working: Promise<void> | undefined;
  const known: Reads = {
    ...reads,
    async auditSeal(org) {
      // What is made while it is read need not be in it.
      const before = made.get(org);
      return trusted(await reads.auditSeal(org), before);
    },
  };

  async function seal(org: string): Promise<void> {
    const last = await known.auditSeal(org);
    let [after, hash] = [0, ''];
    if (last !== undefined) {
      const [sealed] = await reads.auditChain(org, { after: last.entry - 1, limit: 1 });
      const whole = last.trust === 'genuine' && sealed?.seq === last.entry && sealed.hash === last.hash;
      if (!whole) return log(`The audit trail of "${org}" does not match its seal and is no longer being sealed. Verify it.`, undefined);
      [after, hash] = [last.entry, last.hash];
    }
    for (let goesOn = true; goesOn; await nextTurn()) {
      const chain = await verifyChain(known, org, { after, limit: PIECE });
      if (chain.broken !== undefined)
        return log(`The audit trail of "${org}" is no longer being sealed. ${chain.broken.sentence}`, undefined);
      [after, hash, goesOn] = [chain.verified.to, chain.hash, chain.goesOn];
    }
    if (after === 0) return;
    const end: SealedEnd = { org, since: last?.since ?? after, entry: after, hash };
    await change(statements.put, { ...end, ...keys.seal(end) });
    made.set(org, end);
    await sealAnchor(org);
  }

  /** That it fits was found out with the trail. */
  async function sealAnchor(org: string): Promise<void> {
    const anchor = await reads.auditAnchor(org);
    if (anchor === undefined || anchor.key === keys.newest || anchor.trust !== 'genuine') return;
    await change(statements.putAnchorSeal, { org, entry: anchor.entry, ...keys.sealAnchor(anchor) });
  }

  async function work(): Promise<void> {
    while (waiting.size > 0) {
      // What grows meanwhile is sealed together.
      await later(PAUSE, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
      const orgs = [...waiting];
      waiting.clear();
      for (const org of orgs) await seal(org).catch((error: unknown) => log(`The audit trail of "${org}" could not be sealed.`, error));
    }
    working = undefined;
  }

  function audited(org: string): void {
    waiting.add(org);
    working ??= work();
  }

  async function begin(): Promise<void> {
    for (let after = ''; !stopped.signal.aborted;) {
      const orgs = (await read(statements.unsealed, { after, newest: keys.newest })).map((row) => text(row, 'org'));
      orgs.forEach(audited);
      const last = orgs.at(-1);
      if (last === undefined || orgs.length < UNSEALED_AT_ONCE) return;
      after = last;
    }
  }

  const begun = begin().catch((error: unknown) => log('The audit trails could not be sealed.', error));
  return {
    reads: known,
    audited,
    async close() {
      stopped.abort();
      await begun;
      await working;
    },
  };
}

/** A seal that is gone, or older than one that was made here, was taken away. */
function trusted(found: AuditSeal | undefined, made: SealedEnd | undefined): AuditSeal | undefined {
  if (made === undefined || (found !== undefined && found.entry >= made.entry)) return found;
  return { ...made, trust: 'removed' };
}

/** Milliseconds between a change and its seal, for many changes at once. */
const PAUSE = 1000;
/** Entries that are verified before others have their turn. */
const PIECE = 1000;

/** What seals audit trails. */
function sealStatements(compile: Compile) {
  const row = {
    org: slot<string>('org'),
    since: slot<number>('since'),
    entry: slot<number>('entry'),
    hash: slot<string>('hash'),
    key: slot<string>('key'),
    seal: slot<string>('seal'),
  };
  return {
    /** Another node may have sealed more meanwhile: that stays. */
    put: compile('put-audit-seal', (db) =>
      db
        .insertInto('audit_seals')
        .values(row)
        .onConflict((conflict) => conflict.column('org').doUpdateSet(row).where('audit_seals.entry', '<=', row.entry)),
    ),
    /** The same anchor under another key. */
    putAnchorSeal: compile('put-anchor-seal', (db) =>
      db.updateTable('audit_anchors').set({ key: row.key, seal: row.seal }).where('org', '=', row.org).where('entry', '=', row.entry),
    ),
    /** Organizations whose trail goes on behind its seal, or whose seal or anchor another key sealed. */
    unsealed: compile('unsealed-trails', (db) =>
      db
        .selectFrom('audit_heads')
        .leftJoin('audit_seals', 'audit_seals.org', 'audit_heads.org')
        .leftJoin('audit_anchors', 'audit_anchors.org', 'audit_heads.org')
        .select('audit_heads.org')
        .where('audit_heads.org', '>', slot<string>('after'))
        .where((or) =>
          or.or([
            or('audit_seals.entry', 'is', null),
            or('audit_seals.entry', '<', sql<number>`audit_heads.entries`),
            or('audit_seals.key', '<>', slot<string>('newest')),
            or('audit_anchors.key', '<>', slot<string>('newest')),
          ]),
        )
        .orderBy('audit_heads.org')
        .limit(UNSEALED_AT_ONCE),
    ),
  };
}

const UNSEALED_AT_ONCE = 500;
