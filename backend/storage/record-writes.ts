import type { Reads, StoredOrg, StoredSite, Writes } from '#backend/domain/ports.ts';
import { emptyWriteSet } from './write-set.ts';
import type { WriteSet } from './write-set.ts';
import { siteCheckRow } from './site-check-row.ts';
import { membersNamed } from './org-members.ts';
import { aggregateRow, apiKeyRow, auditRow, orgRow, profileRow, secretRow, siteRow, subjectKey, versionRow } from './write-rows.ts';
import { subscriptionRow } from './subscription-row.ts';

/** Notes what a write reads and changes, without changing anything. */
export function recordWrites(reads: Reads): { writes: Writes; writeSet: WriteSet } {
  const writeSet = emptyWriteSet();
  const seen = notedReads(reads, writeSet);
  const writes: Writes = {
    ...reads,
    ...seen.reads,
    async putOrg(org) {
      writeSet.orgs.push({ row: orgRow(org), members: JSON.stringify(membersNamed(org.config)), seen: seen.org(org.org) });
    },
    async putProfile(profile) {
      writeSet.profiles.push({ kind: 'put', row: profileRow(profile), seen: seen.profile(profile.org, profile.profile) });
    },
    async deleteProfile(org, profile) {
      writeSet.profiles.push({ kind: 'delete', org, profile, seen: seen.profile(org, profile) });
    },
    async putSite(site) {
      writeSet.sites.push({ kind: 'put', row: siteRow(site), seen: seen.site(site.org, site.site) });
    },
    async deleteSite(org, site) {
      writeSet.sites.push({ kind: 'delete', org, site, seen: seen.site(org, site) });
    },
    async putAggregate(site) {
      writeSet.aggregates.push({ row: aggregateRow(site), seen: seen.site(site.org, site.site) });
    },
    async putSecret(secret) {
      writeSet.secrets.push({ kind: 'put', row: secretRow(secret) });
    },
    async deleteSecret({ org, site, name }) {
      writeSet.secrets.push({ kind: 'delete', org, site, name });
    },
    async putApiKey(key) {
      writeSet.apiKeys.push({ kind: 'put', row: apiKeyRow(key), seen: key.site === undefined ? undefined : seen.site(key.org, key.site) });
    },
    async deleteApiKey(id) {
      writeSet.apiKeys.push({ kind: 'delete', id });
    },
    async setCause(change) {
      writeSet.causes.push(change);
    },
    async putSubscription(subscription) {
      writeSet.subscriptions.push({ kind: 'put', row: subscriptionRow(subscription) });
    },
    async deleteSubscription(id) {
      writeSet.subscriptions.push({ kind: 'delete', id });
    },
    async addVersion(version) {
      writeSet.versions.push({ row: versionRow(version), forget: Math.max(0, version.forget ?? 0) });
    },
    async nameVersion(subject, version, name) {
      writeSet.versionChanges.push({ kind: 'name', key: subjectKey(subject), version, name: name ?? null });
    },
    async deleteVersion(subject, version) {
      writeSet.versionChanges.push({ kind: 'delete', key: subjectKey(subject), version });
    },
    async putSiteCheck(check, before) {
      const seen = before?.revision ?? 0;
      writeSet.siteChecks.push({ row: siteCheckRow(check, seen + 1), seen });
    },
    async changeRollout(change) {
      writeSet.rollouts.push(change);
    },
    async addAudit(entry) {
      writeSet.audits.push(auditRow(entry));
    },
  };
  return { writes, writeSet };
}

/** The reads that a change may build upon, and what they saw. */
function notedReads(reads: Reads, writeSet: WriteSet) {
  const orgs = new Map<string, number>();
  const sites = new Map<string, number>();
  const sawOrg = (org: string, stored: StoredOrg | undefined) => orgs.set(org, stored?.version ?? 0);
  const sawSite = (org: string, site: string, stored: StoredSite | undefined) => sites.set(`${org}/${site}`, stored?.version ?? 0);
  const noted: Pick<Reads, 'org' | 'site' | 'orgAndSite' | 'profile' | 'sitesOfProfile'> = {
    async org(org) {
      const stored = await reads.org(org);
      sawOrg(org, stored);
      return stored;
    },
    async site(org, site) {
      const stored = await reads.site(org, site);
      sawSite(org, site, stored);
      return stored;
    },
    async orgAndSite(org, site) {
      const stored = await reads.orgAndSite(org, site);
      sawOrg(org, stored.org);
      sawSite(org, site, stored.site);
      return stored;
    },
    async profile(org, profile) {
      const stored = await reads.profile(org, profile);
      writeSet.seenProfiles.set(`${org}/${profile}`, { org, profile, version: stored?.version ?? 0 });
      return stored;
    },
    async sitesOfProfile(org, profile) {
      const stored = await reads.sitesOfProfile(org, profile);
      for (const site of stored) sawSite(org, site.site, site);
      const versions = new Map(stored.map(({ site, version }) => [site, version]));
      writeSet.seenSitesOfProfiles.set(`${org}/${profile}`, { org, profile, sites: versions });
      return stored;
    },
  };
  return {
    reads: noted,
    org: (org: string) => orgs.get(org),
    site: (org: string, site: string) => sites.get(`${org}/${site}`),
    profile: (org: string, profile: string) => writeSet.seenProfiles.get(`${org}/${profile}`)?.version,
  };
}
