import { STEP_IDS } from '#extension/setup/plan.ts';
import type { BlockReason } from '#extension/setup/plan.ts';
import { failures } from './failures.ts';
import { steps } from './plan.ts';

/** Why a step cannot be taken, who acts next, and what they do. Both are empty where an earlier step has to be solved first: it says so itself. */
export interface BlockMessages {
  readonly why: string;
  readonly turn: string;
  readonly who: string;
}

type Data = Readonly<Record<string, string>>;

const you = 'you';
const operator = 'the operator of the configuration service';
const authoringAdministrator = 'the administrator of the authoring system';
const organizationAdministrator = (data: Data) => `an administrator of the organization${quoted(data['organization'] ?? data['org'])}`;
const siteAdministrator = (data: Data) => `an administrator of the site${quoted(data['site'])}`;
const developer = (data: Data) => `the developer of ${repositoryOf(data)}`;

export const blocked: Record<BlockReason, (data: Data) => BlockMessages> = {
  'not-signed-in': () => ({ why: 'You are not signed in.', turn: you, who: 'Sign in above.' }),
  'answer-unread': (data) => ({ why: unread(data), turn: you, who: failures.unexpected.next }),
  'organization-missing': (data) => ({
    why: data['detail'] ?? 'The code host has no such organization.',
    turn: you,
    who: 'Correct the organization under “New settings”, or create it on the code host.',
  }),
  'organization-not-claimed': (data) => ({
    why: `The organization${quoted(data['organization'] ?? data['org'])} is not claimed yet, or you have no role in it.`,
    turn: `the owner of the organization${quoted(data['organization'] ?? data['org'])}`,
    who: 'If it is claimed, an administrator of the organization can give you access. If not, its owner on the code host claims it, or an operator of the configuration service does.',
  }),
  'not-administrator': (data) => ({
    why: data['detail'] ?? 'You can’t administer this site.',
    turn: siteAdministrator(data),
    who: 'An administrator of the site or of the organization can give you the role “admin”.',
  }),
  'name-invalid': (data) => ({
    why:
      data['root'] === undefined
        ? (data['problem'] ?? 'A name is not valid.')
        : `The site${quoted(data['name'])} belongs to ${data['root']}. Enter another site name.`,
    turn: you,
    who: 'Correct it under “New settings”.',
  }),
  'host-label-too-long': (data) => ({
    why: data['problem'] ?? 'The host name would be longer than DNS allows.',
    turn: you,
    who: 'Shorten the site name under “New settings”.',
  }),
  'mapping-invalid': (data) => ({
    why: data['problem'] ?? 'A path mapping is not valid.',
    turn: you,
    who: 'Correct the path under “New settings”.',
  }),
  'technical-account-missing': () => ({
    why: 'The technical account is unknown.',
    turn: you,
    who: 'Copy it from the Authentication tab of the Edge Delivery configuration to “New settings”.',
  }),
  'content-root-taken': (data) =>
    data['site'] === undefined
      ? {
          why:
            data['host'] === undefined
              ? 'A site of another organization already has this content root.'
              : `The authoring host ${data['host']} belongs to another organization.`,
          turn: operator,
          who: 'If the content is your organization’s, they assign the authoring host to it.',
        }
      : {
          why: `Another site${quoted(data['site'])} already has this content root.`,
          turn: siteAdministrator(data),
          who: 'Use that site’s name, or ask an administrator of that site to remove its mapping.',
        },
  'secret-missing': (data) =>
    data['registered'] === 'no'
      ? {
          why: 'The secret of the external repository is not stored yet, and build management makes one for registered sites only.',
          turn: you,
          who: `Open “Sync status” on the right of the editor, open the repository under “External repositories”, and press “Create the site” there: this registers the site${quoted(data['site'])} and stores the secret. Then press “Refresh” here. If you already have the repository’s current secret, paste it under “New settings” instead.`,
        }
      : {
          why: 'The secret of the external repository is not stored yet.',
          turn: you,
          who: 'Paste it under “New settings”. Build management shows it when the repository is linked to this site.',
        },
  'secret-invalid': (data) => ({
    why: data['problem'] ?? 'The secret is not valid.',
    turn: you,
    who: 'Paste it again under “New settings”.',
  }),
  'inherited-configuration': (data) => ({
    why: `The cloud configuration is inherited${data['from'] === undefined ? '' : ` from ${data['from']}`}; a change would reach other sites too.`,
    turn: you,
    who: 'Give this page a configuration of its own in its page properties.',
  }),
  'cloud-configuration-missing': (data) => ({
    why: `${data['page'] ?? 'This page'} has no cloud configuration, so there is nowhere to set the organization and the site name.`,
    turn: you,
    who: 'Choose a cloud configuration in the page properties of the site root, then press “Refresh”.',
  }),
  'cloud-configuration-taken': (data) => ({
    why: `${data['page'] ?? 'This page'} has no cloud configuration, and ${data['configuration'] ?? 'the one with its name'} belongs to the site ${data['names'] ?? 'of another page'}.`,
    turn: you,
    who: 'Select a cloud configuration in the page properties of the site root, then press “Refresh”.',
  }),
  'configuration-page-type': (data) => ({
    why: `${data['path'] ?? 'The configuration page'} is not a configuration page; its type is${quoted(data['resourceType'])}.`,
    turn: you,
    who: 'Enter another configuration page under “New settings”, or create this one again from the Configuration template.',
  }),
  refused: (data) => ({
    why: data['detail'] ?? data['message'] ?? 'The configuration service refuses this step.',
    turn: you,
    who: 'Correct the problem, then press “Refresh”.',
  }),
  'repository-missing': (data) => ({
    why: `The code host has no repository ${repositoryOf(data)}.`,
    turn: developer(data),
    who: 'They create the repository, or you correct its owner and name under “New settings”.',
  }),
  'repository-private': (data) => ({
    why: `The configuration service can’t read the repository ${repositoryOf(data)}: it is private, or it doesn’t exist.`,
    turn: developer(data),
    who: 'They make the repository public, or you correct its owner and name under “New settings”.',
  }),
  'repository-not-ready': (data) => ({
    why: `The external repository ${repositoryOf(data)} is not ready in build management; its state is ${data['state'] ?? 'unknown'}.`,
    turn: organizationAdministrator(data),
    who: 'They finish its onboarding in build management.',
  }),
  'branch-missing': (data) => ({
    why: `The repository ${repositoryOf(data)} has no branch “${data['branch'] ?? 'main'}”.`,
    turn: developer(data),
    who: `They push a branch “${data['branch'] ?? 'main'}”.`,
  }),
  'code-host-unreachable': (data) => ({
    why: data['detail'] ?? 'The code host does not respond.',
    turn: 'the code host',
    who: 'Try again in a minute. If the problem persists, contact the operator of the configuration service.',
  }),
  'sync-failed': (data) => syncFailed(data),
  'sync-slow': () => ({
    why: 'The code sync is still running after 15 minutes.',
    turn: 'the code sync',
    who: 'Check it under “Sync status”. When it has finished, try again.',
  }),
  'sync-stopped': () => ({
    why: 'Somebody stopped the code sync.',
    turn: you,
    who: 'Try again to start a new sync.',
  }),
  'editor-files-missing': (data) => ({
    why: `The branch “main” of ${repositoryOf(data)} lacks ${data['missing'] ?? 'files of the editor'}. Without them, the editor shows a white page.`,
    turn: developer(data),
    who: 'They add the files to the repository.',
  }),
  'editor-files-not-served': (data) => ({
    why: `The code is synced, but the preview host does not serve ${data['missing'] ?? 'the editor files'}.`,
    turn: 'the developer of the repository',
    who: 'They check the branch “main” and .hlxignore.',
  }),
  'host-guarded': (data) => ({
    why: `You don’t have access to ${data['address'] ?? 'the preview host'}, so it can’t be checked.`,
    turn: siteAdministrator(data),
    who: 'They give you access, or finish this setup themselves.',
  }),
  'configuration-not-served': (data) => ({
    why: `The preview host does not have the configuration page (${data['address'] ?? ''}).${said(data)}`,
    turn: you,
    who: 'Check that the configuration page exists in the authoring system and that this site delivers it.',
  }),
  'content-missing': (data) => ({
    why: `The preview host has no start page (${data['address'] ?? ''}).${said(data)}`,
    turn: you,
    who: 'Check that the page exists in the authoring system and that its cloud configuration names this organization and site.',
  }),
  'content-refused': (data) => ({
    why: `The authoring system does not deliver the content to the configuration service: it returns ${data['status'] ?? '401'}.`,
    turn: operator,
    who: 'They give the service access to the content with the technical account (setting CONTENT_TOKEN), or the administrator of the authoring system opens the delivery.',
  }),
  'content-unreachable': (data) => ({
    why: `The preview host can’t show the start page (${data['address'] ?? ''}).${said(data)}`,
    turn: authoringAdministrator,
    who: 'Try again in a minute. If the problem persists, contact the administrator of the authoring system.',
  }),
  'technical-account-mismatch': (data) => ({
    why: `This authoring environment publishes with ${data['own'] ?? 'another account'}, not with ${data['account'] ?? 'this one'}.`,
    turn: you,
    who: `Enter ${data['own'] ?? 'that account'} as the technical account under “New settings”.`,
  }),
  'technical-account-unlisted': (data) => ({
    why: `The technical account ${data['account'] ?? ''} can’t publish to this site.`,
    turn: you,
    who: 'Press “Refresh”: the step “Grant access” adds it.',
  }),
  'not-checkable': () => ({
    why: 'The configuration service does not offer this check.',
    turn: operator,
    who: 'They update the configuration service; it may be older than this panel.',
  }),
  'service-unreachable': () => ({
    why: 'The configuration service does not respond.',
    turn: operator,
    who: 'Try again in a minute. If the problem persists, contact its operator.',
  }),
  'authoring-unreachable': () => ({
    why: 'The authoring system does not respond.',
    turn: authoringAdministrator,
    who: 'Try again in a minute. If the problem persists, contact its administrator.',
  }),
  'base-of-sites': (data) => ({
    why: `Other sites depend on${quoted(data['site'])}: ${named(data)}.`,
    turn: you,
    who: 'Remove those sites first.',
  }),
  'secret-of-sites': (data) => ({
    why: `The site${quoted(data['site'])} holds the secret of a repository that other sites use: ${named(data)}.`,
    turn: you,
    who: 'Store the secret with one of them first.',
  }),
  'sites-unlisted': (data) => ({
    why: `You can’t see the other sites of the organization${quoted(data['organization'])}. Some of them may depend on${quoted(data['site'])}, or need the secret that it holds.`,
    turn: organizationAdministrator(data),
    who: 'They undo the setup, or give you a role in the organization.',
  }),
  'version-missing': (data) => ({
    why: `Version ${data['version'] ?? ''} of the site${quoted(data['site'])}, from before the setup, no longer exists.`,
    turn: you,
    who: 'Restore another version under “History”, and set the project type in the authoring system yourself.',
  }),
  'earlier-step': (data) => ({
    why: `It comes after${quoted(data['title'] ?? titleOf(data['step']))}, which is blocked.`,
    turn: '',
    who: '',
  }),
};

