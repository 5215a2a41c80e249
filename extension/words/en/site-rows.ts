import type { Cell, CellSays, RowReason, RowStep } from '#extension/setup/sites/rows.ts';

type Data = Readonly<Record<string, string>>;

/** What is done for a row. */
export const rowSteps: Record<RowStep, string> = {
  read: 'reading',
  'configuration-page': 'making the configuration page',
  'register-site': 'registering the site',
  verify: 'verifying both hosts',
  'cloud-configuration': 'setting its own cloud configuration',
  switch: 'selecting its own cloud configuration',
};

export const cells: Record<Cell | 'row', string> = {
  siteName: 'Site name',
  contentRoot: 'Content root',
  mappings: 'Mappings',
  includes: 'Includes',
  configurationPage: 'Configuration page',
  cloudConfiguration: 'Cloud configuration',
  technicalAccount: 'Technical account',
  code: 'Code source',
  access: 'Access',
  row: 'Site',
};

/** Why a row did not succeed, and what to do. */
export const rowProblems: Record<RowReason, (data: Data) => { readonly sentence: string; readonly next: string }> = {
  'page-missing': (data) => ({
    sentence: `The page ${data['page'] ?? ''} is not there any more.`,
    next: 'Read the tree again and choose the page where it is now.',
  }),
  'name-taken': (data) => ({
    sentence: `The site “${data['site'] ?? ''}” exists and has other content (${data['root'] ?? ''}).`,
    next: 'Choose another site name.',
  }),
  'content-root-taken': (data) => ({
    sentence: `The site “${data['site'] ?? ''}” has this content root already.`,
    next: 'Use that site’s name, or remove that site first.',
  }),
  'not-authorized': (data) => ({
    sentence: data['detail'] ?? data['message'] ?? 'You may not do this.',
    next: 'Ask an administrator of the organization, or of the authoring system, for the permission; then try the failed ones again.',
  }),
  'configuration-page-type': (data) => ({
    sentence: `${data['path'] ?? 'The configuration page'} is no configuration sheet.`,
    next: 'Name another page, or make it anew from the Configuration template.',
  }),
  'configuration-shared': (data) => ({
    sentence: `${data['configuration'] ?? 'The cloud configuration'} is that of the base site.`,
    next: 'Give the site a configuration of its own below it.',
  }),
  'account-mismatch': (data) => accountMismatch(data),
  'not-verified': (data) => ({
    sentence: `${data['address'] ?? 'A host'} does not answer what was stored${status(data)}.`,
    next: 'Nothing was switched. Try the failed ones again in a minute.',
  }),
  'changed-meanwhile': () => ({ sentence: 'Somebody else keeps changing this site.', next: 'Read again and look at what they made.' }),
  refused: (data) => ({
    sentence: data['detail'] ?? data['message'] ?? `The call was refused${status(data)}.`,
    next: 'Correct what it says, then try the failed ones again.',
  }),
  unreachable: (data) => ({
    sentence: data['detail'] ?? `The other side does not answer${status(data)}.`,
    next: 'Try again in a minute; what was done stays done and is recognised.',
  }),
};

/** What is wrong with a cell. */
export function cellSentence(says: CellSays): string {
  switch (says.kind) {
    case 'sentence':
      return says.sentence;
    case 'failure':
      return `The service did not say whether it takes this${says.failure.status === undefined ? '' : ` (status ${says.failure.status})`}.`;
    case 'twice':
      return `“${says.value}” stands here twice; every site has its own.`;
    case 'name-taken':
      return rowProblems['name-taken']({ site: says.site, root: says.root }).sentence;
    case 'not-relayed':
      return `“${says.value}” is no path of a cloud configuration; write one below /conf.`;
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
