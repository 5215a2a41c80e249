import type { SiteCheckRecord, StoredSiteCheck } from '../checks/rules/ports.ts';
import type { AuthoringHost, HeldRoot } from '../sites/content-roots/ports.ts';
import type { CauseChange, StoredSubscription } from '../events/rules/ports.ts';
import type { AuditEntry } from '../history/audit/ports.ts';
import type {
  AggregateWrite,
  Bound,
  Reads,
  SiteWrite,
  StoredApiKey,
  StoredOrg,
  StoredProfile,
  StoredSite,
  Subject,
  VersionWrite,
  Writes,
} from '../domain/ports.ts';
import type { RolloutChange } from '../rollouts/rules/ports.ts';
import type { Resealed, StoredSecret } from '../secrets/stored-secret.ts';
import type { PendingSite, PendingSites } from './pending-sites.ts';
import { emptyWriteSet } from './write-set.ts';
import type { Seen, SeenValue, WriteSet } from './write-set.ts';
import { siteCheckRow } from './site-check-row.ts';
import { membersNamed } from './org-members.ts';
import { aggregateRow, apiKeyRow, auditRow, orgRow, profileRow, secretRow, siteRow, subjectKey, versionRow } from './write-rows.ts';
import { subscriptionRow } from './subscription-row.ts';

export interface RecordedWrites {
  readonly writes: Writes;
  readonly writeSet: WriteSet;
  /** What this one was decided on that waits for its commit. */
  readonly standsOn: readonly PendingSite[];
}

/** The reads that a change may build upon: what they saw is noted. */
type NotedReads = Pick<
  Reads,
  | 'org'
  | 'site'
  | 'orgAndSite'
  | 'profile'
  | 'sitesOfProfile'
  | 'secretHolder'
  | 'sitesOfOrgOnRepository'
  | 'secret'
  | 'secrets'
  | 'version'
>;
type Recorded = NotedReads & Omit<Writes, keyof Reads>;

/**
 * Notes what each write of a store reads and changes, without changing anything. All writes share one class, and the other reads are
 * those of the store, which are its prototype: to make seventy functions for each write took a tenth of its time.
 */
