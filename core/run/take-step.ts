import { defined, sameValue } from '@repoless/contract/json.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { Call, Failure, Known } from '../situation/call.ts';
import { subjectOf } from '../situation/edge-configuration.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { ConfigProbe, Target } from '../situation/situation.ts';
import { HOSTED_WAITS, isTransient, neverAborting, servesStored, waitsFor } from './retry.ts';

interface Sending {
  readonly ports: Pick<SetupPorts, 'service' | 'authoring' | 'wait'>;
  readonly signal: AbortSignal;
}

/** The attempts of one call: how often it was sent to the authoring system. */
interface Attempts {
  sent: number;
}

/** Nothing was sent, because the page that the call creates exists. */
const EXISTS = 'exists';

/**
 * Makes a write of a step, and repeats it as `withRetry` does, whatever plan it belongs to. Fails with `changed-meanwhile` if someone else
 * was faster. A page that they created isn't this run's, so no record may name it. Once this run has sent its call, the page may be its
 * own, because only the answer was lost: `isOwnPage` decides before an undo removes it.
 */
export async function takeCall(sending: Sending, withRetry: WithRetry, call: Call): Promise<Known<unknown>> {
  const attempts: Attempts = { sent: 0 };
  const answer = await withRetry(() => makeCall(sending, call, attempts));
  if (answer.state !== 'known' || answer.value !== EXISTS || attempts.sent > 0) return answer;
  const finding = { kind: 'changed-meanwhile', ...defined({ created: subjectOf(call).creates }) } as const;
  return { state: 'failed', failure: { ...CHANGED, finding } };
}

/**
 * Makes one call. A page that it creates is looked up first: there would be two. So is one that it changes: Sling would recreate a deleted
 * page. What it replaces must be what the plan knows. Returns the answer of `send`.
 */
export async function makeCall(sending: Sending, call: Call, attempts: Attempts = { sent: 0 }): Promise<Known<unknown>> {
  const { service, authoring } = sending.ports;
  if (call.target === 'service') return call.replaces === undefined ? service.send(call) : replaceKnown(sending, call, call.replaces.value);
  const { creates, changes } = subjectOf(call);
  if (creates !== undefined) {
    const page = await authoring.page(creates);
    if (page.state !== 'missing') return page.state === 'known' ? { state: 'known', value: EXISTS } : page;
  }
  if (changes !== undefined) {
    const page = await authoring.page(changes);
    if (page.state !== 'known') return page;
  }
  if (call.assumes !== undefined && attempts.sent === 0) {
    const held = await authoring.holds(call.assumes);
    if (held.state === 'failed') return held;
    if (held.state === 'known' && !held.value) return { state: 'failed', failure: CHANGED };
  }
  attempts.sent += 1;
  return sendConfirmed(sending, call);
}

/** Writes with the etag of the document that the plan knows; refuses like the service if something else is stored now. */
async function replaceKnown({ ports: { service } }: Sending, call: Call, known: unknown): Promise<Known<unknown>> {
  const stored = await service.stored(call.address);
  if (stored.state === 'failed') return stored;
  const value = stored.state === 'known' ? stored.value.value : undefined;
  if (!sameValue(value, known)) return { state: 'failed', failure: CHANGED };
  return service.send({ ...call, ...(stored.state === 'known' ? { ifMatch: stored.value.etag } : { ifNoneMatch: '*' }) });
}

const CHANGED: Failure = { kind: 'refused', status: 412, finding: { kind: 'changed-meanwhile' } };

/** Milliseconds between reads: what one node of the authoring system stored may reach another one a moment later. */
const WAITS: readonly number[] = [200, 400, 800, 1500, 3000];

/**
 * Sends a write to the authoring system and verifies it: an intermediary may answer as if it were stored, and later steps depend on
 * it. Fails with `not-written` if it is not there after several reads.
 */
async function sendConfirmed({ ports, signal }: Sending, call: Call): Promise<Known<unknown>> {
  const answer = await ports.authoring.send(call);
  if (answer.state !== 'known') return answer;
  for (const wait of [...WAITS, undefined]) {
    const unchanged = await ports.authoring.holds(call);
    if (unchanged.state === 'known' && unchanged.value) return answer;
    if (unchanged.state === 'failed' && !isTransient(unchanged.failure)) return unchanged;
    if (wait === undefined || signal.aborted) break;
    await ports.wait(wait, signal);
  }
  return { state: 'failed', failure: { kind: 'unexpected', system: 'authoring', finding: { kind: 'not-written', address: call.address } } };
}

