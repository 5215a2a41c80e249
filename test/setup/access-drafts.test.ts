import type { Org } from '@repoless/contract/org.ts';
import {
  mergeOrganizationDraft,
  mergeSiteDraft,
  organizationDraft,
  organizationInput,
  organizationKind,
  organizationOverlaps,
  problemKey,
  siteAccess,
  siteAccessKind,
  siteDraft,
  withRole,
} from '@repoless/core/access/access-kind.ts';
import { keyValidity, lifetimes } from '@repoless/core/access/credentials.ts';
import { memberProblem, mergeMembers } from '@repoless/core/access/groups.ts';
import { distanceOf } from '@repoless/core/sync/age.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const STORED = {
  admin: { role: { admin: ['ada@example.com'], author: [], media_author: ['*@example.com'] }, requireAuth: true, apiKeyId: ['k1'] },
  live: { allow: ['*@example.com'] },
};
const ORG: Org = {
  version: 1,
  created: '2026-01-01T00:00:00.000Z',
  lastModified: '2026-01-01T00:00:00.000Z',
  name: 'wknd',
  title: 'WKND',
  users: [
    { id: 'u1', email: 'ada@example.com', roles: ['admin'] },
    { id: 'u2', email: 'ben@example.com', name: 'Ben', roles: ['author'] },
  ],
  groups: { team: { members: [{ email: 'ben@example.com', name: 'Ben' }] } },
};