export function writesRecorder(reads: Reads, pending: PendingSites): () => RecordedWrites {
  class Recorder implements Recorded {
    readonly writeSet = emptyWriteSet();
    readonly standsOn: PendingSite[] = [];
    readonly #orgs = new Map<string, number>();
    readonly #sites = new Map<string, number>();
    readonly #values = new Map<string, string | null>();

    async org(org: string) {
      const stored = await reads.org(org);
      this.#sawOrg(org, stored);
      return stored;
    }
    async site(org: string, site: string) {
      const stored = this.#pending(org, site) ?? (await reads.site(org, site));
      this.#sawSite(org, site, stored);
      return stored;
    }
    async orgAndSite(org: string, site: string) {
      const left = this.#pending(org, site);
      const stored = await reads.orgAndSite(org, site);
      const seen = left === undefined ? stored : { ...stored, site: left };
      this.#sawOrg(org, seen.org);
      this.#sawSite(org, site, seen.site);
      return seen;
    }
    async profile(org: string, profile: string) {
      const stored = await reads.profile(org, profile);
      this.writeSet.seenProfiles.set(`${org}/${profile}`, { org, profile, version: stored?.version ?? 0 });
      return stored;
    }
    async sitesOfProfile(org: string, profile: string) {
      const stored = await reads.sitesOfProfile(org, profile);
      for (const site of stored) this.#sawSite(org, site.site, site);
      const versions = new Map(stored.map(({ site, version }) => [site, version]));
      this.writeSet.seenSitesOfProfiles.set(`${org}/${profile}`, { org, profile, sites: versions });
      return stored;
    }
    async secretHolder(org: string, repository: string) {
      const holder = await reads.secretHolder(org, repository);
      this.writeSet.seenHolders.set(`${org}/${repository}`, { org, repository, site: holder?.site });
      return holder;
    }
    async sitesOfOrgOnRepository(org: string, repository: string) {
      const stored = await reads.sitesOfOrgOnRepository(org, repository);
      this.writeSet.seenUsers.set(`${org}/${repository}`, { org, repository, sites: new Set(stored.map(({ site }) => site)) });
      return stored;
    }
    async secret(org: string, site: string, name: string) {
      const stored = await reads.secret(org, site, name);
      this.#sawValue(secretKey(org, site, name), stored?.lastModified.toISOString() ?? null);
      return stored;
    }
    async secrets(org: string, site: string) {
      const stored = await reads.secrets(org, site);
      for (const { name, lastModified } of stored) this.#sawValue(secretKey(org, site, name), lastModified.toISOString());
      this.#sawValue(secretKey(org, site, ''), null);
      return stored;
    }
    async version(subject: Subject, version: number) {
      const stored = await reads.version(subject, version);
      if (stored !== undefined) this.#sawValue(versionKey(subject, version), stored.name ?? null);
      return stored;
    }

    async putOrg(org: StoredOrg) {
      this.writeSet.orgs.push({ row: orgRow(org), members: JSON.stringify(membersNamed(org.config)), seen: this.#orgs.get(org.org) });
    }
    async putProfile(profile: StoredProfile) {
      this.writeSet.profiles.push({ kind: 'put', row: profileRow(profile), seen: this.#profileSeen(profile.org, profile.profile) });
    }
    async deleteProfile(org: string, profile: string) {
      this.writeSet.profiles.push({ kind: 'delete', org, profile, seen: this.#profileSeen(org, profile) });
    }
    async putSite(written: SiteWrite) {
      const { org, site, config, aggregate, etag, version, contentRoot } = written;
      const put = { kind: 'put', row: siteRow(written), seen: this.#siteSeen(org, site) } as const;
      const held = contentRoot === undefined ? {} : { contentRoot };
      const document = { org, site, config, aggregate: config, etag, version, ...held };
      this.writeSet.sites.push(aggregate === undefined ? { ...put, document } : put);
    }
    async deleteSite(org: string, site: string, time: Date) {
      this.writeSet.sites.push({ kind: 'delete', org, site, seen: this.#siteSeen(org, site), time: time.toISOString() });
    }
    async putAggregate(site: AggregateWrite) {
      this.writeSet.aggregates.push({ row: aggregateRow(site), seen: this.#siteSeen(site.org, site.site) });
    }
    async putSecret(secret: StoredSecret) {
      const { org, site, name } = secret;
      const was = this.#secretSeen(org, site, name);
      this.writeSet.secrets.push({ kind: 'put', row: secretRow(secret), seen: this.#siteSeen(org, site), was });
    }
    async reseal(sealed: Resealed) {
      const { of, before } = sealed;
      this.writeSet.resealed.push(
        of === 'secret' ? { of, ...secretRow(sealed.secret), before } : { of, id: sealed.id, sealed: sealed.sealed, before },
      );
    }
    async deleteSecret({ org, site, name }: { readonly org: string; readonly site: string; readonly name: string }) {
      this.writeSet.secrets.push({ kind: 'delete', org, site, name, was: this.#secretSeen(org, site, name) });
    }
    async putApiKey(key: StoredApiKey) {
      const seen = key.site === undefined ? undefined : this.#siteSeen(key.org, key.site);
      this.writeSet.apiKeys.push({ kind: 'put', row: apiKeyRow(key), seen });
    }
    async deleteApiKey(id: string) {
      this.writeSet.apiKeys.push({ kind: 'delete', id });
    }
    async setCause(change: CauseChange) {
      this.writeSet.causes.push(change);
    }
    async putSubscription(subscription: StoredSubscription, before?: StoredSubscription) {
      const row = subscriptionRow(subscription);
      this.writeSet.subscriptions.push(
        before === undefined ? { kind: 'add', row } : { kind: 'replace', row, before: subscriptionRow(before) },
      );
    }
    async deleteSubscription(id: string, before?: StoredSubscription) {
      this.writeSet.subscriptions.push({ kind: 'delete', id, before: before === undefined ? undefined : subscriptionRow(before) });
    }
    async addVersion(version: VersionWrite) {
      this.writeSet.versions.push({ row: versionRow(version), forget: Math.max(0, version.forget ?? 0) });
    }
    async nameVersion(subject: Subject, version: number, name: string | undefined) {
      this.writeSet.versionChanges.push({
        kind: 'name',
        key: subjectKey(subject),
        version,
        name: name ?? null,
        was: this.#versionSeen(subject, version),
      });
    }
    async deleteVersion(subject: Subject, version: number) {
      this.writeSet.versionChanges.push({ kind: 'delete', key: subjectKey(subject), version, was: this.#versionSeen(subject, version) });
    }
    async putSiteCheck(check: SiteCheckRecord, before: StoredSiteCheck | undefined) {
      const seen = before?.revision ?? 0;
      this.writeSet.siteChecks.push({ row: siteCheckRow(check, seen + 1), seen });
    }
    async changeRollout(change: RolloutChange) {
      this.writeSet.rollouts.push(change);
    }
    async assignHost(assigned: AuthoringHost, held: readonly HeldRoot[]) {
      this.writeSet.contentRoots.push({ kind: 'assign-host', assigned, held });
    }
    async releaseHost(host: string) {
      this.writeSet.contentRoots.push({ kind: 'release-host', host });
    }
    async releaseContentRoot(root: HeldRoot) {
      this.writeSet.contentRoots.push({ kind: 'release-root', root });
    }
    async keepWithin(bound: Bound) {
      this.writeSet.bounds.push(bound);
    }
    async addAudit(entry: AuditEntry) {
      this.writeSet.audits.push(auditRow(entry));
    }

    #pending(org: string, site: string): StoredSite | undefined {
      const found = pending.get(org, site);
      if (found !== undefined) this.standsOn.push(found);
      return found?.document;
    }
    #sawOrg(org: string, stored: StoredOrg | undefined): void {
      this.#orgs.set(org, stored?.version ?? 0);
    }
    #sawSite(org: string, site: string, stored: StoredSite | undefined): void {
      this.#sites.set(`${org}/${site}`, stored?.version ?? 0);
    }
    #siteSeen(org: string, site: string): Seen {
      return this.#sites.get(`${org}/${site}`);
    }
    /** What it decided on is what it saw first. */
    #sawValue(key: string, value: string | null): void {
      if (!this.#values.has(key)) this.#values.set(key, value);
    }
    /** Where all secrets of a site were listed, one that was not among them was not there. */
    #secretSeen(org: string, site: string, name: string): SeenValue {
      const seen = this.#values.get(secretKey(org, site, name));
      return seen === undefined ? this.#values.get(secretKey(org, site, '')) : seen;
    }
    #versionSeen(subject: Subject, version: number): SeenValue {
      return this.#values.get(versionKey(subject, version));
    }
    #profileSeen(org: string, profile: string): Seen {
      return this.writeSet.seenProfiles.get(`${org}/${profile}`)?.version;
    }
  }
  Object.setPrototypeOf(Recorder.prototype, reads);
  return () => {
    const recorder = new Recorder();
    return { writes: withReads(recorder), writeSet: recorder.writeSet, standsOn: recorder.standsOn };
  };
}

function secretKey(org: string, site: string, name: string): string {
  return `${org}/${site}/secrets/${name}`;
}

function versionKey(subject: Subject, version: number): string {
  return `${Object.values(subjectKey(subject)).join('/')}/versions/${version}`;
}

/** The cast is safe: what it does not have itself it has from its prototype. */
function withReads(recorder: Recorded): Writes {
  return recorder as Writes;
}