/** Repeats a read or a write while it may succeed later. */
export type WithRetry = <T>(work: () => Promise<Known<T>>) => Promise<Known<T>>;

/** `undone`: nothing is left to revert. `kept`: someone has changed it since. */
type Reverted = { readonly state: 'reverted' | 'undone' | 'kept' } | { readonly state: 'failed'; readonly failure: Failure };

/** Reverts a call to the authoring system by another one if what it wrote is still there, or is already reverted. */
export async function revertCall(
  ports: Sending['ports'],
  withRetry: WithRetry,
  { call, back }: Record<'call' | 'back', Call>,
): Promise<Reverted> {
  const unchanged = await withRetry(() => ports.authoring.holds(call));
  if (unchanged.state === 'failed') return unchanged;
  if (unchanged.state === 'known' && !unchanged.value) {
    const isBack = await withRetry(() => ports.authoring.holds(back));
    return { state: isBack.state === 'known' && isBack.value ? 'undone' : 'kept' };
  }
  const answer = await withRetry(() => makeCall({ ports, signal: neverAborting() }, back));
  return answer.state === 'failed' ? answer : { state: answer.state === 'known' ? 'reverted' : 'undone' };
}

export interface Verifying {
  readonly ports: Pick<SetupPorts, 'service' | 'hosts' | 'wait'>;
  readonly signal: AbortSignal;
  readonly onWaiting: (attempt: number, why?: Failure) => void;
}

interface Verified {
  /** The `config.json` of each host. */
  readonly addresses: readonly string[];
  readonly target: Target;
  /** Read if absent. */
  readonly info?: Pick<ServiceInfo, 'hosted'> | undefined;
  /** Whether the stored site is no longer the one that was planned: it is not verified, but planned again. */
  readonly isChanged?: (stored: Site | undefined) => boolean;
}

/**
 * Reads hosts until the config.json of each equals the effective public part of the site (or answers 404 if there is none), within a limit
 * that depends on the service. Returns undefined if they do, otherwise the first that doesn't, and why.
 */
export async function verifyHosts(
  { ports, signal, onWaiting }: Verifying,
  { addresses, target, info, isChanged }: Verified,
): Promise<{ readonly address: string; readonly failure: Failure } | undefined> {
  const waits = waitsFor(info ?? (await infoOf(ports)));
  let open = addresses;
  for (let attempt = 1; ; attempt++) {
    const [stored, ...probes] = await Promise.all([
      ports.service.effective(target.organization, target.siteName),
      ...open.map(async (address) => ports.hosts.config(address)),
    ]);
    const site = stored.state === 'known' ? stored.value : undefined;
    if (stored.state !== 'failed' && isChanged?.(site) === true) return { address: open[0] ?? '', failure: CHANGED };
    const wait = waits[attempt - 1];
    const isAwaited = waits === HOSTED_WAITS && wait !== undefined;
    const problems = probes.flatMap((probe) => {
      const failure = stored.state === 'failed' ? stored.failure : compare(probe, site?.public, isAwaited);
      return failure === undefined ? [] : [{ address: probe.address, failure }];
    });
    const [first] = problems;
    if (first === undefined || wait === undefined || signal.aborted) return first;
    open = problems.map(({ address }) => address);
    onWaiting(attempt + 1, first.failure);
    await ports.wait(wait, signal);
    if (signal.aborted) return first;
  }
}

async function infoOf({ service }: Pick<SetupPorts, 'service'>): Promise<Pick<ServiceInfo, 'hosted'>> {
  const info = await service.info();
  return info.state === 'known' ? info.value : {};
}

/** `isAwaited`: the hosts adopt the stored state by themselves, and may still do so. */
function compare({ address, answer, status: code }: ConfigProbe, stored: unknown, isAwaited: boolean): Failure | undefined {
  if (answer.state === 'failed') return answer.failure;
  if (servesStored({ answer }, stored)) return undefined;
  const serves = isAwaited ? 'not-yet' : answer.state === 'missing' ? 'nothing' : 'other';
  return { kind: 'unexpected', ...(code === undefined ? {} : { status: code }), finding: { kind: 'not-served', serves, address } };
}
