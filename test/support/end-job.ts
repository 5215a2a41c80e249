import type { CodeSource } from '@repoless/contract/code-source.ts';
import type { JobDetails } from '@repoless/contract/job.ts';
import { originOf } from '@repoless/service/code/rules/code-origin.ts';
import type { CodeOrigin } from '@repoless/service/code/rules/code-origin.ts';
import type { Store } from '@repoless/service/domain/ports.ts';

let jobs = 0;

/** A job of a branch, from its beginning to its end. */
export async function endJob(
  store: Store,
  origin: CodeOrigin,
  how: { readonly error?: string; readonly cancelled?: true },
  time = new Date(),
  ref = 'main',
): Promise<void> {
  jobs += 1;
  const name = `job-2026-03-01-10-00-00-${jobs.toString(16).padStart(8, '0')}`;
  const { owner, repo } = origin;
  const record: JobDetails = {
    topic: 'code',
    name,
    state: 'created',
    createTime: time.toISOString(),
    progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
    data: { phase: 'collect', owner, repo, ref, branch: ref, changes: [], resources: [] },
  };
  const added = await store.code.addJob({ name, key: origin.key, ref, origin, record, attempts: 0, again: false });
  const lease = { owner: 'me', until: new Date(time.getTime() + 60_000), now: time };
  const claimed = await store.code.claimJob(name, lease);
  const finished = await store.code.finishJob({ ...record, state: 'stopped', stopTime: time.toISOString(), ...how }, 'me');
  if (!added || claimed === undefined || !finished) throw new Error(`The job ${name} did not end.`);
}

export function githubOrigin(owner: string, repo: string): CodeOrigin {
  return required('acme', { owner, repo, source: { type: 'github' } });
}

export function externalOrigin(org: string): CodeOrigin {
  const source = { type: 'byogit', url: 'https://git.example.com/api', raw_url: 'https://git.example.com/raw' } as const;
  return required(org, { owner: '100', repo: '200', source });
}

function required(org: string, source: CodeSource): CodeOrigin {
  const origin = originOf(org, source);
  if (origin === undefined) throw new Error('This is no code source.');
  return origin;
}
