import type { CodeSource } from '@repoless/contract/code-source.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { originOf } from '../rules/code-origin.ts';
import type { CodeOrigin } from '../rules/code-origin.ts';
import type { Reads } from '../../domain/ports.ts';
import { createOrJoinSync } from './create-or-join-sync.ts';
import type { SyncServices } from './create-or-join-sync.ts';

export interface FirstSyncServices extends SyncServices {
  readonly reads: Pick<Reads, 'secretHolder' | 'secret'>;
}

/** Syncs that nobody asks for. They never fail the call that sets them off. */
export interface FirstSyncs {
  /** A site has this code now: `main` is synchronised where no sync of it succeeded yet. */
  codeStored(org: string, code: CodeSource | undefined): Promise<void>;
  /** The secret of the site's repository is another: what failed for its secret is synchronised again. */
  secretStored(org: string, code: CodeSource | undefined): Promise<void>;
}

export function firstSyncs(services: FirstSyncServices): FirstSyncs {
  const { code: jobs } = services;
  // Nothing of it is remembered: any node may remove code that no site has.
  const isServed = async ({ key }: CodeOrigin): Promise<boolean> => (await jobs.branch(key, DEFAULT_REF)) !== undefined;

  return {
    async codeStored(org, code) {
      const origin = originOf(org, code);
      if (origin === undefined || (await isServed(origin))) return;
      const [latest] = await jobs.jobs(origin.key, DEFAULT_REF, 1);
      if ((latest !== undefined && latest.record.state !== 'stopped') || (await awaitsSecret(services, origin))) return;
      await createOrJoinSync(services, { origin, branch: DEFAULT_REF, user: 'first sync', org });
    },
    async secretStored(org, code) {
      const origin = originOf(org, code);
      if (origin?.type !== 'byogit') return;
      for (const ref of new Set([DEFAULT_REF, ...(await jobs.refs(origin.key))])) {
        const [latest] = await jobs.jobs(origin.key, ref, 1);
        const isFirst = latest === undefined || (ref === DEFAULT_REF && !(await isServed(origin)));
        // One that is under way may have been refused already: it looks once more.
        const isDue = isFirst || latest.record.state !== 'stopped' || SECRET_REFUSED.test(latest.record.error ?? '');
        if (!isDue) continue;
        const branch = latest?.record.data.branch ?? ref;
        await createOrJoinSync(services, { origin, branch, user: isFirst && latest === undefined ? 'first sync' : 'new secret' });
      }
    },
  };
}

/** Whether the secret of an external repository is still to come: without it a sync could only fail. */
async function awaitsSecret({ reads }: FirstSyncServices, origin: CodeOrigin): Promise<boolean> {
  if (origin.type !== 'byogit') return false;
  const holder = await reads.secretHolder(origin.org, origin.repository);
  if (holder === undefined) return false;
  return (await reads.secret(holder.org, holder.site, REPOSITORY_SECRET)) === undefined;
}

const SECRET_REFUSED = /^Unable to fetch .*: 40[13]\b|^The secret "/;
