import type { CheckId, Verdict } from '#extension/setup/findings.ts';
import type { Say } from '../finding-words.ts';
import { findingSentences } from './findings.ts';

export const SYMPTOMS = ['white-page', 'old-code', 'publishing', 'config-missing'] as const;
export type Symptom = (typeof SYMPTOMS)[number];

const verdicts: Record<Verdict, { label: string; group: (count: number) => string }> = {
  wrong: { label: 'Wrong', group: (count) => `Wrong (${count})` },
  warning: { label: 'Warning', group: (count) => `Warnings (${count})` },
  unknown: { label: 'Not known', group: (count) => `Could not be checked (${count})` },
  note: { label: 'Note', group: (count) => `Notes (${count})` },
  fine: { label: 'Fine', group: (count) => `Fine (${count})` },
};

const symptoms: Record<Symptom, string> = {
  'white-page': 'The editor shows a white page',
  'old-code': 'The site shows old code',
  publishing: 'Publishing does not work',
  'config-missing': 'config.json answers 404',
};

const titles: Record<CheckId, string> = {
  'signed-in': 'Sign-in',
  'organization-claimed': 'Organization',
  'site-registered': 'Registration',
  'caller-administers': 'Your administration',
  'technical-account-listed': 'Technical account may publish',
  'technical-account-environment': 'Technical account is of this environment',
  'wildcard-administrators': 'Administrators are named',
  'content-address-site': 'Content address',
  'mapping-site-root': 'Mapping of the site root',
  'mapping-configuration': 'Mapping of the configuration page',
  'configuration-page': 'Configuration page',
  'config-preview': 'config.json on the preview host',
  'config-live': 'config.json on the live host',
  'config-shadowed': 'No config.json in the repository',
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
  text: 'Looks at everything that this site needs, and says what is wrong and how to fix it.',
  run: 'Check now',
  show: 'Show all findings',
  symptomQuestion: 'What do you see?',
  noSymptom: 'Nothing in particular',
  first: 'Most likely the cause',
  others: 'Everything else',
  allFine: 'Everything that was checked is fine.',
  summary: (wrong: number, warnings: number) =>
    wrong + warnings === 0 ? 'Nothing is wrong.' : `${wrong} wrong, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
  consequence: 'What it means',
  fix: 'What to do',
  evidence: 'Show the evidence',
  request: 'Asked',
  answer: 'Answered',
  verdicts,
  symptoms,
  titles,
  sentences: findingSentences,
  unknown: (() => ({ finding: 'This could not be checked yet.', fix: 'Fix what is wrong above first, then check again.' })) satisfies Say,
};
