import { LIMITS } from '@repoless/contract/limits.ts';
import type { StoredSubscription } from '@repoless/service/events/rules/ports.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { siteWrite } from '../support/builders.ts';
import { endJob, externalOrigin } from '../support/code-world.ts';
import { putSite } from './put-site.ts';
import type { CodeOrigin } from '@repoless/service/code/rules/ports.ts';

/** The time at which problems start and end in tests of events. */
export const NOW = new Date('2026-03-01T10:00:00.000Z');
export const DAY = 24 * 60 * 60 * 1000;
export const EXTERNAL = externalOrigin('acme');

/** A site of an organization on a repository. */
export function putOn(store: Store, org: string, site: string, repository: string): Promise<void> {
  return putSite(store, { ...siteWrite(site, {}, 1, org), repository });
}

/** Ends a sync of an origin. */
export function end(store: Store, origin: CodeOrigin, how: Parameters<typeof endJob>[2], time = NOW, ref?: string): Promise<void> {
  return endJob(store, origin, how, time, ref);
}

/** The service's check for problems that end by themselves. */
export function tidyEvents(store: Store, now: Date): Promise<void> {
  return store.events.tidy(now, new Date(now.getTime() + 14 * DAY), new Date(now.getTime() - LIMITS.eventDays * DAY));
}

export function subscription(id: string, more: Partial<StoredSubscription>): StoredSubscription {
  const channel = { type: 'webhook', url: 'https://hooks.example.com', sealed: 'sealed' } as const;
  return { id, org: 'acme', kinds: undefined, sites: undefined, channel, created: NOW, createdBy: 'ada@example.com', ...more };
}
