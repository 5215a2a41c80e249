import { codeCheckEndpoints } from '@repoless/contract/code-check.ts';
import { jobEndpoints, JobStatus } from '@repoless/contract/job.ts';
import { REPOSITORY_SECRET, secretEndpoints } from '@repoless/contract/secret.ts';
import { servedCodeEndpoints } from '@repoless/contract/served-code.ts';
import { buildManagementEndpoints as rows } from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { pause } from '../run/retry.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { SiteRef, BuildManagementPort, JobUpdate, SyncPort } from '../sync/ports.ts';
import { type CallInput, type Client, type ClientAnswer, printAddress } from './client.ts';
import { parseJson, wait } from './exchange.ts';
import { done, found } from './organization-answers.ts';

export function createSyncPort(client: Client): SyncPort {
  const status = async (siteRef: SiteRef) => done(await client.call(jobEndpoints.getJob, { params: { ...siteRef } }));
  return {
    code: async (org, site) => found(await client.call(jobEndpoints.getCode, { params: { org, site, path: '*' } })),
    status,
    details: async (siteRef, name) => found(await client.call(jobEndpoints.getJobDetails, { params: { ...siteRef, name } })),
    probe: async ({ org, site }, { type, owner, repo }, branch) =>
      found(await client.call(codeCheckEndpoints.checkCode, { params: { org, site }, query: { type, owner, repo, ref: branch } })),
    start: async (siteRef, branch) => {
      const query = branch === siteRef.ref ? {} : { branch };
      return done(await client.call(jobEndpoints.startSync, { params: { ...siteRef, path: '*' }, query }));
    },
    serve: async (siteRef, sha) => done(await client.call(servedCodeEndpoints.serveCommit, { params: { ...siteRef }, body: { sha } })),
    stop: async (siteRef, name) => done(await client.call(jobEndpoints.stopJob, { params: { ...siteRef, name } })),
    watch: createJobFeed({ client, status, address: (siteRef) => printAddress(jobEndpoints.getJob.path, siteRef) }),
    secrets: async (org, site) => found(await client.call(secretEndpoints.listSecrets, { params: { org, site } })),
    setSecret: async (org, site, { value, expires }) => {
      const body = { value, ...(expires === undefined ? {} : { expires }) };
      return done(await client.call(secretEndpoints.setSecret, { params: { org, site, name: REPOSITORY_SECRET }, body }));
    },
  };
}

interface JobFeedOptions {
  readonly client: Pick<Client, 'open'>;
  readonly address: (siteRef: SiteRef) => string;
  readonly status: (siteRef: SiteRef) => Promise<Known<JobStatus>>;
  /** Concurrent streams: browsers allow six connections to an origin, across all its frames. */
  readonly streams?: number;
  /** Milliseconds between polls of a job without a stream. */
  readonly pollEvery?: number;
  /** Milliseconds between polls while the job is in progress. */
  readonly pollRunningEvery?: number;
}

type WatchJob = (siteRef: SiteRef, notify: (update: JobUpdate) => void) => () => void;

/**
 * Follows jobs: the first few by event stream, the others by polling; all by polling if the service has no streams, as in front of the
 * hosted one. A broken stream is reopened, at growing intervals while nothing answers. If waiting cannot help, it ends with the failure.
 */
