import type { EventKind } from '@repoless/contract/event.ts';
import { storedOwner } from '../owners/owner.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { heldRoot } from './authoring-host-statements.ts';
import type { Change } from './change-notifier.ts';
import { membersNamed } from './org-members.ts';
import { changeRollout } from './rollout-row.ts';
import { optionalInteger, optionalText } from './row.ts';
import type { Row } from './row.ts';
import { siteCheckRow } from './site-check-row.ts';
import type { Args, Statement } from './statement.ts';
import { Conflicted } from './storage-error.ts';
import { subscriptionRow } from './subscription-row.ts';
import type { Dialect } from './tables.ts';
import {
  aggregateRow,
  apiKeyRow,
  auditRow,
  orgRow,
  profileRow,
  rowHash,
  secretRow,
  siteRow,
  subjectKey,
  versionRow,
} from './write-rows.ts';
import type { AuditRow } from './write-rows.ts';
import type { WriteStatements } from './write-statements.ts';

/** How the statements of a transaction are executed. */
export interface Executor {
  rows(statement: Statement, args: Args): Promise<readonly Row[]>;
  /** Out: how many rows it changed. */
  run(statement: Statement, args: Args): Promise<number>;
  /** The write fails with `Conflicted`, at its end at the latest, unless it changes so many rows. */
  change(statement: Statement, args: Args, atLeast: number): Promise<void>;
  changed(change: Change): void;
}

