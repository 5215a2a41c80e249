import type { Consequence } from '@repoless/contract/consequence.ts';
import type { OrgUser } from '@repoless/contract/org.ts';
import type { RoleLists, SiteDraft } from '@repoless/core/access/access-kind.ts';
import type { GroupScope } from '@repoless/core/access/groups.ts';
import {
  groupConsequences,
  organizationConsequences,
  organizationWarnings,
  type SiteContext,
  siteConsequences,
  type SitePeople,
  siteWarnings,
} from '@repoless/core/access/consequences.ts';
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
const contextWith = (more: Partial<SiteContext> = {}): SiteContext => ({
  caller: [ADA],
  scope: GROUPS,
  users: [],
  profile: undefined,
  environments: [STAGE],
  ...more,
});
const user = (email: string, ...roles: OrgUser['roles']) => ({ id: email, email, roles });

/** Those no longer listed lose the role. */
const BEN_LOST = { kind: 'people-lost', role: 'admin', people: [BEN] };

describe('before the access of a site is saved', () => {
  test('nothing is reported about valid access', () => {
    expect(siteWarnings(GOOD, GOOD, contextWith())).toEqual([]);
  });

  test.each<[string, RoleLists, readonly object[]]>([
    ['everyone', { admin: [ADA, '*'] }, [{ kind: 'everyone', role: 'admin' }]],
    ['a domain', { admin: [ADA, '*@example.org'] }, [{ kind: 'domain', role: 'admin', domain: 'example.org' }, BEN_LOST]],
    ['everyone through a group', { admin: [ADA, 'groups/all'] }, [{ kind: 'everyone', role: 'admin', through: 'groups/all' }]],
    ['everyone as author, who cannot change the configuration', { admin: [ADA], author: ['*'] }, [BEN_LOST]],
    ['a missing group', { admin: [ADA, 'groups/nobody'] }, [{ kind: 'unknown-group', entry: 'groups/nobody' }, BEN_LOST]],
    ['a group of the site, which hides the organization’s', { admin: ['groups/owners'] }, [BEN_LOST]],
  ])('%s', (_name, roles, warnings) => {
    expect(siteWarnings(GOOD, draft({ ...GOOD.roles, ...roles }), contextWith())).toEqual(warnings);
  });

  test('losing one’s own role is reported, unless the organization grants it to its users, if the caller may read them', () => {
    const without = draft({ ...GOOD.roles, admin: [BEN] });
    expect(siteWarnings(GOOD, without, contextWith())).toEqual([{ kind: 'yourself' }]);
    expect(siteWarnings(GOOD, without, contextWith({ users: [user(ADA, 'admin')] }))).toEqual([]);
    expect(siteWarnings(GOOD, without, contextWith({ users: [user(ADA, 'author')] }))).toEqual([{ kind: 'yourself' }]);
    expect(siteWarnings(GOOD, without, contextWith({ users: undefined }))).toEqual([{ kind: 'yourself' }]);
  });

  test('an empty group, and groups that contain each other, leave no administrator', () => {
    const ring = draft({ ...GOOD.roles, admin: ['groups/ring'] });
    expect(siteWarnings(ring, ring, contextWith())).toEqual([{ kind: 'no-administrator' }]);
  });

  test('a list of the profile applies if the site has none', () => {
    const none = draft({ config_admin: [OWN] });
    expect(siteWarnings(none, none, contextWith({ profile: { admin: [ADA] } }))).toEqual([]);
    expect(siteWarnings(none, draft({ ...none.roles, admin: [] }), contextWith({ profile: { admin: [ADA] } }))).toEqual([
      { kind: 'yourself' },
      { kind: 'no-administrator' },
    ]);
  });

  test('a missing technical account is reported', () => {
    const removed = draft({ ...GOOD.roles, config_admin: [] });
    expect(siteWarnings(GOOD, removed, contextWith())).toEqual([{ kind: 'account-removed', account: OWN }]);
    expect(siteWarnings(removed, removed, contextWith())).toEqual([{ kind: 'account-missing', account: OWN }]);
    expect(siteWarnings(removed, removed, contextWith({ environments: [] }))).toEqual([]);
    expect(siteWarnings(GOOD, draft({ ...GOOD.roles, config_admin: ['groups/accounts'] }), contextWith())).toEqual([]);
  });

  test('the account of another environment is reported as such', () => {
    const both = draft({ ...GOOD.roles, config_admin: [OWN, OTHER.toUpperCase()] });
    const [unknown] = siteWarnings(GOOD, both, contextWith());
    expect(unknown).toMatchObject({ kind: 'other-environment', environment: 'p100-e200', own: OWN, belongsTo: '' });
    const [known] = siteWarnings(GOOD, both, contextWith({ environments: [STAGE, PROD] }));
    expect(known).toMatchObject({ kind: 'other-environment', belongsTo: 'p100-e300' });
  });

  test('reading without signing in is reported', () => {
    expect(siteWarnings(GOOD, draft(GOOD.roles, 'open'), contextWith())).toEqual([{ kind: 'open' }]);
  });
});

