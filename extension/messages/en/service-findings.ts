import type { CheckId } from '#contract/site-check.ts';
import type { CheckMessages } from '../finding-messages.ts';
import { timeLeft } from '../time-left.ts';

const ENABLE = 'Press the button under “Setup”.';

/** Findings about what the configuration service holds. */
export const serviceFindings = {
  'signed-in': {
    fine: (d) => ({ finding: `You are signed in as ${d['email']} for another ${timeLeft('en', d['minutes'])}.` }),
    otherwise: () => ({ finding: 'You are not signed in.', consequence: 'Nothing can be set up.', fix: 'Sign in.' }),
    variants: {
      'ends-soon': (d) => ({
        finding: `Your sign-in ends in ${timeLeft('en', d['minutes'])}.`,
        consequence: 'It may end while the site is being set up. Completed steps are kept.',
        fix: 'Sign in again before you begin.',
      }),
    },
  },
  'organization-claimed': {
    fine: (d) => ({ finding: `The organization “${d['organization']}” is claimed.` }),
    otherwise: (d) => ({
      finding: `The organization “${d['organization']}” is not claimed, or you have no role in it.`,
      consequence: 'You can’t register a site in it.',
      fix: 'If it is claimed, ask one of its administrators for access. If not, its owner on the code host can claim it, or an operator of the configuration service.',
    }),
    variants: {
      name: (d) => ({
        finding: d['problem'] ?? `“${d['name']}” is not a valid organization name.`,
        consequence: 'The service has no such organization, and the name can’t be part of a host name.',
        fix: 'Correct the organization in the Edge Delivery configuration.',
      }),
    },
  },
  'site-registered': {
    fine: (d) => ({ finding: `The site “${d['site']}” of “${d['organization']}” is registered.` }),
    otherwise: (d) => ({
      finding: `The site “${d['site']}” of “${d['organization']}” is not registered.`,
      consequence: 'Its addresses return 404, and its pages can’t be published.',
      fix: ENABLE,
    }),
  },
  'caller-administers': {
    fine: () => ({ finding: 'You can administer this site.' }),
    otherwise: (d) => ({
      finding: 'You can’t administer this site.',
      consequence: 'Your changes are refused.',
      fix:
        (d['administrators'] ?? '') === ''
          ? 'Ask an administrator of the organization to add you.'
          : `Ask an administrator to add you: ${d['administrators']}.`,
    }),
    variants: {
      unadministered: (d) => ({
        finding:
          'The site has no administrator of its own, like every site created in one click, and you are not an administrator of its organization.',
        consequence: 'Your changes to access, API keys and similar settings are refused.',
        fix:
          (d['administrators'] ?? '') === ''
            ? 'Ask an administrator of the organization to give you the role “admin”.'
            : `Ask an administrator of the organization to give you the role “admin”: ${d['administrators']}.`,
      }),
    },
  },
  'technical-account-listed': {
    fine: (d) => ({ finding: `The technical account ${d['technicalAccount']} can publish.` }),
    otherwise: (d) => ({
      finding: `The technical account ${d['technicalAccount']} can’t publish.`,
      consequence: 'Publishing fails without an error message.',
      fix: ENABLE,
    }),
    unknown: () => ({
      finding: 'Couldn’t check whether the technical account can publish: the site or the account is missing.',
      fix: 'Enter the technical account under “New settings”. It is shown on the Authentication tab of the Edge Delivery configuration.',
    }),
  },
  'technical-account-environment': {
    fine: () => ({ finding: 'No technical account of another environment is listed.' }),
    otherwise: (d) => ({
      finding: `The technical account in the list belongs to another environment: ${d['others']}.`,
      consequence: 'Pages of this environment can’t be published.',
      fix: `Replace it with ${d['technicalAccount']}. ${ENABLE}`,
    }),
  },
  'wildcard-administrators': {
    fine: () => ({ finding: 'Administrators are listed individually.' }),
    otherwise: (d) => ({
      finding: `The list of administrators contains ${d['entries']}.`,
      consequence: 'More people than intended can change this site.',
      fix: 'List the administrators individually under “New settings”.',
    }),
  },
  'groups-exist': {
    fine: (d) => ({ finding: `All groups in this site’s access lists exist: ${d['groups']}.` }),
    otherwise: (d) => ({
      finding: `These groups don’t exist: ${d['missing']}.`,
      consequence: 'The entry has no effect: former members of the group can’t administer, publish or read the site.',
      fix: 'Under “Access”, remove the entry, or create the group again.',
    }),
    unknown: () => ({
      finding: 'Couldn’t check whether the groups in this site’s access lists exist.',
      fix: 'Ask an administrator of the organization, who can see its groups.',
    }),
    variants: {
      none: () => ({ finding: 'This site’s access lists contain no groups.' }),
    },
  },
  'content-address-site': {
    fine: () => ({ finding: 'The content comes from this site’s own delivery address.' }),
    otherwise: (d) => ({
      finding: `The content address belongs to the site “${d['addressSite']}” of “${d['addressOrg']}”.`,
      consequence: 'Pages are refused, or always return 404.',
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
        fix: 'Use a separate site for this environment, or press the button under “Setup” to move the site here.',
      }),
    },
  },
  'content-root-single': {
    fine: (d) => ({ finding: `No other site has the content root ${d['siteRoot']}.` }),
    otherwise: (d) => ({
      finding: `The site “${d['other']}” already has the content root ${d['siteRoot']}.`,
      consequence: 'A content root can belong to only one site, so this site can’t be registered.',
      fix: `Use the site name “${d['other']}”, or ask its administrator to remove its mapping.`,
    }),
    variants: {
      'other-organization': (d) => ({
        finding: `A site of another organization already has the content root ${d['siteRoot']}.`,
        consequence: 'A content root can belong to only one site, so this site can’t be registered.',
        fix: 'If the content is your organization’s, ask the operator of the configuration service to assign its authoring host to your organization.',
      }),
      'other-host': (d) => ({
        finding: `The authoring host ${d['host']} belongs to another organization.`,
        consequence: `No site of your organization can have the content root ${d['siteRoot']}, so the site can’t be saved.`,
        fix: 'If the content is your organization’s, ask the operator of the configuration service to assign the host to your organization.',
      }),
    },
  },
  'host-label': {
    fine: () => ({ finding: 'The host name is short enough.' }),
    otherwise: (d) => ({
      finding: d['problem'] ?? 'The host name is too long.',
      consequence: 'The site can’t have an address.',
      fix: 'Shorten the site name under “New settings”.',
    }),
  },
  'mapping-site-root': {
    fine: (d) => ({ finding: `${d['siteRoot']} and all pages below it are mapped to “/”.` }),
    otherwise: () => ({ finding: 'The site root is not mapped.', consequence: 'Every page returns 404.', fix: ENABLE }),
    variants: {
      missing: (d) => ({ finding: `${d['siteRoot']} is not mapped to “/”.`, consequence: 'Every page returns 404.', fix: ENABLE }),
      'other-root': (d) => ({
        finding: `“/” is mapped to ${d['root']}, not to ${d['siteRoot']}.`,
        consequence: 'The site shows another part of the content.',
        fix: ENABLE,
      }),
      'trailing-slash': (d) => ({
        finding: `The mapping of ${d['siteRoot']} has no trailing slash.`,
        consequence: 'It covers only the root page; the pages below it return 404.',
        fix: ENABLE,
      }),
      'not-included': (d) => ({
        finding: `${d['siteRoot']} is not among the published paths.`,
        consequence: 'Its pages can’t be published.',
        fix: ENABLE,
      }),
      'start-not-included': (d) => ({
        finding: `Some pages below ${d['siteRoot']} are published, but not the start page.`,
        consequence: '“/” returns 404.',
        fix: 'Include the start page, or stop excluding it.',
      }),
      elsewhere: (d) => ({
        finding: `${d['siteRoot']} is published at “${d['address']}”, not at “/”.`,
        consequence: 'Visitors of “/” see another page, or none.',
        fix: 'If it should be the start page, map it to “/”.',
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
        finding: `No page is mapped to ${d['configurationPath']}.`,
        consequence: 'The configuration page has no effect.',
        fix: ENABLE,
      }),
      'trailing-slash': (d) => ({
        finding: `The mapping of ${d['mapped']} has a trailing slash.`,
        consequence: 'The authoring system may take it for the pages below and not publish the configuration page.',
        fix: ENABLE,
      }),
      'other-page': (d) => ({
        finding: `${d['mapped']} is mapped instead of ${d['path']}.`,
        consequence: 'This configuration page has no effect.',
        fix: ENABLE,
      }),
    },
  },
} as const satisfies Partial<Record<CheckId, CheckMessages>>;
