import type { Site, SiteListEntry } from '@repoless/contract/site.ts';
import type { VersionList } from '@repoless/contract/history.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import { neverAborting, retry } from '../run/retry.ts';
import { type WithRetry, makeCall } from '../run/take-step.ts';
import { createWriteAccess } from './write-access.ts';
import { type Call, type Known, NOT_FOUND } from '../situation/call.ts';
import { selectConfiguration } from '../situation/edge-configuration.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { removeSite, restoreSite } from '../situation/site-calls.ts';
import { dependentsOf } from './organization-sites.ts';
import type { FormerSite, PlannedRemoval, RemovalBlock } from './plan-removals.ts';
import { endOfRun, obstacleProblem, problemOf, rowProblem } from './row-problems.ts';
import type { RowProblem, RowStep } from './rows.ts';

/** The result of a removal. `stopped`: the site is unchanged. */
export type RemovalEnd =
  | { readonly state: 'removed' | 'gone' | 'stopped' }
  | { readonly state: 'blocked'; readonly block: RemovalBlock }
  | { readonly state: 'failed'; readonly problem: RowProblem };

export interface RemovedOne {
  readonly former: FormerSite;
  readonly end: RemovalEnd;
  readonly calls: readonly Call[];
}

export interface Removing {
  readonly organization: string;
  /** All sites of the organization when the removals were planned. */
  readonly sites: readonly SiteListEntry[];
  /** The current site is finished, the others stay. */
  readonly signal: AbortSignal;
  ports(author: string): SetupPorts;
  onStart?(former: FormerSite): void;
  onEnd?(removed: RemovedOne): void;
}

/**
 * Removes planned sites one after the other, in the order of the plan. A site that others depend on stays as long as one of them
 * does. Missing sites are skipped, so that an interrupted run can be continued. Once the caller's sign-in is no longer accepted,
 * the others stay. Nothing throws.
 */
export async function removeSites(removing: Removing, planned: readonly PlannedRemoval[]): Promise<RemovedOne[]> {
  const dependents = dependentsOf(removing.sites);
  const staying = new Set(removing.sites.map(({ name }) => name));
  const all: RemovedOne[] = [];
  let hasEnded = false;
  for (const removal of planned) {
    const { siteName } = removal.former;
    removing.onStart?.(removal.former);
    const removed: RemovedOne =
      hasEnded && removal.state === 'ready'
        ? { former: removal.former, end: { state: 'stopped' }, calls: [] }
        : await removeOne(removing, removal, dependents(siteName, staying));
    hasEnded ||= removed.end.state === 'failed' && endOfRun(removed.end.problem) === 'signed-out';
    if (removed.end.state === 'removed' || removed.end.state === 'gone') staying.delete(siteName);
    removing.onEnd?.(removed);
    all.push(removed);
  }
  return all;
}

/** `dependents` is why it cannot be removed now; a site that depends on it may not have been removed after all. */
async function removeOne(removing: Removing, removal: PlannedRemoval, dependents: RemovalBlock | undefined): Promise<RemovedOne> {
  const { former } = removal;
  if (removal.state === 'gone') return { former, end: { state: 'gone' }, calls: [] };
  if (removal.state === 'blocked') return { former, end: { state: 'blocked', block: removal.block }, calls: [] };
  if (dependents !== undefined) return { former, end: { state: 'blocked', block: dependents }, calls: [] };
  const { organization, signal, ports } = removing;
  const { siteName, author } = former;
  const inherits = removal.page?.kind === 'inherits' ? { page: removal.page.page } : {};
  const site = { organization, siteName, author, etag: removal.etag, ...inherits };
  const moved = await removeLocaleSite(ports(author), site, { signal, onStep: () => undefined });
  const { calls } = moved;
  if (moved.outcome === 'failed') return { former, end: { state: 'failed', problem: moved.problem }, calls };
  return { former, end: { state: moved.outcome === 'done' ? 'removed' : 'stopped' }, calls };
}