describe('before the people of an organization are saved', () => {
  const stored = { users: [user(ADA, 'admin'), user(BEN, 'admin')], groups: {} };

  test('losing one’s own role, the last administrator, wildcards and missing groups are reported', () => {
    expect(organizationWarnings(stored, stored, [ADA])).toEqual([]);
    expect(organizationWarnings(stored, { ...stored, users: [user(BEN, 'admin')] }, [ADA])).toEqual([{ kind: 'yourself' }]);
    expect(organizationWarnings(stored, { ...stored, users: [user('groups/owners', 'admin')] }, [BEN])).toEqual([
      { kind: 'yourself' },
      { kind: 'no-administrator' },
      { kind: 'unknown-group', entry: 'groups/owners' },
      { kind: 'people-lost', role: 'admin', people: [ADA] },
    ]);
    expect(organizationWarnings(stored, { ...stored, users: [...stored.users, user('*@example.org', 'config_admin')] }, [ADA])).toEqual([
      { kind: 'domain', role: 'config_admin', domain: 'example.org' },
    ]);
  });

  test('the removal of a group that sites may name is reported', () => {
    const before = { ...stored, groups: { team: { members: [{ email: BEN }] } } };
    expect(organizationWarnings(before, stored, [ADA])).toEqual([{ kind: 'group-removed', entry: 'groups/team' }]);
  });

  test('a group makes its members administrators', () => {
    const groups = { owners: { members: [{ email: ADA }] } };
    expect(organizationWarnings(stored, { users: [user('groups/owners', 'admin')], groups }, [ADA])).toEqual([BEN_LOST]);
  });
});

