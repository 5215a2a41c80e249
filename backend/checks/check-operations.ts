import type { CheckStarted, SiteCheck, SiteCheckInput } from '@repoless/contract/checked-site.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '../domain/errors.ts';
import type { AuthoringCheckResult, Looks, SiteCheckRecord } from './rules/ports.ts';
import type { Operation } from '../domain/operation.ts';
import type { StoredSite } from '../domain/ports.ts';
import { requireUser } from '../access/permit.ts';
import { findSite, siteNotFound } from '../sites/find-site.ts';
import type { CheckRounds } from './check-rounds.ts';
import { storeSiteCheck } from './store-site-check.ts';
import { createGetOrgChecks } from './list-checks.ts';
import { packFindings } from './pack-findings.ts';
import { mergedFindings, siteCheckRecord } from './site-check-record.ts';

type Rows = typeof endpoints;

export interface CheckOperations {
  readonly getOrgChecks: Operation<Rows['getOrgChecks']>;
  readonly startOrgCheck: Operation<Rows['startOrgCheck']>;
  readonly getSiteCheck: Operation<Rows['getSiteCheck']>;
  readonly putSiteCheck: Operation<Rows['putSiteCheck']>;
}

/** Stored checks (docs/contract.md 3.16). */
export function checkOperations(rounds: Pick<CheckRounds, 'begin'>): CheckOperations {
  return {
    getOrgChecks: createGetOrgChecks(),
    async startOrgCheck(_context, { params: { org } }) {
      const { round, joined } = await rounds.begin(org);
      const { since, done, total } = round;
      const body: CheckStarted = { running: { since, done, total }, ...(joined ? { joined } : {}) };
      return { result: 'accepted', body };
    },
    async getSiteCheck(context, { params }) {
      const site = await findSite(context, params);
      const kept = await context.store.reads.siteCheck(params.org, params.site);
      // What is kept was computed when it was written; the site may have been completed, or become another, since.
      return { result: 'done', body: siteCheckView(site, kept ?? siteCheckRecord(site, {})) };
    },
    async putSiteCheck({ store, caller, now }, { params, body }) {
      const by = requireUser(caller).email;
      const authoring = authoringLook(body, { at: now().toISOString(), by });
      return await store.write(async (writes) => {
        const site = await writes.site(params.org, params.site);
        if (site === undefined) throw siteNotFound(params);
        if (body.version > site.version) throw wrong('/version', `The site has version ${site.version}, and no newer one.`);
        return { result: 'done', body: siteCheckView(site, await storeSiteCheck(writes, site, { authoring })) };
      });
    },
  };
}

function authoringLook(input: SiteCheckInput, { at, by }: { readonly at: string; readonly by: string }): AuthoringCheckResult {
  const { version, switched, drifts } = input;
  refuseTwice(input);
  const findings = packFindings(input.findings);
  const length = JSON.stringify(findings).length + JSON.stringify(drifts).length;
  if (length > LIMITS.keptFindings) throw wrong('/findings', `The findings have ${length} characters; ${LIMITS.keptFindings} are kept.`);
  return { at, by, version, switched, drifts, findings };
}

function refuseTwice({ findings, drifts }: SiteCheckInput): void {
  const check = repeated(findings.map((one) => one.check));
  if (check !== undefined) throw wrong('/findings', `The check "${check}" is listed twice.`);
  const field = repeated(drifts.map((one) => one.field));
  if (field !== undefined) throw wrong('/drifts', `The field "${field}" is listed twice.`);
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

function wrong(pointer: string, detail: string): Refusal {
  return new Refusal('BODY_INVALID', detail, { errors: [{ pointer, detail }] });
}

function siteCheckView(site: StoredSite, { state, looks }: SiteCheckRecord): SiteCheck {
  const { service, authoring } = looks;
  return {
    state,
    isOutdated: isOutdated(site, looks),
    ...(service === undefined ? {} : { service: { at: service.at, by: SERVICE, version: service.version } }),
    ...(authoring === undefined ? {} : { authoring: authoringView(authoring) }),
    findings: mergedFindings(looks),
  };
}

function authoringView({ at, by, version, switched, drifts }: AuthoringCheckResult): NonNullable<SiteCheck['authoring']> {
  return { at, by, version, switched, drifts };
}

function isOutdated({ version }: StoredSite, { service, authoring }: Looks): boolean {
  return [service, authoring].some((look) => look !== undefined && look.version < version);
}

/** The service, if it checked by itself. */
const SERVICE = 'service';
