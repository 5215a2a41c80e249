import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { Rollout, rolloutEndpoints, RolloutId, type RolloutPreview } from '@repoless/contract/rollout.ts';
import type { RolloutsPort } from '../rollouts/rollouts-port.ts';
import type { Known } from '../situation/call.ts';
import { type Client, printAddress } from './client.ts';
import { createDryRuns } from './dry-run.ts';
import { done, exceptDryRun, found } from './organization-answers.ts';

const PAGE_OF_SITES = 200;

const ORDERS = { stop: rolloutEndpoints.stopRollout, resume: rolloutEndpoints.resumeRollout } as const;

export function createRolloutsPort(client: Client): RolloutsPort {
  const dryRun = createDryRuns(client);
  return {
    list: async (org) => found(await client.call(rolloutEndpoints.listRollouts, { params: { org } }), ({ rollouts }) => rollouts),
    preview: async (org, input, etag) => {
      const { method, path } = rolloutEndpoints.startRollout;
      const headers = { 'content-type': 'application/json', ...matching(etag) };
      return previewIn(await dryRun.of({ method, path: printAddress(path, { org }), headers, body: JSON.stringify(input) }));
    },
    previewUndo: async (org, rollout) => {
      const { method, path } = rolloutEndpoints.undoRollout;
      return previewIn(await dryRun.of({ method, path: printAddress(path, { org, rollout }) }));
    },
    start: async (org, body, etag) =>
      exceptDryRun(await client.call(rolloutEndpoints.startRollout, { params: { org }, body, headers: matching(etag) })),
    rollout: async (org, rollout) =>
      RolloutId.safeParse(rollout).success
        ? found(await client.call(rolloutEndpoints.getRollout, { params: { org, rollout } }))
        : { state: 'missing' },
    sites: async (org, rollout, which, after) => {
      const filter = which === undefined ? {} : which === 'worse' || which === 'stuck' ? { [which]: true } : { state: which };
      const query = { limit: PAGE_OF_SITES, ...filter, ...(after === undefined ? {} : { after }) };
      const answer = await client.call(rolloutEndpoints.listRolloutSites, { params: { org, rollout }, query });
      if (!answer.ok) return found(answer);
      const { sites } = answer.value;
      const last = sites.at(-1)?.name;
      const isMore = last !== undefined && answer.headers.get('link')?.includes('rel="next"') === true;
      return { state: 'known', value: { sites, ...(isMore ? { next: last } : {}) } };
    },
    order: async (org, rollout, order) => {
      const of = { params: { org, rollout } };
      if (order === 'undo') return exceptDryRun(await client.call(rolloutEndpoints.undoRollout, of));
      return done(await client.call(ORDERS[order], of));
    },
  };
}

function previewIn(answer: Known<DryRun>): Known<RolloutPreview> {
  if (answer.state !== 'known') return answer;
  const preview = Rollout.safeParse(answer.value.result).data?.preview;
  return preview !== undefined
    ? { state: 'known', value: preview }
    : { state: 'failed', failure: { kind: 'unexpected', status: answer.value.status } };
}

function matching(etag: string | undefined): Readonly<Record<string, string>> {
  return etag === undefined ? {} : { 'if-match': etag };
}