describe('the consequences of a change', () => {
  const context = { caller: [ADA], organization: GROUPS.organization, users: [] };
  const shown = { paths: { mappings: ['/content/wknd/:/'], includes: ['/'] } };
  const source = { type: 'markup', url: 'https://author-p100-e200.example.com/bin/franklin.delivery/wknd/wknd/main' } as const;
  const before: SitePeople = {
    access: { admin: { role: { admin: [ADA, BEN], config_admin: [OWN], author: ['groups/all'] } } },
    public: shown,
    content: { source },
    code: { owner: 'wknd', repo: 'wknd' },
  };
  const admin = (role: Readonly<Record<string, string[]>>, more: object = {}) => ({
    ...before,
    access: { admin: { ...more, role: { ...before.access?.admin?.role, ...role } } },
  });

  test.each<[string, SitePeople | undefined, SitePeople | undefined, readonly object[]]>([
    ['nothing', before, { ...before }, []],
    ['the technical account is removed', before, admin({ config_admin: [] }), [{ kind: 'account-removed', account: OWN }]],
    ['the technical account is in a group', before, admin({ config_admin: ['groups/accounts'] }), []],
    ['an administrator is removed', before, admin({ admin: [ADA] }), [BEN_LOST]],
    ['the caller is removed', before, admin({ admin: [BEN] }), [{ kind: 'yourself' }]],
    [
      'an administrator is added',
      before,
      admin({ admin: [ADA, BEN, 'cleo@example.com'] }),
      [{ kind: 'people-gained', role: 'admin', people: ['cleo@example.com'] }],
    ],
    ['everyone is added', before, admin({ admin: [ADA, '*'] }), [{ kind: 'everyone', role: 'admin' }]],
    ['everyone was there before', admin({ admin: [ADA, '*'] }), admin({ admin: [ADA, '*'] }, { requireAuth: true }), []],
    ['the list of administrators is emptied', before, admin({ admin: [] }), [{ kind: 'yourself' }, { kind: 'no-administrator' }, BEN_LOST]],
    ['the configuration is opened', before, admin({}, { requireAuth: false }), [{ kind: 'open' }]],
    [
      'the live host is closed',
      before,
      { ...before, access: { ...before.access, live: { allow: [BEN] } } },
      [{ kind: 'host-closed', host: 'live' }],
    ],
    [
      'the live host is opened',
      { ...before, access: { live: { allow: [BEN] } } },
      { ...before, access: {} },
      [{ kind: 'host-open', host: 'live' }],
    ],
    [
      'a reader is removed',
      { ...before, access: { ...before.access, preview: { allow: [ADA, BEN] } } },
      { ...before, access: { ...before.access, preview: { allow: [ADA] } } },
      [{ kind: 'readers-lost', host: 'preview', people: [BEN] }],
    ],
    ['nothing is mapped', before, { ...before, public: { paths: { mappings: [] } } }, [{ kind: 'pages-lost' }]],
    ['nothing is included', before, { ...before, public: { paths: { ...shown.paths, includes: [] } } }, [{ kind: 'pages-lost' }]],
    [
      'other content',
      before,
      { ...before, public: { paths: { ...shown.paths, mappings: ['/content/other/:/'] } } },
      [{ kind: 'content-replaced' }],
    ],
    ['other code', before, { ...before, code: { owner: 'wknd', repo: 'other' } }, [{ kind: 'code-replaced', repository: 'wknd/other' }]],
    ['the site is removed', before, undefined, [{ kind: 'stops' }]],
    ['a created site may be changed by everyone', undefined, admin({ config_admin: ['*'] }), [{ kind: 'everyone', role: 'config_admin' }]],
  ])('%s', (_name, from, to, expected) => {
    expect(siteConsequences(from, to, context)).toEqual(expected);
  });

  test('do not count a role as lost if the person administers the organization', () => {
    expect(siteConsequences(before, admin({ admin: [] }), { ...context, users: [user(ADA, 'admin'), user(BEN, 'admin')] })).toEqual([
      { kind: 'no-administrator' },
    ]);
  });

  test('are one line for all sites that have them, the gravest first, with everyone whom a site loses', () => {
    const account = { kind: 'account-removed', account: OWN } as const;
    const lost = (person: string): Consequence => ({ kind: 'people-lost', role: 'author', people: [person] });
    expect(
      groupConsequences([
        { what: lost(ADA), sites: ['one'] },
        { what: lost(BEN), sites: ['two'] },
        { what: account, sites: ['two'] },
      ]),
    ).toEqual([
      { what: account, grave: true, sites: ['two'] },
      { what: { kind: 'people-lost', role: 'author', people: [ADA, BEN] }, grave: false, sites: ['one', 'two'] },
    ]);
  });

  test('for an organization are about its people, and omit what was already the case', () => {
    const stored = { users: [user(ADA, 'admin'), user('*', 'config_admin')], groups: {} };
    expect(organizationConsequences(stored, { ...stored, users: [...stored.users, user(BEN, 'config_admin')] }, [ADA])).toEqual([]);
    expect(organizationConsequences(stored, { ...stored, users: [...stored.users, user(BEN, 'admin')] }, [ADA])).toEqual([
      { kind: 'people-gained', role: 'admin', people: [BEN] },
    ]);
  });
});
