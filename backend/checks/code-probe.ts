import type { JobStatus } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { EDITOR_FILES } from '@repoless/core/go-live/gate.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import { jobListEntry, jobView } from '../code/jobs/job-view.ts';
import type { CodeOrigin } from '../code/rules/code-origin.ts';
import type { CodeFiles, CodeStore } from '../code/rules/ports.ts';

/** The main branch of an origin: its latest sync, and which of the editor's files are served (none is known where no code is). */
export interface ProbedCode {
  /** `owner/name` */
  readonly repository: string;
  readonly sync: Known<JobStatus>;
  readonly files: ReadonlyMap<string, boolean>;
}

export type CodeProbe = (origin: CodeOrigin) => Promise<ProbedCode>;

/** Hundreds of sites share a repository, which is looked at once for all sites of a batch. */
export function codeProbe(code: Pick<CodeStore, 'jobs'>, files: CodeFiles): CodeProbe {
  const looks = new Map<string, Promise<ProbedCode>>();
  return (origin) => {
    const look = looks.get(origin.key) ?? lookAt(code, files, origin);
    looks.set(origin.key, look);
    return look;
  };
}

async function lookAt(code: Pick<CodeStore, 'jobs'>, files: CodeFiles, { key, owner, repo }: CodeOrigin): Promise<ProbedCode> {
  const [jobs, { state }] = await Promise.all([code.jobs(key, DEFAULT_REF, 1), files.standing(key, DEFAULT_REF)]);
  const [latest] = jobs;
  const status: JobStatus = {
    ...(latest === undefined ? {} : jobView(latest)),
    topic: 'code',
    jobs: jobs.map((job) => jobListEntry(job, '')),
    links: { self: '' },
  };
  const served =
    state === 'served'
      ? await Promise.all(
          EDITOR_FILES.map(async (path) => [path, (await files.find(key, DEFAULT_REF, path.slice(1))) !== undefined] as const),
        )
      : [];
  return { repository: `${owner}/${repo}`, sync: { state: 'known', value: status }, files: new Map(served) };
}
