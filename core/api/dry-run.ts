import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { DRY_RUN_HEADER } from '@repoless/contract/endpoint.ts';
import { type Feature, serviceEndpoints } from '@repoless/contract/service.ts';
import type { Failure, Known } from '../situation/call.ts';
import { type Client, type ServiceRequest, withQuery } from './client.ts';
import { parseJson, refusal } from './exchange.ts';

const DRY_RUN: Feature = 'dry-run';

/** Dry runs of writes. Never throws. */
export interface DryRuns {
  /** Stores the features that the service just announced: it may have been replaced by another version. */
  announced(features: readonly string[]): void;
  /** Returns `missing` if the document to be removed doesn't exist. */
  of(request: ServiceRequest): Promise<Known<DryRun>>;
}

/**
 * A dry run that the other side ignores is a write. So it is sent only to a service that announces dry runs, both in
 * the query and in a header, because a proxy may drop one; only a body in the form of a dry run counts as one. After
 * any other answer nothing more is sent, and further dry runs wait for the first answer.
 */
export function createDryRuns(client: Client): DryRuns {
  let features: readonly string[] | undefined;
  let ignored = false;
  let first: Promise<Known<DryRun>> | undefined;
  const unannounced = async (): Promise<Failure | undefined> => {
    if (features === undefined) {
      const info = await client.call(serviceEndpoints.getService, { params: {} });
      if (!info.ok && info.failure.status !== 404) return info.failure;
      features = info.ok ? info.value.features : [];
    }
    return features.includes(DRY_RUN) ? undefined : noDryRun('not-announced');
  };
  const send = async ({ path, headers, ...request }: ServiceRequest): Promise<Known<DryRun>> => {
    const answer = await client.request({
      ...request,
      path: withQuery(path, 'dryRun', 'true'),
      headers: { ...headers, [DRY_RUN_HEADER]: 'true' },
    });
    if (!answer.ok) return { state: 'failed', failure: answer.failure };
    const { status, text } = answer.received;
    if (status === 404 && request.method === 'DELETE') return { state: 'missing' };
    if (status < 200 || status > 299) return { state: 'failed', failure: refusal(answer.received) };
    const result = DryRun.safeParse(parseJson(text));
    if (result.success) return { state: 'known', value: result.data };
    ignored = true;
    return { state: 'failed', failure: noDryRun('ignored') };
  };
  return {
    announced: (now) => void (features = now),
    of: async (request) => {
      const refused = await unannounced();
      if (refused !== undefined) return { state: 'failed', failure: refused };
      if (first === undefined) return (first = send(request));
      await first;
      return ignored ? { state: 'failed', failure: noDryRun('ignored') } : send(request);
    },
  };
}

function noDryRun(reason: 'not-announced' | 'ignored'): Failure {
  return { kind: 'unexpected', finding: { kind: 'no-dry-run', reason } };
}