export interface LocaleSite {
  readonly organization: string;
  readonly siteName: string;
  readonly author: string;
  /** Its content root; absent if the authoring system is left alone. */
  readonly page?: string;
  /** The page's own `cq:conf`, to be selected again when the site is restored. */
  readonly cloudConfiguration?: string;
}

/** A site to remove, as it was reviewed: one that was changed since is not removed. */
export interface LeavingSite extends LocaleSite {
  readonly etag: string;
}

interface Moving {
  /** Stops before the first write; a removal that has started is finished. */
  readonly signal: AbortSignal;
  readonly onStep: (step: RowStep, attempt?: number) => void;
}

/** `stopped`: nothing was written. */
export type Moved =
  | { readonly outcome: 'done' | 'stopped'; readonly calls: readonly Call[] }
  | { readonly outcome: 'failed'; readonly problem: RowProblem; readonly calls: readonly Call[] };

/**
 * Removes a locale site: the page inherits its cloud configuration again, then the service's site is removed. Its history
 * stays, and so do the content, the configuration page and the configuration below `/conf`. What no longer exists is
 * skipped. If the site cannot be removed, its page selects its configuration again: otherwise its pages would be served by
 * the site above.
 */
export async function removeLocaleSite(ports: SetupPorts, site: LeavingSite, moving: Moving): Promise<Moved> {
  if (moving.signal.aborted) return STOPPED;
  let own: string | undefined;
  const moved = await inOrder(ports, moving, [
    { step: 'switch', find: async () => selectCall(ports, site, undefined, (before) => (own = before)) },
    { step: 'register-site', find: async () => ({ state: 'known', value: removeSite(site, site.etag) }) },
  ]);
  if (moved.outcome !== 'failed' || own === undefined) return moved;
  const { organization, siteName } = site;
  const { calls } = moved;
  const left = await ports.service.configuration(organization, siteName);
  // It was removed after all; only the answer was lost.
  if (left.state === 'missing' && moved.problem.step === 'register-site') return { outcome: 'done', calls };
  const select = async () => selectCall(ports, site, own);
  const back = await inOrder(ports, { ...moving, signal: neverAborting() }, [{ step: 'switch', find: select }]);
  const all = [...calls, ...back.calls];
  if (back.outcome === 'done') return { ...moved, calls: all };
  const data = { page: site.page ?? '', configuration: own };
  return { outcome: 'failed', problem: rowProblem('switch', 'page-left-inheriting', data), calls: all };
}

/**
 * Restores a removed locale site: the last version that the service has of it, then the page's own configuration. Nothing is restored if
 * the authoring system would refuse to change the page.
 */
export async function restoreLocaleSite(ports: SetupPorts, site: LocaleSite, moving: Moving): Promise<Moved> {
  if (moving.signal.aborted) return STOPPED;
  const problem = await restoreProblem(ports, site, moving);
  if (problem !== undefined) return { outcome: 'failed', problem, calls: [] };
  return inOrder(ports, moving, [
    { step: 'register-site', find: async () => restoreCall(ports, site) },
    { step: 'switch', find: async () => (site.cloudConfiguration === undefined ? DONE : selectCall(ports, site, site.cloudConfiguration)) },
  ]);
}

async function restoreProblem(ports: SetupPorts, site: LocaleSite, { signal, onStep }: Moving): Promise<RowProblem | undefined> {
  const { cloudConfiguration } = site;
  if (cloudConfiguration === undefined) return undefined;
  const withRetry: WithRetry = (work) => retry({ ports, signal, onWaiting: (attempt) => onStep('switch', attempt) }, work);
  const [select, profile] = await Promise.all([
    withRetry(() => selectCall(ports, site, cloudConfiguration)),
    withRetry(() => ports.service.profile()),
  ]);
  if (select.state !== 'known') return select.state === 'failed' ? problemOf('switch', select.failure) : undefined;
  const access = createWriteAccess(ports, profile.state === 'known' ? profile.value.email : '');
  const obstacle = await access.obstacle(select.value, withRetry);
  return obstacle === undefined ? undefined : obstacleProblem('switch', obstacle);
}

