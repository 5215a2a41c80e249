import type { CheckId, Verdict } from '#contract/site-check.ts';
import type { Say } from '../finding-messages.ts';
import type { Symptom } from '../symptoms.ts';
import { findingSentences } from './findings.ts';

const verdicts: Record<Verdict, { label: string; group: (count: number) => string }> = {
  wrong: { label: 'Error', group: (count) => `Errors (${count})` },
  warning: { label: 'Warning', group: (count) => `Warnings (${count})` },
  unknown: { label: 'Unknown', group: (count) => `Not checked (${count})` },
  note: { label: 'Note', group: (count) => `Notes (${count})` },
  fine: { label: 'Passed', group: (count) => `Passed (${count})` },
};

const symptoms: Record<Symptom, string> = {
  'white-page': 'The editor shows a white page',
  'old-code': 'The site shows old code',
  publishing: 'Publishing does not work',
  'config-missing': 'config.json returns 404',
};

/** No usual cause of a symptom was found. In: how many of them could not be checked. */
const noCauseFound = (unchecked: number): string =>
  unchecked === 0
    ? 'All usual causes were checked, and none applies.'
    : `No cause was found; ${unchecked === 1 ? '1 usual cause' : `${unchecked} usual causes`} couldn’t be checked.`;

const noCause: Record<Symptom, { sentence: (unchecked: number) => string; next: string }> = {
  'white-page': {
    sentence: noCauseFound,
    next: 'Reload the editor without its cache. If the page stays white, open the browser’s console: an error in the site’s own scripts is the next suspect.',
  },
  'old-code': {
    sentence: noCauseFound,
    next: 'Open “Sync status” in the editor and compare the commit of the last sync with that of the branch; then reload the site without the browser’s cache.',
  },
  publishing: {
    sentence: noCauseFound,
    next: 'Publish one page again, read the error that the authoring system shows, and give it to its administrator.',
  },
  'config-missing': {
    sentence: noCauseFound,
    next: 'Open both addresses of config.json under “Other checks” yourself. If they respond, look for another host that doesn’t: its name must be one of the site’s.',
  },
};

const titles: Record<CheckId, string> = {
  'signed-in': 'Sign-in',
  'organization-claimed': 'Organization',
  'site-registered': 'Registration',
  'caller-administers': 'Your admin access',
  'technical-account-listed': 'Publishing by the technical account',
  'technical-account-environment': 'Environment of the technical account',
  'wildcard-administrators': 'Administrators by name',
  'groups-exist': 'Groups in the access lists',
  'content-address-site': 'Content address',
  'mapping-site-root': 'Mapping of the site root',
  'mapping-configuration': 'Mapping of the configuration page',
  'configuration-page': 'Configuration page',
  'config-preview': 'config.json on the preview host',
  'config-live': 'config.json on the live host',
  'config-shadowed': 'config.json in the repository',
  'editor-files': 'Files that the editor needs',
  'project-type': 'Project type',
  'organization-and-site-name': 'Organization and site name',
  'cloud-configuration-own': 'Cloud configuration',
  'content-root-single': 'Content root',
  'code-sync-fresh': 'Last code sync',
  'secret-present': 'Secret of the external repository',
  'host-label': 'Length of the host name',
  'delivery-answers': 'Delivery address',
  'obsolete-files': 'Files no longer needed',
};

export const checks = {
  title: 'Check this site',
  text: 'Checks everything that this site needs, and explains what is wrong and how to fix it.',
  run: 'Check now',
  show: 'Show all findings',
  symptomQuestion: 'What do you see?',
  noSymptom: 'Nothing in particular',
  first: 'Most likely cause',
  unchecked: (count: number) => `Possible cause, but not checked (${count})`,
  noCause,
  others: 'Other checks',
  allFine: 'All completed checks passed.',
  summary: (wrong: number, warnings: number) =>
    wrong + warnings === 0
      ? 'No errors.'
      : `${wrong} ${wrong === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
  consequence: 'What it means',
  fix: 'What to do',
  evidence: 'Show evidence',
  request: 'Request',
  answer: 'Response',
  verdicts,
  symptoms,
  titles,
  sentences: findingSentences,
  unknown: (() => ({ finding: 'Not checked yet.', fix: 'Fix the errors above first, then check again.' })) satisfies Say,
};
