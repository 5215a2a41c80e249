import { ORGANIZATION } from './site-root.ts';
import type { SiteRoot } from './site-root.ts';

/** The locales of the base site, live copies of its language masters. */
export const localeRoots: readonly SiteRoot[] = [
  { ...locale('ch', 'de', 'repoless'), service: { site: 'wknd-ch-de' } },
  {
    ...locale('ch', 'fr', 'plain'),
    trouble: { check: 'site-registered', says: 'The authoring system is prepared; the service does not know the site yet.' },
  },
  {
    ...inheriting('ch', 'it'),
    service: { site: 'wknd-ch-it' },
    trouble: { check: 'cloud-configuration-own', says: 'The locale inherits the configuration of the base site and publishes to it.' },
  },
  {
    ...locale('de', 'de', 'repoless'),
    trouble: { check: 'site-registered', says: 'Switched to repoless before the site was registered: the editor shows a white page.' },
  },
  inheriting('de', 'en'),
  {
    ...locale('fr', 'fr', 'repoless'),
    service: { site: 'wknd-fr-fr', technicalAccount: "the other environment's" },
    trouble: { check: 'technical-account-environment', says: 'The technical account is that of the other environment: publishing fails.' },
  },
  {
    ...locale('it', 'it', 'repoless'),
    service: {
      site: 'wknd-it-it',
      mappings: ['/content/wknd/it/it:/', '/content/wknd/it/it/configuration:/.helix/config.json'],
    },
    trouble: { check: 'mapping-site-root', says: 'The mapping of the root lacks its trailing slash: pages below it are not mapped.' },
  },
  {
    ...locale('us', 'en', 'repoless', 'wknd-usa'),
    service: { site: 'wknd-us-en' },
    trouble: { check: 'organization-and-site-name', says: 'The configuration names wknd-usa; the service knows the site as wknd-us-en.' },
  },
  {
    ...locale('us', 'es', 'plain'),
    configurationPage: 'ordinary page',
    service: { site: 'wknd-us-es' },
    trouble: { check: 'configuration-page', says: 'The configuration page is an ordinary page, not a spreadsheet.' },
  },
  {
    ...locale('at', 'de', 'plain', 'wknd-at-de-the-alpine-and-mountain-region-of-austria-and-south-tyrol'),
    trouble: { check: 'host-label', says: 'The site name is too long for a host name.' },
  },
  {
    ...locale('gb', 'en', 'repoless'),
    service: { site: 'wknd-gb-en', mappings: ['/content/wknd/gb/en/:/'] },
    trouble: { check: 'mapping-configuration', says: 'The mapping of the configuration page was forgotten.' },
  },
];

function inheriting(country: string, language: string): SiteRoot {
  return {
    path: `/content/wknd/${country}/${language}`,
    language,
    master: `/content/wknd/language-masters/${language}`,
    configurationPage: 'none',
  };
}

/** A locale with a cloud configuration of its own. */
function locale(
  country: string,
  language: string,
  projectType: 'plain' | 'repoless',
  repo: string = `wknd-${country}-${language}`,
): SiteRoot {
  return {
    ...inheriting(country, language),
    configuration: { conf: `/conf/wknd/${country}-${language}`, owner: ORGANIZATION, repo, projectType },
    configurationPage: 'spreadsheet',
  };
}
