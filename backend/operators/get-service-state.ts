import { JobState } from '@repoless/contract/job.ts';
import { QUOTA_NAMES, type ServiceState } from '@repoless/contract/operator.ts';
import type { Context } from '../domain/context.ts';
import type { WaitingWork } from '../domain/ports.ts';
import type { Quotas } from '../domain/documents.ts';

export interface ProgramFacts {
  readonly version: string;
  readonly node: string;
  readonly started: Date;
  /** Its unexpected errors, the newest first. */
  failures(): ServiceState['failures'];
}

/** The state of the service as one node sees it. The caller of this function has checked that the requester is an operator. */
export async function getServiceState(context: Context, program: ProgramFacts): Promise<ServiceState> {
  const { store, settings, now } = context;
  const { overview } = store;
  const time = now();
  const dayBefore = new Date(time.getTime() - DAY);
  const [state, states, oldest, failed, rollouts, messages, quotas] = await Promise.all([
    getProgramState(context, program),
    overview.openJobs(),
    overview.oldestJobs(SHOWN_JOBS),
    overview.failedJobs(dayBefore),
    overview.openRollouts(),
    store.events.waiting(time),
    nearest(store.overview, settings.quotas),
  ]);
  return {
    ...state,
    jobs: {
      states: states.map(({ state, count, oldest: first }) => ({ state: JobState.parse(state), count, ...since(first) })),
      failed,
      oldest: oldest.map(({ name, ref, attempts, record }) => {
        const { owner, repo } = record.data;
        return { name, code: `${owner}/${repo}`, ref, state: record.state, created: record.createTime, attempts };
      }),
    },
    queues: {
      syncs: waiting(states.find(({ state }) => state === 'created') ?? NONE),
      rollouts: waiting(rollouts),
      messages: waiting({ count: messages.count, oldest: messages.oldest?.toISOString() }),
    },
    quotas,
  };
}

export async function getProgramState(
  { store: { overview }, now }: Pick<Context, 'now'> & { readonly store: Pick<Context['store'], 'overview'> },
  { version, node, started, failures }: ProgramFacts,
): Promise<Pick<ServiceState, 'time' | 'service' | 'storage' | 'nodes' | 'failures'>> {
  const time = now();
  const [schema, nodes] = await Promise.all([overview.schema(), overview.nodes()]);
  return {
    time: time.toISOString(),
    service: {
      version,
      node,
      started: started.toISOString(),
      uptime: Math.max(0, Math.floor((time.getTime() - started.getTime()) / 1000)),
    },
    storage: { kind: overview.kind, schema },
    nodes: [...nodes],
    failures: failures(),
  };
}

async function nearest(overview: Context['store']['overview'], quotas: Quotas): Promise<ServiceState['quotas']> {
  const used = await Promise.all(
    QUOTA_NAMES.map(async (quota) => {
      const limit = quotas[quota === 'configurationBytes' ? 'bytes' : quota];
      if (limit === undefined) return [];
      return (await overview.highest(quota, SHOWN_QUOTAS)).map(({ org, used: amount }) => ({ org, quota, used: amount, limit }));
    }),
  );
  return used
    .flat()
    .filter((one) => one.used > 0)
    .toSorted((one, other) => other.used / other.limit - one.used / one.limit)
    .slice(0, SHOWN_QUOTAS);
}

function waiting({ count, oldest }: WaitingWork) {
  return { waiting: count, ...since(oldest) };
}

function since(oldest: string | undefined) {
  return oldest === undefined ? {} : { oldest };
}

const NONE: WaitingWork = { count: 0, oldest: undefined };
const DAY = 24 * 60 * 60 * 1000;
const SHOWN_JOBS = 20;
const SHOWN_QUOTAS = 20;
