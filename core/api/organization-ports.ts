import { eventEndpoints } from '@repoless/contract/event.ts';
import { auditEndpoints } from '@repoless/contract/audit.ts';
import { type CheckedSite, checkEndpoints } from '@repoless/contract/site-check.ts';
import { apiKeyEndpoints } from '@repoless/contract/credentials.ts';
import { secretEndpoints } from '@repoless/contract/secret.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { Rollout, rolloutEndpoints, RolloutId, type RolloutPreview } from '@repoless/contract/rollout.ts';
import type { EventsPort } from '../events/events-port.ts';
import { type ChecksPort, weekActivity } from '../overview/stored-checks.ts';
import type { RolloutsPort } from '../rollouts/rollouts-port.ts';
import type { Known } from '../situation/call.ts';
import type { RemovalPort } from '../situation/ports.ts';
import { type Client, printAddress } from './client.ts';
import { createDryRuns } from './dry-run.ts';
import { done, exceptDryRun, found, known, unfound } from './organization-answers.ts';

export function createEventsPort(client: Client): EventsPort {
  return {
    list: async (org) => {
      const page = async (query: { readonly open?: true; readonly before?: number }) =>
        found(await client.call(eventEndpoints.listEvents, { params: { org }, query: { limit: EVENTS_OF_PAGE, ...query } }));
      const newest = await page({});
      if (newest.state !== 'known') return newest;
      const events = [...newest.value.events];
      let { next } = newest.value.links;
      while (next !== undefined) {
        const before = events.at(-1)?.id;
        const older = await page({ open: true, ...(before === undefined ? {} : { before }) });
        if (older.state !== 'known') return older;
        events.push(...older.value.events);
        ({ next } = older.value.links);
      }
      return { state: 'known', value: { events, unread: newest.value.unread } };
    },
    read: async (org, upTo) => done(await client.call(eventEndpoints.readEvents, { params: { org }, body: { upTo } })),
    subscriptions: async (org) =>
      found(await client.call(eventEndpoints.listSubscriptions, { params: { org } }), ({ subscriptions }) => subscriptions),
    subscribe: async (org, body) => exceptDryRun(await client.call(eventEndpoints.createSubscription, { params: { org }, body })),
    unsubscribe: async (org, subscription) =>
      found(await client.call(eventEndpoints.deleteSubscription, { params: { org, subscription } })),
    sendTest: async (org, subscription) => done(await client.call(eventEndpoints.testSubscription, { params: { org, subscription } })),
    deliveries: async (org, subscription) =>
      found(await client.call(eventEndpoints.listMessages, { params: { org, subscription } }), ({ deliveries }) => deliveries),
    resend: async (org, subscription, message) =>
      done(await client.call(eventEndpoints.sendMessageAgain, { params: { org, subscription, message } })),
  };
}

const EVENTS_OF_PAGE = 100;

/** Entries of one page of a list. */
const CHECKS_OF_PAGE = 1000;
/** Entries of the audit trail that the summary of a week is based on, and its maximum number of lines. */
const ENTRIES = 1000;
const LINES = 3;

export function createChecksPort(client: Client): ChecksPort {
  return {
    all: (org) => readAll(client, org),
    start: async (org) => done(await client.call(checkEndpoints.startOrgCheck, { params: { org } })),
    site: async (org, site) => found(await client.call(checkEndpoints.getSiteCheck, { params: { org, site } })),
    activity: async (org) => {
      const read = await client.call(auditEndpoints.getLog, { params: { org }, query: { since: '7d', limit: ENTRIES } });
      return found(read, ({ entries }) => weekActivity(entries, LINES));
    },
    store: async (org, site, body) => done(await client.call(checkEndpoints.putSiteCheck, { params: { org, site }, body })),
  };
}

async function readAll(client: Client, org: string): ReturnType<ChecksPort['all']> {
  const sites: CheckedSite[] = [];
  for (;;) {
    const after = sites.at(-1)?.name;
    const query = { limit: CHECKS_OF_PAGE, ...(after === undefined ? {} : { after }) };
    const page = await client.call(checkEndpoints.getOrgChecks, { params: { org }, query });
    if (!page.ok) return unfound(page.failure);
    sites.push(...page.value.sites);
    const { days, running } = page.value;
    if (page.value.sites.length < CHECKS_OF_PAGE)
      return { state: 'known', value: { sites, days, ...(running === undefined ? {} : { running }) } };
  }
}

export function createRemovalPort(client: Client): RemovalPort {
  return {
    secrets: async (org, site) =>
      known(await client.call(secretEndpoints.listSecrets, { params: { org, site } }), (list) => Object.keys(list)),
    apiKeys: async (org, site) =>
      known(await client.call(apiKeyEndpoints.listApiKeys, { params: { org, site } }), (list) =>
        Object.values(list).map(({ id, description }) => description ?? id),
      ),
  };
}

const SITES_OF_PAGE = 200;

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
      const query = { limit: SITES_OF_PAGE, ...filter, ...(after === undefined ? {} : { after }) };
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
