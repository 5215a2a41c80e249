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
    sentence: 'This site doesn’t exist yet, or you have no role on it.',
    next: 'Ask an administrator of the site or of the organization for access, or set the site up first.',
  },
  missingOrganization: {
    sentence: 'The organization is not claimed yet, or you have no role in it.',
    next: 'Ask an administrator of the organization for access, or claim it first.',
  },
  notAllowed: {
    site: 'Only administrators of the site and of the organization can see who has access.',
    organization: 'Only administrators of the organization can see its users and groups.',
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
    'Keep the technical account of the authoring system in this list: without it, publishing stops. People in this list can read and write the configuration.',
  others: (count: number) => (count === 0 ? 'Other roles' : `Other roles (${count} set)`),
  nobody: 'No one yet.',
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
      always: { name: 'Always require sign-in', text: 'Sign-in is required, regardless of the service’s default.' },
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
    title: 'Warnings',
    everyone: (role: string, may: string, through: string | undefined) =>
      `“*”${through === undefined ? '' : ` (in ${through})`} gives the role “${role}” to everybody who can sign in. ${may}`,
    domain: (domain: string, role: string, may: string, through: string | undefined) =>
      `“*@${domain}”${through === undefined ? '' : ` (in ${through})`} gives the role “${role}” to everybody with an address at ${domain}, including people who join later. ${may}`,
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
      next: 'An administrator can restore the site from the list of all sites. Your change stays here until you leave.',
    },
    organization: {
      title: 'The organization is no longer available',
      sentence: 'Your change can’t be saved.',
      next: 'It was removed, or you no longer have a role in it. Ask its administrators. Your change stays here until you leave.',
    },
  },
  review: {
    label: 'Your change',
    look: 'Review the change…',
    nothing: 'No changes yet.',
    discard: 'Discard the change',
    looking: 'Checking the effect of the change…',
    title: 'What will change',
    same: 'There are no differences from the saved version.',
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
      sentence: 'No response arrived from the configuration service, and the saved version can’t be read right now.',
      next: 'Review the change again in a minute. The review then shows whether it was saved.',
    },
    showProblem: 'Go to the field',
    saved: 'The change was saved.',
    history: 'View in the history',
    overtaken: (who: string | undefined) => `${who ?? 'Somebody else'} changed it in the meantime`,
    overtakenText: 'Their change is kept, and yours is applied on top. Review both, then save.',
    replacedText:
      'Where you both changed the same value, your change replaces theirs. Their other changes are kept. Review both, then save.',
    theirs: 'Their changes',
    mine: 'Your additional changes',
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
    nameHelp: 'Lowercase letters, digits and single hyphens.',
    add: 'Add group',
    listed: 'A group with this name already exists.',
    remove: (name: string) => `Remove the group ${name}`,
  },
  keys,
};