describe('a list entry', () => {
  test.each([
    ['ben@example.com', undefined],
    [' ben@example.com ', undefined],
    ['*', undefined],
    ['*@example.com', undefined],
    ['groups/team', undefined],
    ['ABC@techacct.adobe.com', undefined],
    ['', 'empty'],
    ['ben example.com', 'invalid'],
    ['*@', 'invalid'],
    ['a@b@c', 'invalid'],
    ['teams/x', 'invalid'],
    ['ADA@example.com', 'listed'],
  ])('%j is %s', (text, problem) => {
    expect(memberProblem(['ada@example.com'], text)).toBe(problem);
  });

  const members = fc.uniqueArray(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e', 'f'));
  test('is neither lost nor restored when two people concurrently change a list', () => {
    fc.assert(
      fc.property(members, members, members, (base, mine, theirs) => {
        const merged = new Set(mergeMembers(base, mine, theirs));
        for (const entry of 'abcdef') {
          const [was, here, there] = [base, mine, theirs].map((one) => one.includes(entry));
          expect(merged.has(entry)).toBe(here === was ? there : here);
        }
      }),
    );
  });
});

describe('the draft of a site’s access', () => {
  test('is stored as before if unchanged, with the parts that are not edited', () => {
    expect(siteAccess(STORED, siteDraft(STORED))).toEqual(STORED);
  });

  test('reads a setting stored as text, and preserves the rest', () => {
    const before = { ...STORED, admin: { ...STORED.admin, requireAuth: 'true' } };
    expect(siteAccess(before, siteDraft(before))).toEqual(STORED);
  });

  test('starts empty if the site has no access of its own', () => {
    const draft = siteDraft(undefined);
    expect(draft).toEqual({ roles: {}, signIn: 'auto' });
    expect(siteAccess(undefined, withRole(draft, 'admin', ['ada@example.com'], draft))).toEqual({
      admin: { role: { admin: ['ada@example.com'] } },
    });
  });

  test('leaves a list unset that was never set and is emptied again, and stores an emptied one as empty', () => {
    const draft = siteDraft(STORED);
    expect(siteAccess(STORED, withRole(draft, 'publish', [], draft))).toEqual(STORED);
    expect(siteAccess(STORED, withRole(draft, 'admin', [], draft)).admin?.role).toEqual({
      admin: [],
      author: [],
      media_author: ['*@example.com'],
    });
  });

  test.each([
    ['auto', 'auto'],
    ['always', true],
    ['open', false],
  ] as const)('stores the sign-in %s as %s', (signIn, stored) => {
    expect(siteAccess(STORED, { ...siteDraft(STORED), signIn }).admin?.requireAuth).toBe(stored);
  });

  test('is merged with what another person stored concurrently', () => {
    const base = { roles: { admin: ['ada', 'ben'], config_admin: ['acc'] }, signIn: 'auto' } as const;
    const mine = { roles: { admin: ['ada', 'ben', 'cleo'], config_admin: ['acc'], author: ['eve'] }, signIn: 'always' } as const;
    const theirs = { roles: { admin: ['ada', 'dan'], publish: ['pia'] }, signIn: 'open' } as const;
    expect(mergeSiteDraft(base, mine, theirs)).toEqual({
      roles: { admin: ['ada', 'dan', 'cleo'], author: ['eve'], publish: ['pia'] },
      signIn: 'always',
    });
    expect(mergeSiteDraft(base, { ...mine, signIn: 'auto' }, theirs).signIn).toBe('open');
  });

  test('assigns a field error of the service to its entry', () => {
    const kind = siteAccessKind('wknd', 'de');
    const draft = kind.draftOf(STORED);
    expect(kind.entryAt(draft, '/admin/role/admin/0')).toBe(problemKey('admin', 'ADA@example.com'));
    expect(kind.entryAt(draft, '/access/admin/role/admin/0')).toBe(problemKey('admin', 'ada@example.com'));
    expect(kind.entryAt(draft, '/admin/role/admin/7')).toBeUndefined();
    expect(kind.entryAt(draft, '/admin/requireAuth')).toBeUndefined();
  });
});

describe('the draft of an organization’s people', () => {
  test('is stored as before if unchanged, without what the service sets', () => {
    const { version: _version, created: _created, lastModified: _modified, name: _name, ...parts } = ORG;
    expect(organizationInput(ORG, organizationDraft(ORG))).toEqual(parts);
  });

  test('is merged with what another person stored concurrently', () => {
    const base = organizationDraft(ORG);
    const mine = {
      users: [
        { id: 'u1', email: 'ada@example.com', roles: ['admin', 'develop'] as const },
        { email: 'eve@example.com', roles: ['author'] as const },
      ],
      groups: { team: { members: [...(base.groups['team']?.members ?? []), { email: 'eve@example.com' }] } },
    };
    const theirs = {
      users: [
        { id: 'u1', email: 'ada@example.com', roles: ['admin', 'publish'] as const },
        { id: 'u2', email: 'ben@example.com', name: 'Ben', roles: ['author', 'publish'] as const },
        { id: 'u3', email: 'dan@example.com', roles: ['author'] as const },
      ],
      groups: { team: { members: [{ email: 'dan@example.com' }] }, other: { members: [] } },
    };
    expect(mergeOrganizationDraft(base, mine, theirs)).toEqual({
      users: [
        { id: 'u1', email: 'ada@example.com', roles: ['admin', 'publish', 'develop'] },
        { id: 'u3', email: 'dan@example.com', roles: ['author'] },
        { email: 'eve@example.com', roles: ['author'] },
      ],
      groups: { team: { members: [{ email: 'dan@example.com' }, { email: 'eve@example.com' }] }, other: { members: [] } },
    });
  });

  test('restores a group that was removed elsewhere only if it was changed here', () => {
    const base = organizationDraft(ORG);
    const theirs = { ...base, groups: {} };
    expect(mergeOrganizationDraft(base, base, theirs).groups).toEqual({});
    const mine = { ...base, groups: { team: { members: [{ email: 'eve@example.com' }] } } };
    expect(mergeOrganizationDraft(base, mine, theirs).groups).toEqual({ team: { members: [{ email: 'eve@example.com' }] } });
  });

  test('overlaps if one person removed what the other changed', () => {
    const base = organizationDraft(ORG);
    const [ada] = base.users;
    const without = { ...base, users: ada === undefined ? [] : [ada] };
    const more = { ...base, users: base.users.map((user) => ({ ...user, roles: [...user.roles, 'publish'] })) };
    const other = { ...base, users: base.users.map((user) => ({ ...user, roles: [...user.roles, 'develop'] })) };
    const noGroup = { ...base, groups: {} };
    const larger = { ...base, groups: { team: { members: [{ email: 'eve@example.com' }] } } };
    expect(organizationOverlaps(base, without, more)).toBe(true);
    expect(organizationOverlaps(base, more, without)).toBe(true);
    expect(organizationOverlaps(base, noGroup, larger)).toBe(true);
    expect(organizationOverlaps(base, more, other)).toBe(false);
    expect(organizationOverlaps(base, without, without)).toBe(false);
    expect(organizationOverlaps(base, without, base)).toBe(false);
    expect(organizationOverlaps(base, without, larger)).toBe(false);
  });

  test('assigns a field error of the service to its user, group or member', () => {
    const kind = organizationKind('wknd');
    const draft = kind.draftOf(ORG);
    expect(kind.entryAt(draft, '/users/1/email')).toBe(problemKey('users', 'ben@example.com'));
    expect(kind.entryAt(draft, '/groups/team')).toBe(problemKey('groups', 'team'));
    expect(kind.entryAt(draft, '/groups/team/members/0/email')).toBe(problemKey('groups/team', 'ben@example.com'));
  });
});

describe('an API key', () => {
  const now = new Date('2026-03-04T12:00:00.000Z');
  const after = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

  test.each([
    [90, 'good'],
    [15, 'good'],
    [14, 'soon'],
    [0.001, 'soon'],
    [0, 'expired'],
    [-3, 'expired'],
  ])('that ends in %s days has the validity %s', (days, standing) => {
    expect(keyValidity(after(days), now)).toBe(standing);
  });

  test('has at most the lifetime that the service allows', () => {
    expect(lifetimes()).toEqual([1, 7, 30, 90, 180, 365]);
    expect(lifetimes(90 * 86_400)).toEqual([1, 7, 30, 90]);
    expect(lifetimes(45 * 86_400)).toEqual([1, 7, 30, 45]);
    expect(lifetimes(43_200)).toEqual([0.5]);
  });

  test.each([
    [2, { value: 2, unit: 'day' }],
    [-2, { value: -2, unit: 'day' }],
    [0.5, { value: 12, unit: 'hour' }],
  ])('that ends in %s days is described by its distance from now', (days, distance) => {
    expect(distanceOf(after(days), now)).toEqual(distance);
  });
});
