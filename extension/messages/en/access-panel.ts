import type { RoleName } from '#contract/access.ts';
import type { MemberProblem } from '#extension/setup/access/members.ts';
import type { SignInRule } from '#extension/setup/access/site-draft.ts';
import { keys } from './access-keys.ts';

/** Messages of the access editor: who may do what, and what a change means. */
export const accessPanel = {
  title: (kind: 'site' | 'profile' | 'organization', name: string) =>
    kind === 'organization' ? `Access to the organization “${name}”` : `Access to “${name}”`,
  close: 'Back',
  readAgain: 'Refresh',
  missing: {
    sentence: 'There is no such site yet, or you have no role on it.',
    next: 'Ask an administrator of the site or of the organization for access, or set the site up first.',
  },
  missingOrganization: {
    sentence: 'The organization is not claimed yet, or you have no role in it.',
    next: 'Ask an administrator of the organization for access, or claim it first.',
  },
  notAllowed: {
    site: 'Only administrators of the site and of the organization see who has access.',
    organization: 'Only administrators of the organization see its users and groups.',
  },
  lookOnly: 'You have read-only access',
  roles: {
    admin: { name: 'Administrators', may: 'Everything: configuration, access, API keys, removing the site.' },
    config_admin: {
      name: 'Configuration administrators',
      may: 'Read and write the configuration, publish, and sync code, but can’t change who has access.',
    },
    develop: { name: 'Developers', may: 'Read the status of code syncs, and start one.' },
    author: { name: 'Authors', may: 'Read the status of jobs, and start a code sync.' },
    publish: { name: 'Publishers', may: 'Read the status of jobs, and start a code sync.' },
    basic_author: { name: 'Basic authors', may: 'Read the status of jobs.' },
    basic_publish: { name: 'Basic publishers', may: 'Read the status of jobs.' },
    config: { name: 'Configuration readers', may: 'Read the configuration in force, without people and secrets.' },
    view: { name: 'Viewers', may: 'Read the status of jobs.' },
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
    config: 'Configuration reader',
    view: 'Viewer',
  } satisfies Record<RoleName, string>,
  accountsText:
    'The authoring system publishes with its technical account in this list. Without it, publishing stops. People in this list can read and write the configuration.',
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
    empty: 'Enter an e-mail address or a group.',
    invalid: 'Enter an e-mail address, “*”, “*@domain”, a technical account or “groups/name”.',
    listed: 'Already in the list.',
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
      auto: { name: 'Only signed-in users with a role', text: 'The service decides, and requires a sign-in. This is the default.' },
      always: { name: 'Always require sign-in', text: 'Sign-in is required, whatever the service’s default is.' },
      open: {
        name: 'Everybody, without signing in',
        text: 'Everybody can read configuration, code and jobs. People, groups, keys and secrets stay protected.',
      },
    } satisfies Record<SignInRule, { name: string; text: string }>,
  },
  elsewhere: {
    title: 'Access from other sources',
    text: 'Not set here, but it applies to this site too.',
    organization: (name: string) => `Through the organization “${name}”`,
    profile: (name: string) => `Through the profile “${name}”`,
    profileText: 'If this site sets its own list, that list applies instead.',
    unread: 'You can’t see the users of the organization. Some of them may have access too.',
    nobody: 'Nobody.',
  },
  warnings: {
    title: 'Please note',
    everyone: (role: string, may: string, through: string | undefined) =>
      `“*”${through === undefined ? '' : ` (in ${through})`} gives everybody who can sign in anywhere the role “${role}”. ${may}`,
    domain: (domain: string, role: string, may: string, through: string | undefined) =>
      `“*@${domain}”${through === undefined ? '' : ` (in ${through})`} gives everybody with an address at ${domain} the role “${role}”, including people who join later. ${may}`,
    yourself: 'You would no longer be an administrator. Somebody else would have to undo this change.',
    'no-administrator': {
      site: 'The site itself has no administrator left. Only administrators of the organization could change it.',
      organization: 'No administrator is left. An organization needs at least one, so this can’t be saved.',
    },
    'account-removed': (account: string) =>
      `Without the technical account ${account}, publishing from its authoring system stops. Pages no longer reach preview and live.`,
    'account-missing': (account: string) =>
      `The technical account ${account} of this authoring environment is not in the list. Publishing does not work without it.`,
    'other-environment': (account: string, environment: string, own: string, belongsTo: string) =>
      [
        belongsTo === ''
          ? `${account} is not the account of ${environment}.`
          : `${account} belongs to ${belongsTo}, not to ${environment}.`,
        `Pages of this site are published from ${environment}${own === '' ? '' : `, by ${own}`}.`,
      ].join(' '),
    'unknown-group': (entry: string) => `${entry} does not exist and can’t be saved. Create the group first.`,
    'group-removed': (entry: string) => `Sites that name ${entry} in their lists no longer grant access to its members.`,
    open: 'Everybody can read the configuration of this site, without signing in.',
  },
  gone: {
    site: {
      title: 'The site was removed in the meantime',
      sentence: 'Your change can’t be saved.',
      next: 'An administrator can bring the site back from the list of all sites. Until you leave, your change stays here.',
    },
    organization: {
      title: 'The organization is not there any more',
      sentence: 'Your change can’t be saved.',
      next: 'It was removed, or you no longer have a role in it. Ask its administrators. Until you leave, your change stays here.',
    },
  },
  leaveSaving: {
    title: 'Your change is being saved',
    text: 'Saving continues if you leave, but only here you see whether it succeeds.',
    leave: 'Leave',
    stay: 'Stay',
  },
  review: {
    label: 'Your change',
    look: 'Review the change…',
    nothing: 'No changes yet.',
    discard: 'Discard the change',
    looking: 'Checking what the change does…',
    title: 'This will change',
    same: 'Nothing differs from what is saved.',
    lockOut: 'You would lose admin access',
    lockOutText: {
      site: 'After this you are no longer an administrator of this site, and you can’t undo it yourself.',
      organization: 'After this you are no longer an administrator of the organization, and you can’t undo it yourself.',
    },
    lockOutConfirm: 'I understand. Give up my admin access',
    save: 'Save',
    saving: 'Saving…',
    back: 'Keep editing',
    refused: 'The change was not saved',
    lookRefused: 'This change can’t be saved',
    lost: {
      title: 'The change may have been saved',
      sentence: 'The answer of the configuration service did not arrive, and what is saved can’t be read now.',
      next: 'Review the change again in a minute. What is saved by then is recognized.',
    },
    showProblem: 'Go to the field',
    saved: 'The change is saved.',
    history: 'View in the history',
    overtaken: (who: string | undefined) => `${who ?? 'Somebody else'} changed it in the meantime`,
    overtakenText: 'Their change is kept, and yours is applied on top. Review both, then save.',
    replacedText:
      'Where you both changed the same place, your change replaces theirs. Everything else of theirs is kept. Review both, then save.',
    theirs: 'What they changed',
    mine: 'What you change in addition',
  },
  users: {
    title: 'Users',
    text: 'These permissions apply to the organization and all of its sites.',
    email: 'E-mail address of another user, or groups/name',
    add: 'Add user',
    addTitle: 'Add a user',
    roles: 'Roles',
    rolesOf: (email: string) => `Roles of ${email}`,
    change: 'Roles…',
    changeOf: (email: string) => `Change the roles of ${email}`,
    done: 'Done',
    remove: (email: string) => `Remove ${email}`,
    find: 'Find a user',
    nothingFound: 'No user matches the search.',
    rolesMissing: 'Choose at least one role, or remove the user.',
  },
  groups: {
    title: 'Groups',
    text: 'Use a group in any list as groups/name, here and on the sites.',
    empty: 'There are no groups.',
    members: (count: number) => (count === 1 ? '1 member' : `${count} members`),
    name: 'Name of the new group',
    nameHelp: 'Lower-case letters, digits and single hyphens.',
    add: 'Add group',
    listed: 'A group with this name already exists.',
    remove: (name: string) => `Remove the group ${name}`,
  },
  keys,
};
