import { type HostDomains, siteAddress } from '@repoless/contract/addresses.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { createFairShare, createTimeSlices } from '../domain/fair-share.ts';
import type { Reads, Store } from '../domain/ports.ts';
import type { CauseChange } from '../events/rules/ports.ts';
import type { CertificateReader } from './rules/ports.ts';
import { ignoreOverload } from './unsynced-code.ts';
import type { StoredSite } from '../sites/ports.ts';

interface Services {
  readonly store: Pick<Store, 'events' | 'reads' | 'shortLived' | 'write'>;
  readonly hosts: HostDomains;
  readonly publicAddress: string;
  readonly readCertificate: CertificateReader;
  /** Milliseconds between two probes of a host, unless one is requested in between. */
  readonly interval: number;
  now(): Date;
}

/** The result of a probe, for all organizations that use the host; without `ends` it was unreachable. */
const Probed = z.object({ at: z.iso.datetime(), ends: z.iso.datetime().optional(), isForHost: z.boolean().optional() });
type Probed = z.infer<typeof Probed>;

/**
 * Whether the certificates of the hosts that an organization uses are valid and remain so (docs/contract.md 9.1). An unreachable host
 * changes nothing.
 */
export function hostCertificates({ store, hosts, publicAddress, readCertificate, interval, now }: Services) {
  const { events, reads, shortLived } = store;
  const probes = createFairShare(PROBES);
  const runs = createFairShare(RUNS);
  const lastRuns = new LRUCache<string, { readonly at: number; readonly last: string }>({ max: CACHED_ORGS });

  /** The stored result, or a new one. `isRequested`: a person is waiting to see whether a problem is solved. */
  async function probe(org: string, { host, name }: NamedHost, isRequested: boolean, signal: AbortSignal): Promise<Probed | undefined> {
    const stored = Probed.safeParse(await shortLived.get('certificate', name)).data;
    const isOld = stored !== undefined && now().getTime() - Date.parse(stored.at) >= MIN_INTERVAL;
    if (stored !== undefined && !(isRequested && isOld && problemsOf(stored, now()).length > 0)) return stored;
    const found = await probes.run(org, () => readCertificate(host, signal));
    if (signal.aborted) return undefined;
    const time = now();
    const seenNow = { at: time.toISOString(), ...(found && { ends: found.ends.toISOString(), isForHost: found.isForHost }) };
    await shortLived.put('certificate', name, seenNow, new Date(time.getTime() + Math.max(interval, MIN_INTERVAL)));
    return seenNow;
  }

  async function recordProblems(org: string, { name, site }: NamedHost, certificate: Probed, open: ReadonlySet<string>): Promise<void> {
    const time = now();
    const wrong = problemsOf(certificate, time);
    for (const problem of PROBLEMS) {
      const cause = causeOf(problem, name);
      const isOpen = wrong.includes(problem);
      if (isOpen === open.has(cause)) continue;
      const change = { kind: 'certificate-ends', cause, org, about: name, time: time.toISOString(), isOpen } as const;
      await setCause(change, site, isOpen && problem === 'end' ? certificate.ends : undefined);
    }
  }

  function setCause(change: CauseChange, site: string | undefined, detail: string | undefined): Promise<void> {
    const of = { ...change, ...(site !== undefined && { site }), ...(detail !== undefined && { detail }) };
    return store.write((writes) => writes.setCause(of));
  }

  /** Ends the problems of hosts that are no longer used. */
  async function endOthers(org: string, all: readonly NamedHost[], open: ReadonlySet<string>): Promise<void> {
    const named = new Set(all.flatMap(({ name }) => PROBLEMS.map((problem) => causeOf(problem, name))));
    for (const cause of open) {
      if (named.has(cause)) continue;
      const about = cause.slice(cause.indexOf(':') + 1);
      await setCause({ kind: 'certificate-ends', cause, org, about, time: now().toISOString(), isOpen: false }, undefined, undefined);
    }
  }

  async function checkHosts(org: string, complete: boolean, signal: AbortSignal): Promise<void> {
    const { at, last } = lastRuns.get(org) ?? { at: Number.NEGATIVE_INFINITY, last: '' };
    const time = now().getTime();
    if (!complete && (interval === 0 || at + interval > time)) return;
    const all = await namedHosts(reads, org, { hosts, publicAddress });
    // Start after the last host of the previous run, so that each host is probed in turn.
    const due = [...all.filter(({ host }) => host > last), ...all.filter(({ host }) => host <= last)].slice(0, LIMITS.checkedHosts);
    lastRuns.set(org, { at: time, last: due.at(-1)?.host ?? '' });
    const open = new Set(await events.openCauses(org, 'certificate-ends'));
    await endOthers(org, all, open);
    for (const host of due) {
      const certificate = signal.aborted ? undefined : await probe(org, host, complete, signal);
      if (certificate?.ends !== undefined) await recordProblems(org, host, certificate, open);
    }
  }

  /** `complete`: checks all hosts on request; otherwise as often as the settings say. */
  return async (org: string, complete: boolean, signal: AbortSignal): Promise<void> => {
    await runs.run(org, () => checkHosts(org, complete, signal)).catch(ignoreOverload);
  };
}

