import type { CheckId } from '#extension/setup/findings.ts';
import type { CheckWords } from '../finding-words.ts';

const ENABLE = 'Press “Enable repoless”.';

/** Findings about what the configuration service holds. */
export const serviceFindings = {
  'signed-in': {
    fine: (d) => ({ finding: `You are signed in as ${d['email']} for another ${d['minutes']} minutes.` }),
    otherwise: () => ({ finding: 'You are not signed in.', consequence: 'Nothing can be set up.', fix: 'Sign in.' }),
    variants: {
      'ends-soon': (d) => ({
        finding: `Your sign-in ends in ${d['minutes']} minutes.`,
        consequence: 'It may end while the site is being set up; what was done stays done.',
        fix: 'Sign in again before you begin.',
      }),
    },
  },
  'organization-claimed': {
    fine: (d) => ({ finding: `The organization “${d['organization']}” is claimed.` }),
    otherwise: (d) => ({
      finding: `Nobody has claimed the organization “${d['organization']}”.`,
      consequence: 'No site can be registered in it.',
      fix: 'Its owner on the code host can claim it, or an operator of the configuration service.',
    }),
    variants: {
      name: (d) => ({
        finding: d['problem'] ?? `“${d['name']}” is not a valid organization name.`,
        consequence: 'The service knows no such organization, and it cannot be part of a host name.',
        fix: 'Correct the organization in the Edge Delivery configuration.',
      }),
    },
  },
  'site-registered': {
    fine: (d) => ({ finding: `The site “${d['site']}” of “${d['organization']}” is registered.` }),
    otherwise: (d) => ({
      finding: `The site “${d['site']}” of “${d['organization']}” is not registered.`,
      consequence: 'Its addresses answer 404, and its pages cannot be published.',
      fix: ENABLE,
    }),
  },
  'caller-administers': {
    fine: () => ({ finding: 'You may administer this site.' }),
    otherwise: (d) => ({
      finding: 'You may not administer this site.',
      consequence: 'What you set here is refused.',
      fix:
        (d['administrators'] ?? '') === ''
          ? 'Ask an administrator of the organization to add you.'
          : `Ask one of its administrators to add you: ${d['administrators']}.`,
    }),
  },
  'technical-account-listed': {
    fine: (d) => ({ finding: `The technical account ${d['technicalAccount']} may publish.` }),
    otherwise: (d) => ({
      finding: `The technical account ${d['technicalAccount']} is not among those who may publish.`,
      consequence: 'Publishing fails without a message.',
      fix: ENABLE,
    }),
    unknown: () => ({
      finding: 'It is not known whether the technical account may publish: the site or the account is missing.',
      fix: 'Write the technical account under “What will be set”; it is shown on the Authentication tab of the Edge Delivery configuration.',
    }),
  },
  'technical-account-environment': {
    fine: () => ({ finding: 'No technical account of another environment is listed.' }),
    otherwise: (d) => ({
      finding: `The technical account in the list belongs to another environment: ${d['others']}.`,
      consequence: 'Pages of this environment cannot be published.',
      fix: `Replace it with ${d['technicalAccount']}. ${ENABLE}`,
    }),
  },
  'wildcard-administrators': {
    fine: () => ({ finding: 'Administrators are named one by one.' }),
    otherwise: (d) => ({
      finding: `The list of administrators holds ${d['entries']}.`,
      consequence: 'More people than you may think can change this site.',
      fix: 'Name the administrators one by one under “What will be set”.',
    }),
  },
  'content-address-site': {
    fine: () => ({ finding: 'The content comes from this site’s own delivery address.' }),
    otherwise: (d) => ({
      finding: `The content address belongs to the site “${d['addressSite']}” of “${d['addressOrg']}”.`,
      consequence: 'Pages are refused, or always answer 404.',
      fix: ENABLE,
    }),
    variants: {
      'other-source': (d) => ({
        finding: `The content comes from another source: ${d['address']}.`,
        consequence: 'Pages of this authoring system do not appear on the site.',
        fix: ENABLE,
      }),
      'other-author': (d) => ({
        finding: `The content comes from another authoring system: ${d['addressAuthor']}.`,
        consequence: 'Pages of this authoring system do not appear on the site.',
        fix: 'Use a site of its own for this environment, or press “Enable repoless” to move the site here.',
      }),
    },
  },
  'content-root-single': {
    fine: (d) => ({ finding: `No other site has the content root ${d['siteRoot']}.` }),
    otherwise: (d) => ({
      finding: `The site “${d['other']}” has the content root ${d['siteRoot']} already.`,
      consequence: 'A content root can have one site only; registering is refused.',
      fix: `Use the site name “${d['other']}”, or ask its administrator to remove its mapping.`,
    }),
  },
  'host-label': {
    fine: () => ({ finding: 'The host name is short enough.' }),
    otherwise: (d) => ({
      finding: d['problem'] ?? 'The host name is too long.',
      consequence: 'The site cannot have an address.',
      fix: 'Shorten the site name under “What will be set”.',
    }),
  },
  'mapping-site-root': {
    fine: (d) => ({ finding: `${d['siteRoot']} and all pages below it are mapped to “/”.` }),
    otherwise: () => ({ finding: 'The site root is not mapped.', consequence: 'Every page answers 404.', fix: ENABLE }),
    variants: {
      missing: (d) => ({ finding: `Nothing maps ${d['siteRoot']} to “/”.`, consequence: 'Every page answers 404.', fix: ENABLE }),
      'other-root': (d) => ({
        finding: `“/” is mapped to ${d['root']}, not to ${d['siteRoot']}.`,
        consequence: 'The site shows another part of the content.',
        fix: ENABLE,
      }),
      'trailing-slash': (d) => ({
        finding: `The mapping of ${d['siteRoot']} has no trailing slash.`,
        consequence: 'It covers the root page only; the pages below it answer 404.',
        fix: ENABLE,
      }),
      'not-included': (d) => ({
        finding: `${d['siteRoot']} is not among the paths that are published.`,
        consequence: 'Its pages cannot be published.',
        fix: ENABLE,
      }),
    },
  },
  'mapping-configuration': {
    fine: (d) => ({ finding: `${d['path']} is mapped to ${d['configurationPath']}.` }),
    otherwise: () => ({
      finding: 'The configuration page is not mapped.',
      consequence: 'The site has no configuration of its own.',
      fix: ENABLE,
    }),
    variants: {
      missing: (d) => ({
        finding: `Nothing is mapped to ${d['configurationPath']}.`,
        consequence: 'What is written on the configuration page has no effect.',
        fix: ENABLE,
      }),
      'trailing-slash': (d) => ({
        finding: `The mapping of ${d['mapped']} has a trailing slash.`,
        consequence: 'It covers the pages below it, not the configuration page itself.',
        fix: ENABLE,
      }),
      'other-page': (d) => ({
        finding: `${d['mapped']} is mapped instead of ${d['path']}.`,
        consequence: 'What is written on this configuration page has no effect.',
        fix: ENABLE,
      }),
    },
  },
} as const satisfies Partial<Record<CheckId, CheckWords>>;
