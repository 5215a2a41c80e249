import type { CodeOrigin } from './rules/code-origin.ts';
import { originOf } from './rules/code-origin.ts';
import type { Reads } from '../domain/ports.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { byogitSnapshot } from './byogit/byogit-snapshot.ts';
import type { ByogitOrigin } from './byogit/byogit-calls.ts';
import { gitSnapshot } from './git/git-snapshot.ts';
import type { GitServices } from './git/git-snapshot.ts';
import type { Snapshot, SyncContext } from './snapshot.ts';
import { SyncProblem } from './sync-problem.ts';

export interface SnapshotServices extends GitServices {
  readonly reads: Pick<Reads, 'secretHolder' | 'secret' | 'site'>;
  readonly box: SecretBox;
}

/** The newest commit of a branch, from wherever its code comes. */
export async function openSnapshot(
  services: SnapshotServices,
  origin: CodeOrigin,
  asked: { readonly ref: string; readonly branch: string },
  around: SyncContext,
): Promise<Snapshot> {
  switch (origin.type) {
    case 'github':
      return await gitSnapshot(services, origin, asked, around);
    case 'byogit':
      return await byogitSnapshot(services, origin, asked.branch, await secretOf(services, origin), around);
    default:
      return origin satisfies never;
  }
}

/**
 * The secret of an external repository, opened for this one sync. It is only ever sent to the addresses that its holder has
 * set: a further site that gives others for the same repository gets nothing. Nor is another secret of the holder sent than that of its
 * repository, whichever the code source names (docs/contract.md 3.7).
 */
export async function secretOf({ reads, box }: SnapshotServices, origin: ByogitOrigin): Promise<SealedValue | undefined> {
  const holder = await reads.secretHolder(origin.org, origin.repository);
  if (holder === undefined) return undefined;
  const site = await reads.site(holder.org, holder.site);
  if (originOf(holder.org, site?.aggregate.code)?.key !== origin.key) {
    throw new SyncProblem(
      `The addresses of the code source differ from those of site "${holder.org}/${holder.site}", which holds the secret. Set the same code.source.url and raw_url.`,
    );
  }
  const { secretId = REPOSITORY_SECRET } = externalSource(site?.aggregate.code) ?? {};
  if (secretId !== REPOSITORY_SECRET) throw otherSecret(secretId);
  const stored = await reads.secret(holder.org, holder.site, REPOSITORY_SECRET);
  if (stored === undefined) return undefined;
  try {
    return box.open(stored.sealed, stored);
  } catch (cause) {
    const sentence = `The secret "${REPOSITORY_SECRET}" of site "${holder.org}/${holder.site}" cannot be opened with the keys of the service. Set it again.`;
    throw new SyncProblem(sentence, { cause });
  }
}

function otherSecret(name: string): SyncProblem {
  const sentence = `The code source names the secret "${name}", but only the secret "${REPOSITORY_SECRET}" is ever sent to a repository.`;
  return new SyncProblem(`${sentence} Store its secret as "${REPOSITORY_SECRET}", and name that.`);
}
