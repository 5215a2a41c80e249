import type { Cell, CellSays, RowReason, RowStep } from '#extension/setup/sites/rows.ts';
import { failures } from './failures.ts';

type Data = Readonly<Record<string, string>>;

/** What is done for a row. */
export const rowSteps: Record<RowStep, string> = {
  read: 'reading',
  repository: 'checking the repository',
  'configuration-page': 'creating the configuration page',
  'register-site': 'registering the site',
  code: 'syncing the code',
  verify: 'verifying both hosts',
  'cloud-configuration': 'setting its own cloud configuration',
  switch: 'selecting its own cloud configuration',
  pages: 'checking its pages on the preview host',
};

export const cells: Record<Cell | 'row', string> = {
  siteName: 'Site name',
  contentRoot: 'Content root',
  mappings: 'Mappings',
  includes: 'Includes',
  excludes: 'Excludes',
  suffix: 'Suffix',
  overlay: 'Content overlay',
  folders: 'Folders',
  configurationPage: 'Configuration page',
  cloudConfiguration: 'Cloud configuration',
  technicalAccount: 'Technical account',
  code: 'Code source',
  access: 'Access',
  row: 'Site',
};

const MOVE_ON = 'Move the site again to continue, or move it back.';

/** Why a row did not succeed, and what to do. */
export const rowProblems: Record<RowReason, (data: Data) => { readonly sentence: string; readonly next: string }> = {
  'page-missing': (data) => ({
    sentence: `The page ${data['page'] ?? ''} doesn’t exist.`,
    next: 'Correct the content root, or refresh the tree and choose the page again.',
  }),
  'name-taken': (data) => ({
    sentence: `The site “${data['site'] ?? ''}” already exists with other content (${data['root'] ?? ''}).`,
    next: 'Choose another site name.',
  }),
  'content-root-taken': (data) => ({
    sentence:
      data['host'] !== undefined
        ? `The authoring host ${data['host']} belongs to another organization.`
        : data['site'] === undefined
          ? 'A site of another organization already has this content root.'
          : `The site “${data['site']}” already has this content root.`,
    next:
      data['site'] === undefined
        ? 'If the content is your organization’s, ask the operator of the configuration service to assign the authoring host to it.'
        : 'Use that site’s name, or remove that site first.',
  }),
  'site-missing': (data) => ({
    sentence: `The site “${data['site'] ?? ''}” no longer exists.`,
    next: 'Restore it from its history, or remove it from the list.',
  }),
  'content-elsewhere': (data) => ({
    sentence: `The site “${data['site'] ?? ''}” gets its content from ${data['root'] ?? 'somewhere else'}.`,
    next: 'Plan the move again from that environment, or remove the site from the list.',
  }),
  'page-not-there': (data) => ({
    sentence: `The page ${data['page'] ?? ''} doesn’t exist on ${data['author'] ?? 'the other author'}, or you can’t access it.`,
    next: 'Copy the pages there first, or enter their path there.',
  }),
  'configuration-taken': (data) => ({
    sentence: `In the new environment, the cloud configuration ${data['configuration'] ?? ''} names the site “${data['site'] ?? ''}”.`,
    next: 'Select a separate configuration on the page there, or correct the site name in that one.',
  }),
  'not-authorized': (data) => ({
    sentence: data['detail'] ?? data['message'] ?? 'You don’t have permission to do this.',
    next: 'Ask an administrator of the organization, or of the authoring system, for permission, then review the site again.',
  }),
  'configuration-page-type': (data) => ({
    sentence: `${data['path'] ?? 'The configuration page'} is not a configuration page.`,
    next: 'Choose another page, or create it again from the Configuration template.',
  }),
  'configuration-page-parent': (data) => ({
    sentence: `The configuration page can’t be created, because the page ${data['parent'] ?? ''} above it doesn’t exist.`,
    next: 'Choose a configuration page below an existing page.',
  }),
  'configuration-page-name': (data) => ({
    sentence: `The authoring system would create ${data['path'] ?? 'the configuration page'} under another name.`,
    next: 'Use lowercase letters, digits, “-” and “_” for the name of the configuration page.',
  }),
  locked: (data) => ({
    sentence: `${data['path'] ?? 'The page'} is locked by ${data['by'] ?? 'somebody else'} in the authoring system.`,
    next: `Ask ${data['by'] ?? 'them'} to unlock it, or remove the site from the list.`,
  }),
  'not-writable': (data) => ({
    sentence: `You don’t have permission to change ${data['path'] ?? 'this'} in the authoring system.`,
    next: 'Ask the administrator of the authoring system for write permission there, or remove the site from the list.',
  }),
  'configuration-shared': (data) => ({
    sentence: `${data['configuration'] ?? 'The cloud configuration'} belongs to the base site.`,
    next: 'Give the site a configuration of its own below it.',
  }),
  'account-mismatch': (data) => accountMismatch(data),
  'not-verified': (data) => ({
    sentence: `${data['address'] ?? 'A host'} does not serve the stored configuration${status(data)}.`,
    next: 'Nothing was switched. Try again in a minute.',
  }),
  'not-ready': () => ({ sentence: 'The site is not ready to be switched.', next: 'Try the failed sites again.' }),
  'changed-meanwhile': () => ({ sentence: 'Somebody else keeps changing this site.', next: 'Refresh and review their changes.' }),
  'left-moved': (data) => ({
    sentence: `The site was not moved back and gets its content from ${data['author'] ?? 'the new environment'}.`,
    next: MOVE_ON,
  }),
  'left-moved-changed': (data) => ({
    sentence: `Somebody changed the site in the meantime. It was not moved back and gets its content from ${data['author'] ?? 'the new environment'}.`,
    next: MOVE_ON,
  }),
  'left-unknown': (data) => ({
    sentence: `The service didn’t confirm whether the site moved. It may get its content from ${data['author'] ?? 'the new environment'}.`,
    next: MOVE_ON,
  }),
  'page-left-inheriting': (data) => ({
    sentence: `The site was not removed, but ${data['page'] ?? ''} no longer selects its cloud configuration ${data['configuration'] ?? ''}.`,
    next: `The page now publishes to the site above. Plan the removal again, or select ${data['configuration'] ?? ''} on that page in the authoring system.`,
  }),
  'made-anew': (data) => ({
    sentence: `Somebody created another site “${data['site'] ?? ''}” in the meantime, so the removed one was not restored.`,
    next: 'Its versions are in the history of the site with that name. Ask whoever created the new one.',
  }),
  refused: (data) => ({
    sentence: data['detail'] ?? data['message'] ?? `The request was refused${status(data)}.`,
    next: 'Review the site and correct the problem.',
  }),
  'signed-out': (data) => ({
    sentence: data['detail'] ?? 'Your sign-in has ended.',
    next: 'Sign in again, then continue. Completed steps are kept.',
  }),
  unreachable: (data) => ({
    sentence: data['detail'] ?? `The other system does not respond${status(data)}.`,
    next: 'Try again in a minute. Completed steps are kept.',
  }),
};

