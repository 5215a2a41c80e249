import type { AuditEntry } from '@repoless/contract/audit.ts';
import { weekActivity } from '@repoless/core/overview/stored-checks.ts';
import { expect, test } from 'vitest';

const entry = (user: string, action: string, site?: string, time = '2026-03-01T10:00:00.000Z'): AuditEntry => ({
  user,
  action,
  time,
  requestId: 'r',
  hash: 'h',
  ...(site === undefined ? {} : { site }),
});

test('A week is told by who did what to how many sites, each site once, what concerns most sites first', () => {
  const entries = [
    entry('ada', 'set-headers', 'ch-de', '2026-03-02T10:00:00.000Z'),
    ...['ch-de', 'ch-fr', 'at-de'].map((site) => entry('ada', 'set-headers', site)),
    ...['a', 'b'].map((site) => entry('bea', 'rollout/r1', site)),
    entry('bea', 'set-access/admin', 'a'),
    entry('bea', 'delete-site', 'c'),
  ];
  expect(weekActivity(entries, 3)).toEqual([
    { who: 'ada', what: 'part', part: 'headers', count: 3, time: '2026-03-02T10:00:00.000Z' },
    { who: 'bea', what: 'rollout', part: '', count: 2, time: '2026-03-01T10:00:00.000Z' },
    { who: 'bea', what: 'part', part: 'access', count: 1, time: '2026-03-01T10:00:00.000Z' },
  ]);
});

test('What changes no configuration of a site is not told', () => {
  const others = ['set-secret', 'delete-version', 'start-sync', 'create-api-key', 'delete-token', 'set-profiles', 'name-version'];
  expect(weekActivity([...others.map((action) => entry('ada', action, 'ch-de')), entry('ada', 'set-user')], 3)).toEqual([]);
});
