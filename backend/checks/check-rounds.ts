import type { HostDomains } from '@repoless/contract/addresses.ts';
import { packFindings } from '@repoless/core/checks/stored-findings.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import { organizationsOf } from '../code/rules/code-origin.ts';
import type { BranchProbe, CodeFiles, CodeOrigin, CodeSources } from '../code/rules/ports.ts';
import { createFairShare, createTimeSlices } from '../domain/fair-share.ts';
import type { Store, StoredOrg } from '../domain/ports.ts';
import { startQueue, type Task } from '../domain/queue.ts';
import { accountProbe, checkStoredSite, codeProbe, storeSiteCheck } from './check-stored-site.ts';
import { hostCertificates } from './host-certificates.ts';
import type { CertificateReader, CheckRound, RoundLease } from './rules/ports.ts';
import { unsyncedCode } from './unsynced-code.ts';

export interface CheckServices {
  readonly store: Store;
  readonly files: CodeFiles;
  readonly info: ServiceInfo;
  readonly hosts: HostDomains;
  readonly head: CodeSources['head'];
  readonly branchProbe: BranchProbe;
  readonly publicAddress: string;
  readonly readCertificate: CertificateReader;
  /** Milliseconds after which a check is due again; 0: never automatically. */
  readonly interval: number;
  /** Milliseconds between searches for due sites; absent: only `checkDue` searches. */
  readonly every?: number;
  now(): Date;
  failed(where: string, error: unknown): void;
}

export interface CheckRounds {
  /** Starts a check of all sites of an organization, or joins a running one. */
  start(org: string): Promise<{ readonly round: CheckRound; readonly joined: boolean }>;
  /** Checks a site, stores the findings, and returns the failing checks; none for a removed site. */
  checkSite(org: string, site: string): Promise<CheckId[]>;
  /** Checks what is due even if rounds fail; resolves when that is done. */
  checkDue(): Promise<void>;
  /** Ends after the sites in progress; the next start, or another node, continues. */
  close(): Promise<void>;
}