interface Move {
  readonly step: RowStep;
  /** The required call; missing if there is nothing left to do, refused if it would have another effect than intended. */
  readonly find: () => Promise<Known<Call | Refused>>;
}

interface Refused {
  readonly problem: RowProblem;
}

const DONE: Known<never> = { state: 'missing' };
const STOPPED: Moved = { outcome: 'stopped', calls: [] };

async function inOrder(ports: SetupPorts, { signal, onStep }: Moving, moves: readonly Move[]): Promise<Moved> {
  const calls: Call[] = [];
  for (const { step, find } of moves) {
    onStep(step);
    const onWaiting = (attempt: number) => onStep(step, attempt);
    const retrying = { ports, signal: calls.length === 0 ? signal : neverAborting(), onWaiting };
    const call = await retry(retrying, find);
    if (call.state === 'failed') return { outcome: 'failed', problem: problemOf(step, call.failure), calls };
    if (call.state === 'missing') continue;
    const { value } = call;
    if ('problem' in value) return { outcome: 'failed', problem: value.problem, calls };
    const answer = await retry(retrying, () => makeCall(retrying, value));
    if (answer.state === 'failed') return { outcome: 'failed', problem: problemOf(step, answer.failure), calls };
    if (answer.state === 'missing' && value.method !== 'DELETE') return { outcome: 'failed', problem: rowProblem(step, 'refused'), calls };
    calls.push(value);
  }
  return { outcome: 'done', calls };
}

/**
 * Makes the page select a configuration, or inherit again. A removed page needs neither. `onFound` is called with its current selection.
 */
async function selectCall(
  ports: SetupPorts,
  { author, page }: LocaleSite,
  conf: string | undefined,
  onFound?: (own: string | undefined) => void,
): Promise<Known<Call>> {
  if (page === undefined) return DONE;
  const content = await ports.authoring.content(page);
  if (content.state !== 'known') return content;
  onFound?.(content.value.ownConfiguration);
  if (content.value.ownConfiguration === conf) return DONE;
  return { state: 'known', value: selectConfiguration(author, page, conf ?? null) };
}

async function restoreCall(ports: SetupPorts, { organization, siteName }: LocaleSite): Promise<Known<Call | Refused>> {
  const versions = await ports.service.versions(organization, siteName);
  if (versions.state === 'missing') return { state: 'failed', failure: NOT_FOUND };
  if (versions.state === 'failed') return versions;
  if (versions.value.current !== undefined) return isBack(ports, { organization, siteName }, versions.value);
  for (const { version } of versions.value.versions) {
    const stored = await ports.service.version(organization, siteName, version);
    if (stored.state === 'failed') return stored;
    if (stored.state === 'missing') continue;
    return { state: 'known', value: restoreSite({ organization, siteName }, version, { ifNoneMatch: '*' }) };
  }
  return { state: 'failed', failure: NOT_FOUND };
}

/** Whether an existing site is the removed one, whoever restored it, or another one that someone created under its name. */
async function isBack(
  { service }: SetupPorts,
  { organization, siteName }: Pick<LocaleSite, 'organization' | 'siteName'>,
  { versions }: VersionList,
): Promise<Known<Refused>> {
  const another = { state: 'known', value: { problem: rowProblem('register-site', 'made-anew', { site: siteName }) } } as const;
  const newest = versions.toSorted((one, other) => other.version - one.version);
  let now: Site | undefined;
  for (const [index, { version }] of newest.entries()) {
    const stored = await service.version(organization, siteName, version);
    if (stored.state === 'failed') return stored;
    if (stored.state === 'known') {
      now ??= stored.value;
      continue;
    }
    // By this run, whose answer was lost, or by someone else.
    if (newest.slice(0, index).some(({ restoredFrom = version }) => restoredFrom < version)) return DONE;
    const last = newest[index + 1];
    const removed = last === undefined ? DONE : await service.version(organization, siteName, last.version);
    if (removed.state === 'failed') return removed;
    const isSame =
      removed.state === 'known' && now !== undefined && sameValue(withoutServerFields(now), withoutServerFields(removed.value));
    return isSame ? DONE : another;
  }
  return another;
}