function createJobFeed({ client, address, status, streams = 2, pollEvery = 10_000, pollRunningEvery = 3_000 }: JobFeedOptions): WatchJob {
  let free = streams;
  let hasStreams = true;
  return (siteRef, notify) => {
    const stopper = new AbortController();
    const { signal } = stopper;
    const report = (update: JobUpdate): void => (signal.aborted ? undefined : notify(update));
    void follow();
    return () => stopper.abort();

    async function follow(): Promise<void> {
      let failures = 0;
      while (!signal.aborted) {
        const outcome = hasStreams && free > 0 ? await stream() : await poll();
        const hasEnded = outcome.failure !== undefined && isFinal(outcome.failure);
        if (outcome.failure !== undefined) report({ status: { state: 'failed', failure: outcome.failure }, live: false, hasEnded });
        failures = outcome.failure === undefined || outcome.hasReported ? 0 : failures + 1;
        if (hasEnded) return;
        await wait(outcome.failure === undefined ? (outcome.wait ?? 0) : pause(failures + 1, outcome.failure.retryAfter), signal);
      }
    }

    async function stream(): Promise<Outcome> {
      free--;
      let hasReported = false;
      try {
        const opened = await client.open({ method: 'GET', path: address(siteRef), headers: { accept: 'text/event-stream' } }, signal);
        if (!opened.ok) return { hasReported, failure: opened.failure };
        if (opened.body === undefined) {
          hasStreams = false;
          return await poll();
        }
        for await (const { data } of readEvents(opened.body)) {
          const parsed = JobStatus.safeParse(parseJson(data));
          if (parsed.success) report({ status: { state: 'known', value: parsed.data }, live: true, hasEnded: false });
          hasReported ||= parsed.success;
        }
        return { hasReported, wait: AGAIN };
      } catch {
        return { hasReported, failure: { kind: 'unreachable' } };
      } finally {
        free++;
      }
    }

    async function poll(): Promise<Outcome> {
      const answer = await status(siteRef);
      if (answer.state === 'failed') return { hasReported: false, failure: answer.failure };
      report({ status: answer, live: false, hasEnded: false });
      const isInProgress = answer.state === 'known' && answer.value.state !== undefined && answer.value.state !== 'stopped';
      return { hasReported: true, wait: isInProgress ? pollRunningEvery : pollEvery };
    }
  };
}

interface Outcome {
  readonly hasReported: boolean;
  readonly failure?: Failure;
  readonly wait?: number;
}

/** The service ends streams now and then; a short pause, so that one that always ends immediately does no harm. */
const AGAIN = 300;

/** Whether waiting cannot help. */
function isFinal({ status }: Failure): boolean {
  return status === 401 || status === 403 || status === 404;
}

interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events (HTML Living Standard, 9.2) from the bytes of a `text/event-stream`. Yields the events in
 * order; comments and an incomplete final event are dropped.
 */
async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = `${rest}${value}`.replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): StreamEvent | undefined {
  const fields = block.split('\n').map((line) => /^([a-z]*):? ?(.*)$/.exec(line));
  const values = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const data = values('data');
  return data.length === 0 ? undefined : { event: values('event').at(-1) ?? 'message', data: data.join('\n') };
}

export function createBuildManagementPort(client: Client): BuildManagementPort {
  const call = async <E extends Endpoint>(row: E, input: CallInput<E>) => ofBuilds(await client.call(row, input));
  return {
    repositories: async (org) => found(await call(rows.listRepositories, { params: { org } })),
    repository: async (org, repository) => found(await call(rows.getRepository, { params: { org, repository } })),
    onboard: async (org, body) => done(await call(rows.onboardRepository, { params: { org }, body })),
    createSite: async (org, repository, body) => done(await call(rows.createSite, { params: { org, repository }, body })),
    retry: async (org, repository, accessToken) => {
      const body = accessToken === undefined ? {} : { accessToken };
      return done(await call(rows.retryRepository, { params: { org, repository }, body }));
    },
    link: async (org, repository, site) => done(await call(rows.linkRepository, { params: { org, repository }, body: { site } })),
    rotateWebhook: async (org, repository) => done(await call(rows.rotateWebhook, { params: { org, repository } })),
    branches: async (org, repository) => found(await call(rows.listBranches, { params: { org, repository } })),
    deliveries: async (org, repository) => found(await call(rows.listDeliveries, { params: { org, repository } })),
    resend: async (org, repository, delivery) => done(await call(rows.resendDelivery, { params: { org, repository, delivery } })),
  };
}

/** Attributes the failure to build management: the service that issued the token does respond. */
function ofBuilds<T>(answer: ClientAnswer<T>): ClientAnswer<T> {
  return answer.ok ? answer : { ok: false, failure: { ...answer.failure, system: 'build-management' } };
}