/** What a write changes, in the order in which it says so. In: the reads of the same transaction. */
export function sqlWrites(reads: Reads, statements: WriteStatements, { rows, run, change, changed }: Executor, dialect: Dialect): Writes {
  const may = (statement: Statement, row: object) => change(statement, argsOf(row), 0);
  const must = (statement: Statement, row: object, atLeast = 1) => change(statement, argsOf(row), atLeast);
  const changedSite = ({ org, site }: StoredOwner) => changed({ kind: 'site', org, site });
  const removeCredentials = async (owner: StoredOwner) => {
    await may(statements.deleteSecretsOfSite, owner);
    await may(statements.deleteApiKeysOfSite, owner);
    changedSite(owner);
  };
  /** Nobody else writes to the organization meanwhile, so that the end of the chain stays where it is. A trigger does it in PostgreSQL. */
  const chained = async (row: AuditRow) => {
    const [end = {}] = await rows(statements.auditEnd, { org: row.org });
    const id = (optionalInteger(end, 'last_id') ?? 0) + 1;
    const seq = (optionalInteger(end, 'entries') ?? 0) + 1;
    const entry = { ...row, id, seq, previous: optionalText(end, 'hash') ?? '' };
    const hash = rowHash(entry);
    await may(statements.addAudit, { ...entry, hash });
    await may(statements.putAuditHead, { org: entry.org, entries: seq, hash });
  };

  return {
    ...reads,
    async putOrg(org) {
      const members = { org: org.org, members: JSON.stringify(membersNamed(org.config)) };
      await must(statements.putOrg, orgRow(org));
      await may(statements.forgetOrgMembers, members);
      await may(statements.addOrgMembers, members);
    },
    async putProfile(profile) {
      await must(statements.putProfile, profileRow(profile));
    },
    async deleteProfile(org, profile) {
      await may(statements.deleteProfile, { org, profile });
      await removeCredentials(storedOwner({ org, profile }));
    },
    async putSite(site) {
      const row = siteRow(site);
      changedSite(site);
      // SQLite writes the entries of every index anew that holds a column which is set, the same value or not.
      if (dialect === 'sqlite' && site.version > 1 && (await run(statements.putSiteInPlace, argsOf(row))) > 0) return;
      await must(statements.putSite, row);
    },
    async deleteSite(org, site, time) {
      await may(statements.deleteSite, { org, site });
      await removeCredentials({ org, site });
      await may(statements.endCausesOfSite, { org, site, time: time.toISOString() });
    },
    async putAggregate(site) {
      await must(statements.putAggregate, aggregateRow(site));
      await may(statements.ageSiteCheck, { org: site.org, site: site.site });
      changedSite(site);
    },
    async putSecret(secret) {
      await must(statements.putSecret, secretRow(secret));
      changedSite(secret);
    },
    async deleteSecret({ org, site, name }) {
      await must(statements.deleteSecret, { org, site, name });
      changedSite({ org, site });
    },
    async reseal(sealed) {
      if (sealed.of === 'subscription') return await may(statements.resealSubscription, sealed);
      await may(statements.resealSecret, { ...secretRow(sealed.secret), before: sealed.before });
    },
    async putApiKey(key) {
      await must(statements.putApiKey, apiKeyRow(key));
      changed({ kind: 'token', id: key.id });
    },
    async deleteApiKey(id) {
      await must(statements.deleteApiKey, { id });
      changed({ kind: 'token', id });
    },
    async addVersion(version) {
      const row = versionRow(version);
      const { org, kind, item } = row;
      await must(statements.addVersion, row);
      if (version.forget !== undefined && version.forget > 0)
        await may(statements.forgetVersions, { org, kind, item, forget: version.forget });
    },
    async nameVersion(subject, version, name) {
      await must(statements.nameVersion, { ...subjectKey(subject), version, name: name ?? null });
    },
    async deleteVersion(subject, version) {
      await must(statements.deleteVersion, { ...subjectKey(subject), version });
    },
    async putSubscription(subscription, before) {
      await must(before === undefined ? statements.addSubscription : statements.replaceSubscription, subscriptionRow(subscription));
    },
    async deleteSubscription(id) {
      await must(statements.deleteSubscription, { id });
      await may(statements.deleteDeliveriesOf, { id });
    },
    async setCause({ isOpen, ...cause }) {
      const { kind, org, site = null, repository = null, ref = null, detail = null } = cause;
      if (isOpen && FOUND_ONCE.has(kind)) await may(statements.giveWay, { kind, cause: cause.cause, org });
      await may(isOpen ? statements.beginCause : statements.endCause, { ...cause, site, repository, ref, detail });
    },
    async putSiteCheck(check, before) {
      const seen = before?.revision ?? 0;
      const row = siteCheckRow(check, seen + 1);
      await must(seen === 0 ? statements.insertSiteCheck : statements.updateSiteCheck, { ...row, seen });
    },
    changeRollout: (rollout) => changeRollout(statements, rollout, { rows, may, must }),
    async assignHost({ host, org }, released) {
      // Who holds roots on the host is looked at once nobody can come to hold one.
      await rows(statements.holdAuthoringHosts, { org });
      const seen = new Set(released.map(({ org: of, site, contentRoot }) => `${of}/${site} ${contentRoot}`));
      const held = (await rows(statements.rootsHeldOn, { from: `${host}/`, until: `${host}0` })).map(heldRoot);
      const others = held.filter((root) => root.org !== org);
      if (others.length !== seen.size || !others.every((root) => seen.has(`${root.org}/${root.site} ${root.contentRoot}`)))
        throw new Conflicted();
      await must(statements.assignHost, { host, org });
    },
    async releaseHost(host) {
      await must(statements.releaseHost, { host });
    },
    async releaseContentRoot({ org, site, contentRoot }) {
      await must(statements.releaseRoot, { org, site, root: contentRoot });
    },
    async addAudit(entry) {
      const row = auditRow(entry);
      await (dialect === 'postgres' ? may(statements.addAudit, row) : chained(row));
    },
  };
}

/** What is found when it begins, and by nobody afterwards. The others are looked for again and again, and told when there is room. */
const FOUND_ONCE: ReadonlySet<EventKind> = new Set<EventKind>(['check-failed', 'drift', 'rollout-stopped']);

/** The cast is safe: rows hold nothing but values, and a statement takes those that it names. */
function argsOf(row: object): Args {
  return row as Args;
}