/** The service's own checks, several sites concurrently. Nodes claim an organization by a lease in the database. */
export function checkRounds(services: CheckServices): CheckRounds {
  const { store, files, info, hosts, interval, now, failed } = services;
  const { checks, reads } = store;
  const share = createFairShare({ atOnce: 2, perShare: 1, waitingPerShare: 2, waiting: Infinity, workName: 'checks' });
  const background = new Set<Promise<void>>();
  const changed = new Set<string>();
  const unsubscribe = store.onSiteChange((org) => void changed.add(org));
  const unsynced = unsyncedCode(services);
  const certificates = hostCertificates(services);
  const end = new AbortController();
  let stopping = false;
  const queue = startQueue({
    workName: 'site checks',
    store,
    atOnce: 1,
    lease: LEASE,
    ...(services.every !== undefined && { every: services.every }),
    tasks: dueRounds,
    now,
    failed,
  });
  const { owner } = queue;
  /** The clock that all nodes share: times stored by one are compared with times seen by another. */
  const sharedTime = () => store.sharedTime(now());
  let syncsSeen = sharedTime().catch(now);

  const leaseOf = async (org: string): Promise<RoundLease> => {
    const lease = await queue.lease();
    const time = lease.now.toISOString();
    return { org, owner, now: time, leased: time, until: lease.until.toISOString() };
  };

  /** Undefined if another node is working on it. */
  async function claim(org: string, complete: boolean): Promise<CheckRound | undefined> {
    const round = await checks.claimRound(await leaseOf(org), complete);
    return round === undefined ? undefined : await releasedOnError(org, count(round));
  }

  /** Runs a round in the background. */
  function startInBackground(what: string, running: Promise<void>): void {
    const work = running.catch((error: unknown) => failed(`check ${what}`, error)).finally(() => background.delete(work));
    background.add(work);
  }

  async function count(round: CheckRound): Promise<CheckRound> {
    const counted = { ...round, total: await checks.countDue(round.org, await beforeOf(round)) };
    await checks.saveRound(await leaseOf(round.org), counted);
    return counted;
  }

  async function releasedOnError<T>(org: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await checks.releaseRound({ org, owner }).catch((further: unknown) => failed(`check ${org}`, further));
      throw error;
    }
  }

  /** Findings before this time are outdated. */
  async function beforeOf({ complete, since }: CheckRound): Promise<string> {
    return complete ? since : later(await sharedTime(), -interval);
  }

  async function runRound(round: CheckRound): Promise<void> {
    const further = await releasedOnError(round.org, runRoundOnce(round));
    if (further !== undefined) await runRound(further);
  }

  /** Returns a further round if a check of all sites was requested during this one. */
  async function runRoundOnce(round: CheckRound): Promise<CheckRound | undefined> {
    const { org, total } = round;
    const before = await beforeOf(round);
    let [after, done] = ['', 0];
    while (!stopping) {
      const names = await checks.due(org, { before, after, limit: LIMITS.checksAtOnce });
      const last = names.at(-1);
      if (last === undefined) break;
      await share.run(org, () => checkSites(org, names));
      [after, done] = [last, done + names.length];
      if (!(await checks.saveRound(await leaseOf(org), { done, total: Math.max(done, total) }))) return undefined;
    }
    startOutsideChecks(round);
    const due = interval === 0 ? NEVER : later(await sharedTime(), interval);
    if (!stopping && (await checks.finishRound({ org, owner }, due))) return undefined;
    await checks.releaseRound({ org, owner });
    return stopping ? undefined : await claim(org, true);
  }

  /** Not awaited, so that slow hosts delay no round. */
  function startOutsideChecks({ org, complete }: CheckRound): void {
    if (stopping) return;
    startInBackground(`the code of ${org}`, unsynced(org, complete, end.signal));
    startInBackground(`the certificates of ${org}`, certificates(org, complete, end.signal));
  }

  const probesOf = (org: string) => ({ code: codeProbe(store.code, files), account: accountProbe(checks, reads, org) });

  async function checkSites(org: string, names: readonly string[]): Promise<void> {
    const stored = await reads.org(org);
    if (stored === undefined) return;
    const probes = probesOf(org);
    const pause = createTimeSlices();
    for (const name of names) {
      await checkNow(stored, name, probes).catch((error: unknown) => failed(`check ${org}/${name}`, error));
      await pause();
    }
  }

  async function checkNow(org: StoredOrg, name: string, probes: ReturnType<typeof probesOf>): Promise<CheckId[]> {
    const at = (await sharedTime()).toISOString();
    const site = await reads.site(org.org, name);
    if (site === undefined) return [];
    const found = await checkStoredSite({ reads, info, hosts, ...probes }, org, site);
    const findings = packFindings(found);
    await store.write(async (writes) => {
      const current = await writes.site(org.org, name);
      if (current !== undefined) await storeSiteCheck(writes, current, { service: { at, version: site.version, findings } });
    });
    return found.filter(({ verdict }) => verdict === 'wrong').map(({ check }) => check);
  }

  /** First the organizations whose sites were written or whose code was synchronized since the last time; then those that are due. */
  async function dueOrgs(): Promise<ReadonlySet<string>> {
    const [since, time] = [(await syncsSeen).toISOString(), await sharedTime()];
    const orgs = new Set(changed);
    changed.clear();
    for await (const origin of syncedOrigins(since)) for await (const org of organizationsOf(reads, origin)) orgs.add(org);
    syncsSeen = Promise.resolve(time);
    const current = (await sharedTime()).toISOString();
    for (const org of await checks.dueOrgs(current, current, MAX_ORGS)) orgs.add(org);
    return orgs;
  }

  const offered = new Set<string>();
  let left: string[] = [];
  /** Each organization once in a pass: one that could not be checked is still due, and is checked in the next pass. */
  async function* dueRounds(): AsyncGenerator<Task> {
    if (left.length === 0) left = [...(await dueOrgs())].filter((org) => !offered.has(org));
    if (left.length === 0) offered.clear();
    for (let org = left.shift(); org !== undefined; org = left.shift()) {
      offered.add(org);
      const due = org;
      yield { name: `check ${due}`, share: due, run: () => checkDueRound(due) };
    }
  }

  async function checkDueRound(org: string): Promise<void> {
    const round = await claim(org, false);
    if (round !== undefined) await runRound(round);
  }

  async function* syncedOrigins(since: string): AsyncGenerator<CodeOrigin> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await checks.syncedOrigins(since, DEFAULT_REF, { after, limit: REPOSITORIES_AT_ONCE });
      yield* page.origins;
      after = page.next;
    }
  }

  return {
    async start(org) {
      for (let attempt = 1; ; attempt += 1) {
        const round = await claim(org, true);
        if (round !== undefined) {
          startInBackground(org, runRound(round));
          return { round, joined: false };
        }
        const joined = await checks.joinRound(org, (await sharedTime()).toISOString());
        if (joined !== undefined) return { round: joined, joined: true };
        // It ended between the two reads. Start another one, unless another node keeps being faster.
        if (attempt >= MAX_ATTEMPTS) throw new Error('A check could be neither started nor joined.');
      }
    },
    async checkSite(org, site) {
      const stored = await reads.org(org);
      return stored === undefined ? [] : await checkNow(stored, site, probesOf(org));
    },
    checkDue: queue.drain,
    async close() {
      stopping = true;
      end.abort();
      unsubscribe();
      await queue.close();
      while (background.size > 0) await Promise.all(background);
    },
  };
}

function later(time: Date, milliseconds: number): string {
  return new Date(time.getTime() + milliseconds).toISOString();
}

const LEASE = 60_000;
const NEVER = '9999-12-31T00:00:00.000Z';
const MAX_ORGS = 100;
const REPOSITORIES_AT_ONCE = 1000;
const MAX_ATTEMPTS = 20;
