import type { endpoints } from '#contract/endpoints.ts';
import type { JobStatus } from '#contract/job.ts';
import type { Context } from '../context.ts';
import type { JobRunner } from '../code/ports.ts';
import type { Input, Verb } from '../verb.ts';
import { findJob, findOrigin } from './find-job.ts';
import { jobListEntry, jobsAddress, jobView } from './job-view.ts';

type GetJob = (typeof endpoints)['getJob'];

/** How the code sync of a branch stands (call 7): one look-up, whatever the number of sites that share the repository. */
export function getJob(runner: Pick<JobRunner, 'nextChange'>): Verb<GetJob> {
  return async (context, input) => {
    const status = await readStatus(context, input.params);
    if (!(input.headers['accept'] ?? '').includes(EVENT_STREAM)) return { status: 200, body: status };
    return { status: 200, headers: { 'content-type': EVENT_STREAM }, stream: events(context, input, runner) };
  };
}

export const getNamedJob: Verb<(typeof endpoints)['getNamedJob']> = async (context, { params }) => {
  const { job, showsUser } = await findJob(context, params);
  return { status: 200, body: jobView(job, showsUser) };
};

export const getJobDetails: Verb<(typeof endpoints)['getJobDetails']> = async (context, { params }) => {
  const { job, showsUser } = await findJob(context, params);
  return { status: 200, body: { ...jobView(job, showsUser), data: job.record.data } };
};

async function readStatus(context: Context, params: Input<GetJob>['params']): Promise<JobStatus> {
  const { origin, showsUser } = await findOrigin(context, params);
  const jobs = await context.store.code.jobs(origin.key, params.ref, SHOWN_JOBS);
  const self = jobsAddress(params);
  const [latest] = jobs;
  return {
    ...(latest !== undefined && jobView(latest, showsUser)),
    topic: 'code',
    jobs: jobs.map((job) => jobListEntry(job, self)),
    links: { self },
  };
}

/** The status, and again whenever it is another one. It ends after a while, so that who lost their rights see no more. */
async function* events(context: Context, { params }: Input<GetJob>, runner: Pick<JobRunner, 'nextChange'>): AsyncGenerator<string> {
  const end = context.now().getTime() + LONGEST_STREAM;
  let told = '';
  let silent = 0;
  do {
    const { origin } = await findOrigin(context, params);
    const change = runner.nextChange(origin.key, params.ref);
    const status = JSON.stringify(await readStatus(context, params));
    silent = status === told ? silent + 1 : 0;
    if (status !== told) yield `event: job\ndata: ${status}\n\n`;
    else if (silent % LOOKS_BETWEEN_SIGNS === 0) yield ': still here\n\n';
    told = status;
    if (!(await change)) return;
  } while (context.now().getTime() < end);
}

const EVENT_STREAM = 'text/event-stream';
const SHOWN_JOBS = 20;
const LONGEST_STREAM = 15 * 60 * 1000;
const LOOKS_BETWEEN_SIGNS = 15;
