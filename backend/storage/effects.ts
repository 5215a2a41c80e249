import type { Reads, StoredOrg, Writes } from '#backend/domain/ports.ts';
import { auditRow, orgRow, secretRow, siteRow, versionRow } from './write-rows.ts';
import type { AuditRow, OrgRow, VersionRow } from './write-rows.ts';
import type { SecretRow, SiteRow } from './tables.ts';

/** The version that a write saw and builds upon: 0 where there was nothing; undefined where it did not look. */
type Seen = number | undefined;

/** What one write changes. It is stored whole, and only if what it saw is still so. */
export interface Effects {
  readonly orgs: { readonly row: OrgRow; readonly seen: Seen }[];
  readonly sites: (
    | { readonly kind: 'put'; readonly row: SiteRow; readonly seen: Seen }
    | { readonly kind: 'delete'; readonly org: string; readonly site: string; readonly seen: Seen }
  )[];
  readonly secrets: (
    | { readonly kind: 'put'; readonly row: SecretRow }
    | { readonly kind: 'delete'; readonly org: string; readonly site: string; readonly name: string }
  )[];
  readonly versions: VersionRow[];
  readonly audits: AuditRow[];
}

/** Notes what a write reads and changes, without changing anything. */
export function recordWrites(reads: Reads): { writes: Writes; effects: Effects } {
  const effects: Effects = { orgs: [], sites: [], secrets: [], versions: [], audits: [] };
  const orgs = new Map<string, number>();
  const sites = new Map<string, number>();
  const sawOrg = (org: string, stored: StoredOrg | undefined) => orgs.set(org, stored?.version ?? 0);
  const writes: Writes = {
    ...reads,
    async org(org) {
      const stored = await reads.org(org);
      sawOrg(org, stored);
      return stored;
    },
    async site(org, site) {
      const stored = await reads.site(org, site);
      sites.set(`${org}/${site}`, stored?.version ?? 0);
      return stored;
    },
    async orgAndSite(org, site) {
      const stored = await reads.orgAndSite(org, site);
      sawOrg(org, stored.org);
      sites.set(`${org}/${site}`, stored.site?.version ?? 0);
      return stored;
    },
    async putOrg(org) {
      effects.orgs.push({ row: orgRow(org), seen: orgs.get(org.org) });
    },
    async putSite(site) {
      effects.sites.push({ kind: 'put', row: siteRow(site), seen: sites.get(`${site.org}/${site.site}`) });
    },
    async deleteSite(org, site) {
      effects.sites.push({ kind: 'delete', org, site, seen: sites.get(`${org}/${site}`) });
    },
    async putSecret(secret) {
      effects.secrets.push({ kind: 'put', row: secretRow(secret) });
    },
    async deleteSecret({ org, site, name }) {
      effects.secrets.push({ kind: 'delete', org, site, name });
    },
    async addVersion(version) {
      effects.versions.push(versionRow(version));
    },
    async addAudit(entry) {
      effects.audits.push(auditRow(entry));
    },
  };
  return { writes, effects };
}

export function isEmpty(effects: Effects): boolean {
  const { orgs, sites, secrets, versions, audits } = effects;
  return orgs.length + sites.length + secrets.length + versions.length + audits.length === 0;
}

export function changedSites(effects: Effects): { org: string; site: string }[] {
  return effects.sites.map((change) => (change.kind === 'put' ? { org: change.row.org, site: change.row.site } : change));
}
