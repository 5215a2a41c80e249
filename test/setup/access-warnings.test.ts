import type { OrgUser } from '@repoless/contract/org.ts';
import type { RoleLists, SiteDraft } from '@repoless/core/access/access-kind.ts';
import type { GroupScope } from '@repoless/core/access/groups.ts';
import { organizationWarnings, type SiteContext, siteWarnings } from '@repoless/core/access/warnings.ts';
import { describe, expect, test } from 'vitest';

const ADA = 'ada@example.com';
const BEN = 'ben@example.com';
const OWN = 'p100-e200@techacct.example.com';
const OTHER = 'p100-e300@techacct.example.com';
const STAGE = { author: 'https://author-p100-e200.adobeaemcloud.com', technicalAccount: OWN };
const PROD = { author: 'https://author-p100-e300.adobeaemcloud.com', technicalAccount: OTHER };

const draft = (roles: RoleLists, signIn: SiteDraft['signIn'] = 'auto'): SiteDraft => ({ roles, signIn });
const GOOD = draft({ admin: [ADA, BEN], config_admin: [OWN] });
const GROUPS: GroupScope = {
  site: { owners: { members: [{ email: ADA }] }, ring: { members: [{ email: 'groups/ring' }] } },
  organization: {
    owners: { members: [{ email: BEN }] },
    all: { members: [{ email: '*' }, { email: 'groups/accounts' }] },
    accounts: { members: [{ email: OWN }] },
  },
};
const around = (more: Partial<SiteContext> = {}): SiteContext => ({
  caller: [ADA],
  scope: GROUPS,
  users: [],
  profile: undefined,
  environments: [STAGE],
  ...more,
});
const user = (email: string, ...roles: OrgUser['roles']) => ({ id: email, email, roles });

describe('before the access of a site is saved', () => {
  test('nothing is said of an access that is well', () => {
    expect(siteWarnings(GOOD, GOOD, around())).toEqual([]);
  });

  test.each<[string, RoleLists, readonly object[]]>([
    ['everybody', { admin: [ADA, '*'] }, [{ kind: 'everyone', role: 'admin' }]],
    ['a domain', { admin: [ADA, '*@example.org'] }, [{ kind: 'domain', role: 'admin', domain: 'example.org' }]],
    ['everybody through a group', { admin: [ADA, 'groups/all'] }, [{ kind: 'everyone', role: 'admin', through: 'groups/all' }]],
    ['everybody as author, who changes nothing', { admin: [ADA], author: ['*'] }, []],
    ['a group that is not there', { admin: [ADA, 'groups/nobody'] }, [{ kind: 'unknown-group', entry: 'groups/nobody' }]],
    ['a group of the site, which hides the one of the organization', { admin: ['groups/owners'] }, []],
  ])('%s', (_name, roles, warnings) => {
    expect(siteWarnings(GOOD, draft({ ...GOOD.roles, ...roles }), around())).toEqual(warnings);
  });

  test('losing oneself is said, unless the organization keeps one, or its users cannot be read', () => {
    const without = draft({ ...GOOD.roles, admin: [BEN] });
    expect(siteWarnings(GOOD, without, around())).toEqual([{ kind: 'yourself' }]);
    expect(siteWarnings(GOOD, without, around({ users: [user(ADA, 'admin')] }))).toEqual([]);
    expect(siteWarnings(GOOD, without, around({ users: [user(ADA, 'author')] }))).toEqual([{ kind: 'yourself' }]);
    expect(siteWarnings(GOOD, without, around({ users: undefined }))).toEqual([]);
  });

  test('an empty group, and a ring of groups, leave nobody', () => {
    const ring = draft({ ...GOOD.roles, admin: ['groups/ring'] });
    expect(siteWarnings(ring, ring, around())).toEqual([{ kind: 'no-administrator' }]);
  });

  test('a list of the profile holds where the site has none', () => {
    const none = draft({ config_admin: [OWN] });
    expect(siteWarnings(none, none, around({ profile: { admin: [ADA] } }))).toEqual([]);
    expect(siteWarnings(none, draft({ ...none.roles, admin: [] }), around({ profile: { admin: [ADA] } }))).toEqual([
      { kind: 'yourself' },
      { kind: 'no-administrator' },
    ]);
  });

  test('without its technical account, publishing stops', () => {
    const removed = draft({ ...GOOD.roles, config_admin: [] });
    expect(siteWarnings(GOOD, removed, around())).toEqual([{ kind: 'account-removed', account: OWN }]);
    expect(siteWarnings(removed, removed, around())).toEqual([{ kind: 'account-missing', account: OWN }]);
    expect(siteWarnings(removed, removed, around({ environments: [] }))).toEqual([]);
    expect(siteWarnings(GOOD, draft({ ...GOOD.roles, config_admin: ['groups/accounts'] }), around())).toEqual([]);
  });

  test('the account of another environment is told apart', () => {
    const both = draft({ ...GOOD.roles, config_admin: [OWN, OTHER.toUpperCase()] });
    const [unknown] = siteWarnings(GOOD, both, around());
    expect(unknown).toMatchObject({ kind: 'other-environment', environment: 'p100-e200', own: OWN, belongsTo: '' });
    const [known] = siteWarnings(GOOD, both, around({ environments: [STAGE, PROD] }));
    expect(known).toMatchObject({ kind: 'other-environment', belongsTo: 'p100-e300' });
  });

  test('reading without signing in is said', () => {
    expect(siteWarnings(GOOD, draft(GOOD.roles, 'open'), around())).toEqual([{ kind: 'open' }]);
  });
});

describe('before the people of an organization are saved', () => {
  const stored = { users: [user(ADA, 'admin'), user(BEN, 'admin')], groups: {} };

  test('losing oneself, the last administrator, wildcards and missing groups are said', () => {
    expect(organizationWarnings(stored, stored, [ADA])).toEqual([]);
    expect(organizationWarnings(stored, { ...stored, users: [user(BEN, 'admin')] }, [ADA])).toEqual([{ kind: 'yourself' }]);
    expect(organizationWarnings(stored, { ...stored, users: [user('groups/owners', 'admin')] }, [BEN])).toEqual([
      { kind: 'yourself' },
      { kind: 'no-administrator' },
      { kind: 'unknown-group', entry: 'groups/owners' },
    ]);
    expect(organizationWarnings(stored, { ...stored, users: [...stored.users, user('*@example.org', 'config_admin')] }, [ADA])).toEqual([
      { kind: 'domain', role: 'config_admin', domain: 'example.org' },
    ]);
  });

  test('a group that is removed may still be named by sites', () => {
    const before = { ...stored, groups: { team: { members: [{ email: BEN }] } } };
    expect(organizationWarnings(before, stored, [ADA])).toEqual([{ kind: 'group-removed', entry: 'groups/team' }]);
  });

  test('a group makes an administrator of its members', () => {
    const groups = { owners: { members: [{ email: ADA }] } };
    expect(organizationWarnings(stored, { users: [user('groups/owners', 'admin')], groups }, [ADA])).toEqual([]);
  });
});
