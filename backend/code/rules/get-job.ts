import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { isStranger } from '../../access/permit.ts';
import { etagOf } from '../../domain/documents.ts';
import type { Context, Input, Operation } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { findJob, findOrigin, jobData, jobListEntry, jobsAddress, jobView, shownCommits, shownRollBack } from './job-view.ts';
import type { JobRunner } from './ports.ts';

type GetJob = (typeof endpoints)['getJob'];

/** The status of a branch's code sync (call 7): one look-up, whatever the number of sites that share the repository. */
export function getJob(runner: Runner): Operation<GetJob> {
  const streams = createJobStreams();
  return async (context, input) => {
    const { org } = input.params;
    const status = await readStatus(context, input.params, runner);
    if (!(input.headers['accept'] ?? '').includes(EVENT_STREAM)) return { result: 'done', body: status };
    const stream = streams.counted(context, org, () => events(context, input, runner));
    return { result: 'done', headers: { 'content-type': EVENT_STREAM }, stream };
  };
}

export const getNamedJob: Operation<(typeof endpoints)['getNamedJob']> = async (context, { params }) => {
  const { job, reader } = await findJob(context, params);
  const list = jobsAddress(params);
  const self = `${list}/${params.name}`;
  const body = { ...jobView(job, reader), links: { self, details: `${self}/details`, list } };
  return { result: 'done', body, etag: etagOf(body) };
};

export const getJobDetails: Operation<(typeof endpoints)['getJobDetails']> = async (context, { params }) => {
  const { job, reader } = await findJob(context, params);
  const list = jobsAddress(params);
  const about = `${list}/${params.name}`;
  const links = { self: `${about}/details`, job: about, list };
  return { result: 'done', body: { ...jobView(job, reader), data: jobData(job, reader), links } };
};

type Runner = Pick<JobRunner, 'nextChange' | 'waitsFor'>;

async function readStatus(context: Context, params: Input<GetJob>['params'], runner: Runner): Promise<JobStatus> {
  const { origin, reader } = await findOrigin(context, params);
  const { code } = context.store;
  const [jobs, branch] = await Promise.all([code.jobs(origin.key, params.ref, SHOWN_JOBS), code.commits(origin.key, params.ref)]);
  const self = jobsAddress(params);
  const [latest] = jobs;
  return {
    ...(latest !== undefined && jobView(latest, reader, runner.waitsFor(latest, params.org))),
    topic: 'code',
    ...(branch !== undefined && {
      served: branch.served.sha,
      commits: shownCommits(branch, origin, reader),
      ...shownRollBack(branch, origin, reader),
    }),
    jobs: jobs.map((job) => jobListEntry(job, self, reader)),
    links: { self },
  };
}

/** Streams the status, and again whenever it changes. Ends after a while, so that callers who lost their role see no more. */
async function* events(context: Context, { params }: Input<GetJob>, runner: Runner): AsyncGenerator<string> {
  const end = context.now().getTime() + LIMITS.jobStreamTime;
  let told = '';
  let silent = 0;
  do {
    const { origin } = await findOrigin(context, params);
    const change = runner.nextChange(origin.key, params.ref);
    const status = JSON.stringify(await readStatus(context, params, runner));
    silent = status === told ? silent + 1 : 0;
    if (status !== told) yield `event: job\ndata: ${status}\n\n`;
    else if (silent % LOOKS_BETWEEN_SIGNS === 0) yield ': still here\n\n';
    told = status;
    if (!(await change)) return;
  } while (context.now().getTime() < end);
}

const EVENT_STREAM = 'text/event-stream';
const SHOWN_JOBS = 20;
const LOOKS_BETWEEN_SIGNS = 15;

/** What a stream counts for. */
interface Place {
  readonly key: string;
  readonly most: number;
  /** Says how many streams are open. */
  readonly full: string;
}

/** The open streams of jobs of a process: each queries the storage at each change. */
function createJobStreams() {
  const open = new Map<string, number>();
  const requireCapacity = (places: readonly Place[]) => {
    const full = places.find(({ key, most }) => (open.get(key) ?? 0) >= most);
    if (full !== undefined) throw tooMany(full);
  };
  async function* counting(places: readonly Place[], pieces: () => AsyncIterable<string>): AsyncGenerator<string> {
    // Others may have started meanwhile: this one is cut off then, and the next request gets the reason.
    requireCapacity(places);
    for (const { key } of places) open.set(key, (open.get(key) ?? 0) + 1);
    try {
      yield* pieces();
    } finally {
      for (const { key } of places) {
        const left = (open.get(key) ?? 1) - 1;
        if (left === 0) open.delete(key);
        else open.set(key, left);
      }
    }
  }
  return {
    /**
     * Counts a stream while it is read. Refuses with OVERLOADED at the limit; callers without a role in the organization do not use the
     * slots of those who have one.
     */
    counted(context: Context, org: string, pieces: () => AsyncIterable<string>): AsyncGenerator<string> {
      const places = placesOf(context, org);
      requireCapacity(places);
      return counting(places, pieces);
    },
  };
}

function placesOf({ caller, address, permitted }: Context, org: string): Place[] {
  const stored = permitted?.org;
  if (caller.kind === 'anonymous' || stored === undefined || isStranger(caller, stored.config, permitted?.site?.aggregate)) {
    return [
      {
        key: `strangers ${org}`,
        most: LIMITS.jobStreamsOfStrangers,
        full: `Callers without a role in this organization already have ${LIMITS.jobStreamsOfStrangers} open job streams.`,
      },
      {
        key: `network ${address}`,
        most: LIMITS.jobStreamsOfNetwork,
        full: `Callers without a role have ${LIMITS.jobStreamsOfNetwork} job streams open from your address.`,
      },
    ];
  }
  return [
    { key: `org ${org}`, most: LIMITS.jobStreams, full: `This organization has ${LIMITS.jobStreams} job streams open.` },
    {
      key: `person ${org} ${caller.email.toLowerCase()}`,
      most: LIMITS.jobStreamsOfPerson,
      full: `You have ${LIMITS.jobStreamsOfPerson} job streams open in this organization.`,
    },
  ];
}

function tooMany({ full }: Place): Refusal {
  return new Refusal('OVERLOADED', `${full} Close some, or read the job without a stream.`, { retryAfter: 10 });
}