const PROBLEMS = ['end', 'name'] as const;
type Problem = (typeof PROBLEMS)[number];

function problemsOf({ ends, isForHost }: Probed, time: Date): Problem[] {
  return [
    ...(ends !== undefined && Date.parse(ends) - time.getTime() <= NOTICE ? (['end'] as const) : []),
    ...(isForHost === false ? (['name'] as const) : []),
  ];
}

/** The problem's identifier, the same each time. */
function causeOf(problem: Problem, name: string): string {
  return `${problem === 'end' ? 'certificate' : 'certificate-name'}:${name}`;
}

/** Milliseconds before the end of a certificate at which it is reported. */
const NOTICE = 14 * 24 * 60 * 60_000;
/** Milliseconds between two probes of a host, however often checks are requested. */
const MIN_INTERVAL = 60_000;
const CACHED_ORGS = 10_000;
/** A request during a run waits for the next one, which serves all requests until it starts. */
const RUNS = { atOnce: Infinity, perShare: 1, waitingPerShare: 1, waiting: Infinity, workName: 'checks of certificates' };
const PROBES = { atOnce: 4, perShare: 1, waitingPerShare: 1, waiting: Infinity, workName: 'checks of certificates' };

/** A host whose certificate concerns an organization. */
interface NamedHost {
  /** With its port, unless that is 443. */
  readonly host: string;
  /** Its name in messages and in the store: the hosts of all sites below one domain of the service share a certificate. */
  readonly name: string;
  /** The site that names it, if it is the only one. */
  readonly site: string | undefined;
}

/**
 * The HTTPS hosts that the sites of an organization use, each once, in order: their author hosts and the hosts of their CDNs. Also those of
 * the service: its own address, and the preview and live hosts.
 */
async function namedHosts(
  reads: Pick<Reads, 'listSites'>,
  org: string,
  { hosts, publicAddress }: { readonly hosts: HostDomains; readonly publicAddress: string },
): Promise<NamedHost[]> {
  const named = new Map<string, NamedHost>();
  const pause = createTimeSlices();
  let first: string | undefined;
  for (let after: string | undefined = ''; after !== undefined;) {
    const sites: StoredSite[] = await reads.listSites(org, { after, limit: AT_ONCE, bytes: READ_AT_ONCE });
    for (const { site, aggregate } of sites) {
      first ??= site;
      for (const host of hostsOf(aggregate)) named.set(host, { host, name: host, site: named.has(host) ? undefined : site });
      await pause();
    }
    after = sites.at(-1)?.site;
  }
  if (first !== undefined) for (const host of serviceHosts(org, first, { hosts, publicAddress })) named.set(host.host, host);
  return [...named.values()].toSorted((one, other) => (one.host < other.host ? -1 : 1));
}

function hostsOf({ content, cdn }: StoredSite['aggregate']): ReadonlySet<string> {
  const ofCdn = [cdn?.prod, cdn?.preview, cdn?.live, cdn?.review].flatMap((one) =>
    one?.host === undefined ? [] : [`https://${one.host}`],
  );
  return new Set([content?.source.url ?? '', content?.overlay?.url ?? '', ...ofCdn].flatMap(secureHost));
}

function serviceHosts(org: string, site: string, { hosts, publicAddress }: { hosts: HostDomains; publicAddress: string }): NamedHost[] {
  const own = secureHost(publicAddress).map((host) => ({ host, name: host, site: undefined }));
  const tiers = (['preview', 'live'] as const).flatMap((tier) =>
    secureHost(siteAddress(hosts, tier, { ref: DEFAULT_REF, site, org })).map((host) => ({
      host,
      name: `*.${hosts[tier]}`,
      site: undefined,
    })),
  );
  return [...own, ...tiers];
}

/** The normalized host of an address; none if it is not HTTPS. */
function secureHost(address: string): string[] {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:') return [];
  return [`${url.hostname.replace(/\.$/, '')}${url.port === '' ? '' : `:${url.port}`}`];
}

/** Sites, and bytes of their documents. */
const AT_ONCE = 100;
const READ_AT_ONCE = 250_000;
