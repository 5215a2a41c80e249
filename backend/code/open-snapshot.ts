import { externalSource } from '@repoless/contract/code-source.ts';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { setImmediate } from 'node:timers/promises';
import type { Reads } from '../domain/ports.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type ByogitOrigin, byogitSnapshot } from './byogit-snapshot.ts';
import { type GitServices, gitSnapshot } from './git-snapshot.ts';
import { type CodeOrigin, originOf, shareOf } from './rules/code-origin.ts';
import type { BranchProbe, BranchState } from './rules/ports.ts';
import { type Snapshot, type SyncContext, SyncProblem } from './snapshot.ts';

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

interface OpenQuestions {
  /** Questions for this repository that wait or are under way. */
  open: number;
  /** The newest question when the repository was last found not to answer, and what was said then. */
  silence?: { readonly upTo: number; readonly answer: BranchState };
}

/**
 * Queries repositories in turn. If a repository was found unreachable while a query waited, the query is answered with that; later queries try
 * again.
 */
export function shareSilence(look: BranchProbe, inTurn: <T>(share: string, work: () => Promise<T>) => Promise<T>): BranchProbe {
  const repositories = new Map<string, OpenQuestions>();
  let count = 0;
  return async (origin, asked) => {
    const number = (count += 1);
    const known = repositories.get(origin.key) ?? { open: 0 };
    repositories.set(origin.key, known);
    known.open += 1;
    try {
      return await inTurn(shareOf(origin, asked.org), async () => {
        if (known.silence !== undefined && number <= known.silence.upTo) {
          // All of them at once would be answered in one turn of the event loop.
          await setImmediate();
          return known.silence.answer;
        }
        const answer = await look(origin, asked);
        if (answer.state === 'unreachable') known.silence = { upTo: count, answer };
        return answer;
      });
    } finally {
      known.open -= 1;
      if (known.open === 0) repositories.delete(origin.key);
    }
  };
}
