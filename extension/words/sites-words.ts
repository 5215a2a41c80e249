import { applyRows as applyRowsDe } from './de/apply-rows.ts';
import { organization as organizationDe, removal as removalDe } from './de/organization.ts';
import { review as reviewDe } from './de/review.ts';
import { cells as cellsDe, cellSentence as cellSentenceDe, rowProblems as rowProblemsDe } from './de/site-rows.ts';
import { production as productionDe, sites as sitesDe } from './de/sites.ts';
import { tree as treeDe } from './de/tree.ts';
import { applyRows } from './en/apply-rows.ts';
import { organization, removal } from './en/organization.ts';
import { review } from './en/review.ts';
import { cells, cellSentence, rowProblems } from './en/site-rows.ts';
import { production, sites } from './en/sites.ts';
import { tree } from './en/tree.ts';

const en = { tree, review, applyRows, cells, cellSentence, rowProblems, sites, production, organization, removal };

/** The words of the views of many sites. They are loaded with them: the first view has no use for them. */
export type SitesWords = typeof en;

const de: SitesWords = {
  tree: treeDe,
  review: reviewDe,
  applyRows: applyRowsDe,
  cells: cellsDe,
  cellSentence: cellSentenceDe,
  rowProblems: rowProblemsDe,
  sites: sitesDe,
  production: productionDe,
  organization: organizationDe,
  removal: removalDe,
};

/** The words of a locale such as `de-CH`: of its language where there are any, else English. */
export function sitesWordsFor(locale: string): SitesWords {
  return new Intl.Locale(locale).language === 'de' ? de : en;
}