function syncFailed(data: Data): BlockMessages {
  const error = data['error'] ?? '';
  switch (data['problem']) {
    case 'secret-refused':
      return {
        why: `The code sync failed because the external repository does not accept the secret of the site: “${error}”.`,
        turn: organizationAdministrator(data),
        who: 'Paste the secret that build management shows for this repository under “New settings”, then try again.',
      };
    case 'not-readable':
    case 'repository-missing':
    case 'branch-missing':
    case 'too-large':
      return { why: `The code sync failed: “${error}”.`, turn: developer(data), who: 'They correct the repository. Then try again.' };
    case 'address-refused':
      return { why: `The code sync failed: “${error}”.`, turn: operator, who: 'They allow the address of this code source.' };
    default:
      return { why: `The code sync failed: “${error}”.`, turn: 'the code source', who: 'Try again in a few minutes.' };
  }
}

function unread({ from, about = '' }: Data): string {
  return failures.unread[from === 'authoring' || from === 'host' ? from : 'service'](about);
}

function repositoryOf(data: Data): string {
  return `${data['owner'] ?? ''}/${data['repo'] ?? ''}`;
}

/** The service's own sentence, after ours. */
function said(data: Data): string {
  const detail = data['detail'] ?? '';
  return detail === '' ? '' : ` It says: ${detail}`;
}

function titleOf(step: string | undefined): string {
  return STEP_IDS.filter((id) => id === step).map((id) => steps[id].title)[0] ?? 'an earlier step';
}

function quoted(name: string | undefined): string {
  return name === undefined ? '' : ` “${name}”`;
}

/** The first sites by name, and how many there are besides. */
function named({ sites = '', more = '0' }: Data): string {
  return more === '0' ? sites : `${sites} and ${more} more`;
}
