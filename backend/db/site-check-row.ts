import type { CheckSummary, Looks, SiteCheckRecord, StoredSiteCheck } from '../checks/rules/ports.ts';
import { SITE_STATES } from '@repoless/contract/site-check.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { document, integer, optionalText, text } from './row.ts';
import type { Row } from './row.ts';
import { storableText } from './statement.ts';
import type { SiteCheckRow } from './tables.ts';

/** What is stored of a check; what is listed of it, and found by, stands apart from the document. */
export function siteCheckRow({ org, site, state, looks, summary }: SiteCheckRecord, revision: number): SiteCheckRow {
  const { service, authoring } = looks;
  const both = [service, authoring].flatMap((look) => (look === undefined ? [] : [look]));
  return {
    org,
    site,
    revision,
    state,
    version: Math.min(...both.map(({ version }) => version)),
    checked_at:
      both
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? '',
    service_at: service?.at ?? null,
    service_version: service?.version ?? null,
    authoring_at: authoring?.at ?? null,
    authoring_by: authoring === undefined ? null : storableText(authoring.by),
    summary: JSON.stringify(summary),
    looks: JSON.stringify(looks),
  };
}

export function storedSiteCheck(row: Row): StoredSiteCheck {
  return {
    org: text(row, 'org'),
    site: text(row, 'site'),
    state: state(row),
    looks: document<Looks>(text(row, 'looks')),
    summary: document<CheckSummary>(text(row, 'summary')),
    revision: integer(row, 'revision'),
  };
}

function state(row: Row): SiteState {
  const stored = text(row, 'state');
  const known = SITE_STATES.find((one) => one === stored);
  if (known === undefined) throw new Error(`"${stored}" is no state of a site.`);
  return known;
}

export function optionalState(row: Row): SiteState | undefined {
  return optionalText(row, 'state') === undefined ? undefined : state(row);
}