/** What is wrong with a cell. */
export function cellSentence(says: Exclude<CellSays, { kind: 'problem' }>): string {
  switch (says.kind) {
    case 'sentence':
      return says.sentence;
    case 'failure':
      if (says.failure.finding?.kind === 'no-dry-run') return failures.noDryRun[says.failure.finding.reason].sentence;
      return `The service did not confirm this value${says.failure.status === undefined ? '' : ` (status ${says.failure.status})`}.`;
    case 'twice':
      return `“${says.value}” is used twice. Choose another name.`;
    case 'name-taken':
      return rowProblems['name-taken']({ site: says.site, root: says.root }).sentence;
    case 'not-proxied':
      return `“${says.value}” is not a cloud configuration path. Enter one below /conf.`;
    case 'account-mismatch':
      return accountMismatch(says.data).sentence;
    default:
      return says satisfies never;
  }
}

function accountMismatch(data: Data) {
  const belongsTo = data['belongsTo'] ?? '';
  const own = data['own'] ?? '';
  const whose = belongsTo === '' ? '' : `; it belongs to ${belongsTo}`;
  return {
    sentence: `${data['account'] ?? ''} is not the technical account of ${data['environment'] ?? 'this environment'}${whose}.`,
    next: own === '' ? 'Use the account that the Authentication tab of this environment shows.' : `Use ${own}.`,
  };
}

function status(data: Data): string {
  const value = data['status'] ?? '';
  return value === '' ? '' : ` (status ${value})`;
}
