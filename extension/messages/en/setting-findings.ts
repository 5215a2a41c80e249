import type { CheckId } from '#contract/site-check.ts';
import type { CheckMessages } from '../finding-messages.ts';

const ENABLE = 'Press the button under “Setup”.';

const config = (host: string): CheckMessages => ({
  fine: () => ({ finding: `The ${host} host serves config.json as stored in the service.` }),
  otherwise: (d) => ({
    finding: `${d['address']} does not return the correct configuration.`,
    consequence: 'The editor may show a white page.',
    fix: ENABLE,
  }),
  unknown: (d) => ({
    finding: `The response of ${d['address'] ?? `the ${host} host`}${(d['status'] ?? '') === '' ? '' : ` (status ${d['status']})`} couldn’t be compared with the stored configuration.`,
    fix: 'Register the site first, or try again in a minute.',
  }),
  variants: {
    missing: (d) => ({
      finding: `${d['address']} returns 404.`,
      consequence: 'The editor shows a white page and path mappings have no effect.',
      fix: ENABLE,
    }),
    differs: (d) => ({
      finding: `${d['address']} differs from the stored configuration.`,
      consequence: 'Visitors and the editor see old path mappings.',
      fix: 'Wait a minute and check again. If the problem persists, contact the operator of the configuration service. On hosts of the public service, look for a config.json in the repository.',
    }),
  },
});

/** Findings about the authoring system, the hosts and the repository. */
export const settingFindings = {
  'configuration-page': {
    fine: (d) => ({ finding: `${d['path']} is a configuration page.` }),
    otherwise: (d) => ({ finding: `There is no configuration page at ${d['path']}.`, fix: ENABLE }),
    variants: {
      missing: (d) => ({
        finding: `The page ${d['path']} doesn’t exist.`,
        consequence: 'The site has no configuration page; the editor may report an error.',
        fix: ENABLE,
      }),
      type: (d) => ({
        finding: `${d['path']} is a page of another type (${d['resourceType']}).`,
        consequence: 'It can’t be read as a configuration page.',
        fix: 'Create it again from the Configuration template, or enter another page under “New settings”.',
      }),
    },
  },
  'config-preview': config('preview'),
  'config-live': config('live'),
  'config-shadowed': {
    fine: () => ({ finding: 'The repository contains no config.json.' }),
    otherwise: () => ({
      finding: 'The repository contains a file config.json.',
      consequence:
        'The hosts of this service ignore it and serve the stored configuration. On hosts of the public service it hides the configuration of every site that uses this repository.',
      fix: 'Remove config.json from the main branch of the repository.',
    }),
    unknown: () => ({
      finding: 'Couldn’t read the repository.',
      fix: 'Check the repository yourself. It must not contain a config.json.',
    }),
  },
  'editor-files': {
    fine: () => ({ finding: 'All files that the editor needs are served.' }),
    otherwise: (d) => ({
      finding: `Not served: ${d['missing']}.`,
      consequence: 'The editor shows a white page or offers no blocks.',
      fix: `Add the missing files to the main branch of the repository: ${d['absent']}.`,
    }),
    variants: {
      unseen: (d) => ({
        finding: `Not served: ${d['missing']}. Couldn’t check whether the repository has them.`,
        consequence: 'The editor shows a white page or offers no blocks.',
        fix: 'Check the main branch of the repository. If it has the files, sync the code. Otherwise, add them.',
      }),
      'not-synced': (d) => ({
        finding: `Not served: ${d['missing']}. The repository has them.`,
        consequence: 'The editor shows a white page or offers no blocks.',
        fix: 'Sync the code: open “Sync status” on the right of the editor. If the files are still missing then, check that .hlxignore doesn’t name them.',
      }),
      'in-repository': (d) => ({
        finding: `Not served yet: ${d['missing']}. The repository has them.`,
        consequence: 'Until then the editor may show a white page or offer no blocks.',
        fix: 'No action needed. The next code sync of the repository’s main branch adds them.',
      }),
      protected: (d) => ({
        finding: `The preview host is protected (status ${d['status']}). Only those named in the site’s access can read it, so its files couldn’t be checked from here.`,
        consequence:
          'This is correct if intended. Anything that reads the host without a token, including the editor, gets no pages or files.',
        fix: 'To open the preview host, remove “preview” or “site” from the site’s access configuration, or set its “requireAuth” to false.',
      }),
    },
    unknown: () => ({
      finding: 'Couldn’t check whether the files that the editor needs are served.',
      fix: 'Register the site, then check again.',
    }),
  },
  'project-type': {
    fine: () => ({ finding: 'The project type is repoless.' }),
    otherwise: () => ({
      finding: 'The project type is not repoless.',
      consequence: 'The authoring system still publishes the old way.',
      fix: ENABLE,
    }),
    variants: {
      'too-early': () => ({
        finding: 'The project type was switched to repoless before the site was registered.',
        consequence: 'The editor shows a white page.',
        fix: 'Press the button under “Setup”; it registers the site.',
      }),
    },
  },
  'organization-and-site-name': {
    fine: () => ({ finding: 'Organization and site name in the Edge Delivery configuration match the site.' }),
    otherwise: (d) => ({
      finding: `The Edge Delivery configuration names ${pair(d['configuredOrganization'], d['configuredSite'])}, but the site is ${pair(d['wantedOrganization'], d['wantedSite'])}.`,
      consequence: 'Pages are published to another site, or nowhere.',
      fix: ENABLE,
    }),
  },
  'cloud-configuration-own': {
    fine: (d) => ({ finding: `The page has its own cloud configuration: ${d['configuration']}.` }),
    otherwise: (d) => ({
      finding: `The cloud configuration is inherited from ${d['from']}.`,
      consequence: 'This page is published to the site of the other page.',
      fix: 'In the page properties, switch off “inherited” and choose a configuration for this page alone.',
    }),
    variants: {
      missing: () => ({
        finding: 'The page has no cloud configuration.',
        consequence: 'There is nowhere to set the organization and the site name.',
        fix: 'Press the button under “Setup”, which creates one, or choose one in the page properties of the site root.',
      }),
    },
  },
  'delivery-answers': {
    fine: () => ({ finding: 'The delivery address responds.' }),
    otherwise: (d) => ({
      finding: `The delivery address returns status ${d['status']}.`,
      consequence: 'Pages can’t be fetched from the authoring system.',
      fix: 'Check organization and site name in the Edge Delivery configuration and that the page exists.',
    }),
    unknown: () => ({ finding: 'Couldn’t reach the delivery address.', fix: 'Try again in a minute.' }),
    variants: {
      protected: (d) => ({
        finding: `The delivery address returns status ${d['status']} to you.`,
        consequence: 'This is correct if only the technical account may read it.',
      }),
    },
  },
  'obsolete-files': {
    fine: () => ({ finding: 'The repository contains no files that are no longer needed.' }),
    otherwise: (d) => ({
      finding: `Still in the repository: ${d['files']}.`,
      consequence: 'None. They are ignored once the site is registered.',
      fix: 'Remove them when no other site needs them.',
    }),
    unknown: () => ({ finding: 'Couldn’t read the repository.' }),
  },
} as const satisfies Partial<Record<CheckId, CheckMessages>>;

function pair(organization: string | undefined, site: string | undefined): string {
  return `“${organization ?? ''} / ${site ?? ''}”`;
}
