import type { RoleName } from '#contract/access.ts';
import type { MemberProblem } from '#extension/setup/access/members.ts';
import type { SignInRule } from '#extension/setup/access/site-draft.ts';
import { keys } from './access-keys.ts';

/** Words of the access editor: who may do what, and what a change means. */
export const accessPanel = {
  title: (kind: 'site' | 'profile' | 'organization', name: string) =>
    kind === 'organization' ? `Access to the organization “${name}”` : `Access to “${name}”`,
  close: 'Back',
  readAgain: 'Read again',
  missing: { sentence: 'There is no such site yet.', next: 'Set it up first; then say who has access.' },
  missingOrganization: { sentence: 'The organization is not claimed yet.', next: 'Claim it first; then say who has access.' },
  notAllowed: {
    site: 'Only administrators of the site and of the organization see who has access.',
    organization: 'Only administrators of the organization see its users and groups.',
  },
  lookOnly: 'You may look, but not change it',
  unsaved: {
    title: 'Your change is not saved',
    text: 'If you go back now, it is lost.',
    leave: 'Go back without saving',
    stay: 'Stay',
  },
  roles: {
    admin: { name: 'Administrators', may: 'Everything: configuration, access, API keys, removing the site.' },
    config_admin: {
      name: 'Technical account',
      may: 'Reads and writes the configuration, publishes and syncs code, but does not say who is an administrator.',
    },
    develop: { name: 'Developers', may: 'Read the status of code syncs, and start one.' },
    author: { name: 'Authors', may: 'Read the status of jobs, and start a code sync.' },
    publish: { name: 'Publishers', may: 'Read the status of jobs, and start a code sync.' },
    basic_author: { name: 'Basic authors', may: 'Read the status of jobs.' },
    basic_publish: { name: 'Basic publishers', may: 'Read the status of jobs.' },
    config: { name: 'Readers of the configuration', may: 'Read what holds for the site, without people and secrets.' },
  } satisfies Record<RoleName, { name: string; may: string }>,
  /** What one who has the role is. */
  roleOf: {
    admin: 'Administrator',
    config_admin: 'Configuration administrator',
    develop: 'Developer',
    author: 'Author',
    publish: 'Publisher',
    basic_author: 'Basic author',
    basic_publish: 'Basic publisher',
    config: 'Reader of the configuration',
  } satisfies Record<RoleName, string>,
  accountsText:
    'The account by which the authoring system publishes: without it, publishing stops. People in this list read and write the configuration.',
  others: (count: number) => (count === 0 ? 'Other roles' : `Other roles (${count} set)`),
  nobody: 'Nobody yet.',
  add: 'Add',
  addTo: (list: string) => `Add to “${list}”`,
  entry: (list: string) => `Add to ${list}`,
  entryHelp: 'E-mail address, groups/name, *@domain, or * for everybody',
  remove: (entry: string, list: string) => `Remove ${entry} from ${list}`,
  added: (entry: string) => `${entry} added; not saved yet.`,
  removed: (entry: string) => `${entry} removed; not saved yet.`,
  problems: {
    empty: 'Write an e-mail address or a group.',
    invalid: 'Write an e-mail address, “*”, “*@domain”, a technical account or “groups/name”.',
    listed: 'It is in the list already.',
  } satisfies Record<MemberProblem, string>,
  more: (count: number) => (count === 1 ? 'Show 1 more' : `Show ${count} more`),
  you: 'You',
  everyone: 'Everybody who signs in',
  domain: (domain: string) => `Everybody at ${domain}`,
  group: (count: number) => (count === 1 ? 'Group of 1' : `Group of ${count}`),
  unknownGroup: 'No such group',
  account: {
    add: (account: string) => `Add ${account}`,
    proposed: 'The account of this authoring environment:',
    own: 'This environment’s',
    other: 'Another environment’s',
  },
  signIn: {
    label: 'Who may read the configuration',
    rules: {
      auto: { name: 'Only who signs in and has a role', text: 'The service decides; it asks for a sign-in. This is the usual setting.' },
      always: { name: 'Always sign in', text: 'A sign-in is asked for, whatever the service would decide.' },
      open: {
        name: 'Everybody, without signing in',
        text: 'Reading configuration, code and jobs is open. People, groups, keys and secrets stay closed.',
      },
    } satisfies Record<SignInRule, { name: string; text: string }>,
  },
  elsewhere: {
    title: 'Who has access through something else',
    text: 'Not set here, and true for this site as well.',
    organization: (name: string) => `Through the organization “${name}”`,
    profile: (name: string) => `Through the profile “${name}”`,
    profileText: 'Where this site sets a list of its own, that list holds instead.',
    unread: 'You may not read the users of the organization; some of them may have access as well.',
    nobody: 'Nobody.',
  },
  warnings: {
    title: 'Please note',
    everyone: (role: string, may: string, through: string | undefined) =>
      `“*”${through === undefined ? '' : ` (in ${through})`} makes everybody who can sign in anywhere “${role}”. ${may}`,
    domain: (domain: string, role: string, may: string, through: string | undefined) =>
      `“*@${domain}”${through === undefined ? '' : ` (in ${through})`} makes everybody with an address at ${domain} “${role}”, also those who join later. ${may}`,
    yourself: 'You would not be an administrator any more: somebody else would have to change it back.',
    'no-administrator': {
      site: 'No administrator is left on the site itself: only administrators of the organization could change it.',
      organization: 'No administrator is left. An organization keeps at least one; this cannot be saved.',
    },
    'account-removed': (account: string) =>
      `Without the technical account ${account}, publishing from its authoring system stops: pages do not reach preview and live any more.`,
    'account-missing': (account: string) =>
      `The technical account ${account} of this authoring environment is not in the list: publishing does not work without it.`,
    'other-environment': (account: string, environment: string, own: string, belongsTo: string) =>
      [
        belongsTo === ''
          ? `${account} is not the account of ${environment}.`
          : `${account} belongs to ${belongsTo}, not to ${environment}.`,
        `Pages of this site are published from ${environment}${own === '' ? '' : `, by ${own}`}.`,
      ].join(' '),
    'unknown-group': (entry: string) => `${entry} does not exist: it lets nobody in, and cannot be saved. Make the group first.`,
    'group-removed': (entry: string) => `Sites that name ${entry} in their lists let nobody in by it any more.`,
    open: 'Everybody can read the configuration of this site, without signing in.',
  },
  review: {
    label: 'Your change',
    look: 'Review the change…',
    nothing: 'Nothing is changed yet.',
    discard: 'Discard the change',
    looking: 'Asking the service what the change does…',
    title: 'This will change',
    same: 'Nothing differs from what is stored.',
    lockOut: 'You would lose the administration',
    lockOutText: {
      site: 'You are not an administrator of this site any more after this, and cannot take it back yourself.',
      organization: 'You are not an administrator of the organization any more after this, and cannot take it back yourself.',
    },
    lockOutConfirm: 'I know, and give up the administration',
    save: 'Save',
    saving: 'Saving…',
    back: 'Change it further',
    refused: 'It was not saved',
    lookRefused: 'It cannot be saved like this',
    saved: 'It is saved.',
    history: 'See it in the history',
    overtaken: (who: string | undefined) => `${who ?? 'Somebody else'} changed it meanwhile`,
    overtakenText: 'Their change is kept, and yours is made on it. Look at both, then save.',
    theirs: 'What they changed',
    mine: 'What you change, on top of it',
  },
  users: {
    title: 'Users',
    text: 'What they may is true for the organization and for all of its sites.',
    email: 'E-mail address of a further user, or groups/name',
    add: 'Add the user',
    addTitle: 'Add a user',
    roles: 'Roles',
    rolesOf: (email: string) => `Roles of ${email}`,
    change: 'Roles…',
    changeOf: (email: string) => `Change the roles of ${email}`,
    done: 'Done',
    remove: (email: string) => `Remove ${email}`,
    find: 'Find a user',
    nothingFound: 'No user fits the search.',
    rolesMissing: 'Choose at least one role, or remove the user.',
  },
  groups: {
    title: 'Groups',
    text: 'A group stands in any list as groups/name, here and on the sites.',
    empty: 'There are no groups.',
    members: (count: number) => (count === 1 ? '1 member' : `${count} members`),
    name: 'Name of a further group',
    nameHelp: 'Lower-case letters, digits and single hyphens.',
    add: 'Add the group',
    listed: 'There is a group of this name already.',
    remove: (name: string) => `Remove the group ${name}`,
  },
  keys,
};
