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
const around = (more: Partial<SiteContext> = {}): SiteContext => ({
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
    expect(siteWarnings(GOOD, GOOD, around())).toEqual([]);
  });

  test.each<[string, RoleLists, readonly object[]]>([
    ['everybody', { admin: [ADA, '*'] }, [{ kind: 'everyone', role: 'admin' }]],
    ['a domain', { admin: [ADA, '*@example.org'] }, [{ kind: 'domain', role: 'admin', domain: 'example.org' }, BEN_LOST]],
    ['everybody through a group', { admin: [ADA, 'groups/all'] }, [{ kind: 'everyone', role: 'admin', through: 'groups/all' }]],
    ['everybody as author, who changes nothing', { admin: [ADA], author: ['*'] }, [BEN_LOST]],
    ['a group that is not there', { admin: [ADA, 'groups/nobody'] }, [{ kind: 'unknown-group', entry: 'groups/nobody' }, BEN_LOST]],
    ['a group of the site, which hides the one of the organization', { admin: ['groups/owners'] }, [BEN_LOST]],
  ])('%s', (_name, roles, warnings) => {
    expect(siteWarnings(GOOD, draft({ ...GOOD.roles, ...roles }), around())).toEqual(warnings);
  });

  test('losing one’s own role is reported, unless the organization grants it: to a caller who may not read its users, it grants none', () => {
    const without = draft({ ...GOOD.roles, admin: [BEN] });
    expect(siteWarnings(GOOD, without, around())).toEqual([{ kind: 'yourself' }]);
    expect(siteWarnings(GOOD, without, around({ users: [user(ADA, 'admin')] }))).toEqual([]);
    expect(siteWarnings(GOOD, without, around({ users: [user(ADA, 'author')] }))).toEqual([{ kind: 'yourself' }]);
    expect(siteWarnings(GOOD, without, around({ users: undefined }))).toEqual([{ kind: 'yourself' }]);
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

  test('reading without signing in is reported', () => {
    expect(siteWarnings(GOOD, draft(GOOD.roles, 'open'), around())).toEqual([{ kind: 'open' }]);
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

  test('a group that is removed may still be named by sites', () => {
    const before = { ...stored, groups: { team: { members: [{ email: BEN }] } } };
    expect(organizationWarnings(before, stored, [ADA])).toEqual([{ kind: 'group-removed', entry: 'groups/team' }]);
  });

  test('a group makes an administrator of its members', () => {
    const groups = { owners: { members: [{ email: ADA }] } };
    expect(organizationWarnings(stored, { users: [user('groups/owners', 'admin')], groups }, [ADA])).toEqual([BEN_LOST]);
  });
});

describe('what a change of a site does', () => {
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
    ['the technical account goes', before, admin({ config_admin: [] }), [{ kind: 'account-removed', account: OWN }]],
    ['the technical account comes by a group', before, admin({ config_admin: ['groups/accounts'] }), []],
    ['an administrator goes', before, admin({ admin: [ADA] }), [BEN_LOST]],
    ['the caller goes', before, admin({ admin: [BEN] }), [{ kind: 'yourself' }]],
    [
      'somebody comes',
      before,
      admin({ admin: [ADA, BEN, 'cleo@example.com'] }),
      [{ kind: 'people-gained', role: 'admin', people: ['cleo@example.com'] }],
    ],
    ['everybody comes', before, admin({ admin: [ADA, '*'] }), [{ kind: 'everyone', role: 'admin' }]],
    ['everybody was there before', admin({ admin: [ADA, '*'] }), admin({ admin: [ADA, '*'] }, { requireAuth: true }), []],
    ['no list of administrators is left', before, admin({ admin: [] }), [{ kind: 'yourself' }, { kind: 'no-administrator' }, BEN_LOST]],
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
      'a reader goes',
      { ...before, access: { ...before.access, preview: { allow: [ADA, BEN] } } },
      { ...before, access: { ...before.access, preview: { allow: [ADA] } } },
      [{ kind: 'readers-lost', host: 'preview', people: [BEN] }],
    ],
    ['nothing is mapped any more', before, { ...before, public: { paths: { mappings: [] } } }, [{ kind: 'pages-lost' }]],
    ['nothing is included any more', before, { ...before, public: { paths: { ...shown.paths, includes: [] } } }, [{ kind: 'pages-lost' }]],
    [
      'other content',
      before,
      { ...before, public: { paths: { ...shown.paths, mappings: ['/content/other/:/'] } } },
      [{ kind: 'content-replaced' }],
    ],
    ['other code', before, { ...before, code: { owner: 'wknd', repo: 'other' } }, [{ kind: 'code-replaced', repository: 'wknd/other' }]],
    ['the site goes', before, undefined, [{ kind: 'stops' }]],
    ['a site is made that everybody may change', undefined, admin({ config_admin: ['*'] }), [{ kind: 'everyone', role: 'config_admin' }]],
  ])('%s', (_name, from, to, expected) => {
    expect(siteConsequences(from, to, context)).toEqual(expected);
  });

  test('an administrator of the organization keeps the role everywhere', () => {
    expect(siteConsequences(before, admin({ admin: [] }), { ...context, users: [user(ADA, 'admin'), user(BEN, 'admin')] })).toEqual([
      { kind: 'no-administrator' },
    ]);
  });

  test('is one line for all sites that have it, the gravest first, with everybody whom one of them loses', () => {
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

  test('of an organization is about its people, but not about what was the case before', () => {
    const stored = { users: [user(ADA, 'admin'), user('*', 'config_admin')], groups: {} };
    expect(organizationConsequences(stored, { ...stored, users: [...stored.users, user(BEN, 'config_admin')] }, [ADA])).toEqual([]);
    expect(organizationConsequences(stored, { ...stored, users: [...stored.users, user(BEN, 'admin')] }, [ADA])).toEqual([
      { kind: 'people-gained', role: 'admin', people: [BEN] },
    ]);
  });
});
