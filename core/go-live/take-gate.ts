import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { StepState } from '../plan/plan.ts';
import { isTransient, pause, retry, servesStored, VERIFY_WAITS, waitsFor } from '../run/retry.ts';
import type { BlockReason, Call, Failure } from '../situation/call.ts';
import type { SetupPorts } from '../situation/ports.ts';
import type { FileProbe } from '../situation/situation.ts';
import { isInProgress, type SyncState, syncStateOf } from '../sync/sync-state.ts';
import {
  blocks,
  done,
  EDITOR_FILES,
  editorFilesStatus,
  type Gate,
  type GateStatus,
  mayPublishStatus,
  open,
  pageAddress,
  pageStatus,
  type GateSite,
  previewOf,
  repositoryStatus,
  sheetAddress,
  syncFailed,
} from './gate.ts';

export const GATE_PARTS = ['repository', 'code-sync', 'editor-files', 'may-publish', 'configuration-served', 'content-page'] as const;
/** `repository-files`: the editor's files in the repository itself, before anything is synchronized. */
export type GatePart = (typeof GATE_PARTS)[number] | 'repository-files';

export interface GateRun {
  readonly ports: Pick<SetupPorts, 'service' | 'hosts' | 'wait' | 'now'>;
  readonly signal: AbortSignal;
  readonly onWaiting: (attempt: number, why?: Failure) => void;
  readonly onFollowing?: ((sync: SyncState) => void) | undefined;
}

/** Blocks that may pass: hosts need a moment after a write, and unreachable systems may recover. */
export const PASSING_BLOCKS: ReadonlySet<BlockReason> = new Set([
  'code-host-unreachable',
  'service-unreachable',
  'editor-files-not-served',
  'content-missing',
  'content-unreachable',
  'configuration-not-served',
]);

/** Runs a part of the gate: starts what has to be started, and waits for what takes a moment. Returns why it fails. */
export async function takeGatePart(run: GateRun, gate: Gate, part: GatePart): Promise<Failure | undefined> {
  if (part === 'code-sync') return synchronizeCode(run, gate);
  for (let attempt = 1; ; attempt++) {
    const failure = failureOf((await readPart(run.ports, gate, part)).state);
    if (failure === undefined) return undefined;
    const wait =
      VERIFY_WAITS[attempt - 1] ?? ((await isFollowing(run.ports, gate, failure)) ? waitsFor(gate.info)[attempt - 1] : undefined);
    const passes = failure.finding?.kind === 'blocked' ? PASSING_BLOCKS.has(failure.finding.reason) : isTransient(failure);
    if (!passes || wait === undefined || run.signal.aborted) return failure;
    run.onWaiting(attempt + 1, failure);
    await run.ports.wait(Math.max(wait, pause(attempt, failure.retryAfter)), run.signal);
    if (run.signal.aborted) return failure;
  }
}

/** What a host serves only after it has adopted the configuration. */
const FOLLOWING: ReadonlySet<BlockReason> = new Set(['editor-files-not-served', 'content-missing', 'configuration-not-served']);

/** Whether a host of the hosted service has not adopted the stored site yet: what is missing may still appear. */
async function isFollowing({ service, hosts }: GateRun['ports'], gate: Gate, { finding }: Failure): Promise<boolean> {
  if (gate.info.hosted === undefined || finding?.kind !== 'blocked' || !FOLLOWING.has(finding.reason)) return false;
  const [stored, probe] = await Promise.all([
    service.effective(gate.organization, gate.siteName),
    hosts.config(`${previewOf(gate)}/config.json`),
  ]);
  return stored.state === 'known' && probe.answer.state !== 'failed' && !servesStored(probe, stored.value.public);
}

async function readPart({ service, hosts }: GateRun['ports'], gate: Gate, part: Exclude<GatePart, 'code-sync'>): Promise<GateStatus> {
  const { organization, siteName, code } = gate;
  const timing = { isAfterSteps: true };
  switch (part) {
    case 'repository':
      return repositoryStatus(gate, await service.codeCheck(organization, siteName, code));
    case 'repository-files': {
      const check = await service.codeCheck(organization, siteName, code);
      const status = editorFilesStatus(gate, [], check, { isAfterSteps: false });
      return status.state.kind === 'blocked' ? status : done();
    }
    case 'editor-files': {
      const files = await readEditorFiles(hosts, gate);
      // For a file that is not served, the repository knows whether it exists.
      const isServed = files.every(({ status }) => status === 200);
      return editorFilesStatus(gate, files, isServed ? undefined : await service.codeCheck(organization, siteName, code), timing);
    }
    case 'may-publish': {
      const site = await service.effective(organization, siteName);
      if (site.state === 'failed') return blocks('refused', {}, undefined, site.failure);
      return mayPublishStatus(gate, site.state === 'known' ? site.value : undefined, timing);
    }
    case 'configuration-served':
      return pageStatus(gate, await hosts.page(sheetAddress(gate)), timing, 'configuration-not-served');
    case 'content-page':
      return pageStatus(gate, await hosts.page(pageAddress(gate)), timing, 'content-missing');
    default:
      return part satisfies never;
  }
}

export function readEditorFiles(hosts: SetupPorts['hosts'], gate: GateSite): Promise<FileProbe[]> {
  return Promise.all(EDITOR_FILES.map((path) => hosts.file(previewOf(gate), path, 'as-caller')));
}

/** If a check at this point is still undecided, the service doesn't support it. */
function failureOf(state: StepState): Failure | undefined {
  if (state.kind === 'done') return undefined;
  if (state.kind !== 'blocked') return { kind: 'refused', finding: { kind: 'blocked', reason: 'not-checkable', data: {} } };
  return state.failure?.finding === undefined && state.failure !== undefined
    ? state.failure
    : { kind: 'refused', finding: { kind: 'blocked', reason: state.reason, data: state.data } };
}

/** Milliseconds between polls of a sync, how many of them are at shorter intervals, and for how long a sync is followed. */
const POLL = 1000;
const QUICK_POLLS = 8;
const FOLLOWED_FOR = 15 * 60 * 1000;

export function syncCall({ organization, siteName }: Pick<Gate, 'organization' | 'siteName'>): Call {
  return { target: 'service', method: 'POST', address: `/code/${organization}/${siteName}/${DEFAULT_REF}/*` };
}

/** Starts a code sync if the last one did not succeed and none is running, and follows it to its end. */
async function synchronizeCode(run: GateRun, gate: Gate): Promise<Failure | undefined> {
  const { ports, signal } = run;
  const until = ports.now().getTime() + FOLLOWED_FOR;
  const data = { organization: gate.organization, site: gate.siteName };
  let isStarted = false;
  for (let polls = 0; ; polls++) {
    const job = await retry(run, () => ports.service.codeSync(gate.organization, gate.siteName));
    if (job.state === 'failed') return job.failure;
    const sync = job.state === 'known' ? syncStateOf(job.value, gate.code.type) : ({ state: 'never' } as const);
    if (sync.state === 'done') return undefined;
    if (isInProgress(sync)) {
      run.onFollowing?.(sync);
      if (ports.now().getTime() > until) return failureOf(blocks('sync-slow', data).state);
      await ports.wait(polls < QUICK_POLLS ? POLL / 4 : POLL, signal);
      if (signal.aborted) return failureOf(open().state);
      continue;
    }
    if (isStarted) return failureOf(sync.state === 'failed' ? syncFailed(gate, sync.problem).state : blocks('sync-stopped', data).state);
    const started = await retry(run, () => ports.service.send(syncCall(gate)));
    if (started.state === 'failed') return started.failure;
    isStarted = true;
  }
}
