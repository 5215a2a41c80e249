import { memberMatches } from '@repoless/contract/access.ts';
import { siteAddress } from '@repoless/contract/addresses.ts';
import { type CodeCheck, EDITOR_FILES as FILES_OF_EDITOR } from '@repoless/contract/code-check.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import { CONFIGURATION_PATH } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { SecretInfo } from '@repoless/contract/secret.ts';
import { hostDomains, type ServiceInfo } from '@repoless/contract/service.ts';
import type { Site } from '@repoless/contract/site.ts';
import { blockedByFailure, type Evidence, type StepState } from '../plan/plan.ts';
import type { BlockReason, Failure, Known } from '../situation/call.ts';
import type { CodeChoice } from '../situation/code-choice.ts';
import type { FileProbe, PageProbe } from '../situation/situation.ts';
import { isInProgress, type JobProblem, jobTime, lastGoodJob, servedCommit, syncStateOf } from '../sync/sync-state.ts';

/** What a site must have before the switch: the same gate for the panel, for many sites and for the command line. */
export interface Gate {
  readonly info: Pick<ServiceInfo, 'protocol' | 'previewDomain' | 'liveDomain' | 'buildManagement' | 'hosted'>;
  readonly organization: string;
  readonly siteName: string;
  readonly code: CodeChoice;
  /** The account that is to publish; `''` if none is named. */
  readonly technicalAccount: string;
  readonly ownAccount?: string | undefined;
  /** `admin.role.publish` of the sheet at the delivery address, if it can be read. */
  readonly publishAccount?: string | undefined;
}

/**
 * The status of a part of the gate. `verify`: not known yet, because an earlier step is still open; a check that runs never returns this
 * status.
 */
export interface GateStatus {
  readonly state: Extract<StepState, { kind: 'done' | 'verify' | 'blocked' }>;
  readonly evidence?: Evidence;
}

export function done(evidence?: Evidence): GateStatus {
  return { state: { kind: 'done' }, ...(evidence === undefined ? {} : { evidence }) };
}

export function open(evidence?: Evidence): GateStatus {
  return { state: { kind: 'verify' }, ...(evidence === undefined ? {} : { evidence }) };
}

export function blocks(reason: BlockReason, data: Readonly<Record<string, string>>, evidence?: Evidence, failure?: Failure): GateStatus {
  const state = { kind: 'blocked', reason, data, ...(failure === undefined ? {} : { failure }) } as const;
  return { state, ...(evidence === undefined ? {} : { evidence }) };
}

export function previewOf({ info, organization, siteName }: GateSite): string {
  return siteAddress(hostDomains(info), 'preview', { ref: DEFAULT_REF, site: siteName, org: organization });
}

export type GateSite = Pick<Gate, 'info' | 'organization' | 'siteName'>;

export function repositoryData({ organization, code }: Pick<Gate, 'organization' | 'code'>): Record<string, string> {
  return { organization, owner: code.owner, repo: code.repo, source: code.type };
}

/** On the hosts, where their paths start with a slash. */
export const EDITOR_FILES: readonly `/${string}`[] = FILES_OF_EDITOR.map((name) => `/${name}` as const);

/** Files of the repository that the service's configuration has replaced (docs/design-facts.md 3.4). */
export const OBSOLETE_FILES = ['/fstab.yaml', '/paths.json'] as const;

/** The repository is reachable and has the branch `main`. `job`: its latest code sync, if known. */
export function repositoryStatus(gate: Gate, check: Known<CodeCheck> | undefined, job?: JobStatus): GateStatus {
  const request = checkPath(gate);
  if (check === undefined || check.state === 'missing') return open();
  if (check.state === 'failed') {
    const state = blockedByFailure(check.failure);
    return state.kind === 'blocked' ? { state } : open();
  }
  const { repository, branch, detail, state, sha } = check.value;
  const branchFound = branch === undefined ? undefined : `branch ${DEFAULT_REF}: ${branch}`;
  const answer = [`repository: ${repository}`, branchFound, state, sha].filter(Boolean).join(', ');
  const evidence = { request: `GET ${request}`, answer };
  const data = { ...repositoryData(gate), detail, ...(state === undefined ? {} : { state }) };
  switch (repository) {
    case 'missing':
      return blocks('repository-missing', data, evidence);
    case 'refused':
      return blocks(
        'repository-private',
        { ...data, synced: job !== undefined && lastGoodJob(job) !== undefined ? 'yes' : 'no' },
        evidence,
      );
    case 'unchecked':
      // Only a sync can find out, because it sends the secret.
      return done(evidence);
    case 'unreachable':
      return blocks('code-host-unreachable', data, evidence, { kind: 'refused', status: 502, finding: unreachable(data) });
    case 'found':
      if (branch === 'missing') return blocks('branch-missing', { ...data, branch: DEFAULT_REF }, evidence);
      if (state !== undefined && state !== 'READY') return blocks('repository-not-ready', data, evidence);
      return done(evidence);
    default:
      return repository satisfies never;
  }
}

function unreachable(data: Readonly<Record<string, string>>) {
  return { kind: 'blocked', reason: 'code-host-unreachable', data } as const;
}

export function checkPath({ organization, siteName, code }: Pick<Gate, 'organization' | 'siteName' | 'code'>): string {
  const query = {
    type: code.type,
    owner: code.owner,
    repo: code.repo,
    ref: DEFAULT_REF,
    ...(code.type === 'byogit' ? { url: code.url } : {}),
  };
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/config/${organization}/sites/${siteName}/code/check.json?${pairs.join('&')}`;
}

interface SyncReading {
  readonly job: JobStatus;
  readonly secret?: SecretInfo | undefined;
  /** A secret is about to be stored. */
  readonly secretPasted?: boolean | undefined;
  /** The commit of the branch at the code source, if known. */
  readonly head?: string | undefined;
}

/**
 * The code is synced: the latest sync succeeded, or the next one runs while earlier code is served, or the commit of the branch is served.
 * After a failed sync, another one is started. A secret that the code source refused blocks until it is replaced.
 */
export function codeSyncStatus(gate: Gate, read: SyncReading | undefined): GateStatus {
  if (read === undefined) return open();
  const { job, head } = read;
  const evidence = syncEvidence(gate, job);
  const sync = syncStateOf(job, gate.code.type);
  if (sync.state === 'done' || sync.state === 'rolledBack') return done(evidence);
  if (isInProgress(sync) && lastGoodJob(job) !== undefined) return done(evidence);
  if (head !== undefined && servedCommit(job) === head) return done(evidence);
  if (sync.state === 'failed' && sync.problem.kind === 'secret-refused' && gate.code.type === 'byogit' && gate.code.holdsSecret) {
    const newer = read.secretPasted === true || (read.secret?.lastModified ?? '') > (jobTime(job) ?? '');
    if (!newer) return syncFailed(gate, sync.problem, evidence);
  }
  return open(evidence);
}

/** A failed sync, with the sentence for its cause. */
export function syncFailed(gate: Gate, problem: JobProblem, evidence?: Evidence): GateStatus {
  const data = { ...repositoryData(gate), error: problem.error, status: String(problem.status ?? ''), problem: problem.kind };
  return blocks('sync-failed', data, evidence);
}

function syncEvidence({ organization, siteName }: Gate, job: JobStatus): Evidence {
  const answer = [job.name, job.state, job.error, job.data?.sha].filter((part) => part !== undefined).join(', ');
  return { request: `GET /job/${organization}/${siteName}/${DEFAULT_REF}/code`, answer: answer === '' ? 'no sync' : answer };
}

export interface GateTiming {
  /** All earlier steps are done: none of them will add what is missing now. */
  readonly isAfterSteps: boolean;
}

/** The files on the preview host without which the editor shows a white page. A file that the repository lacks is never added by a sync. */
export function editorFilesStatus(
  gate: Gate,
  files: readonly FileProbe[],
  repository: Known<CodeCheck> | undefined,
  { isAfterSteps }: GateTiming,
): GateStatus {
  const preview = previewOf(gate);
  const served = files.filter(({ address, path }) => address.startsWith(`${preview}/`) && EDITOR_FILES.some((name) => name === path));
  const evidence = { request: `GET ${preview}/…`, answer: served.map(({ path, status }) => `${path.slice(1)} ${status}`).join(', ') };
  if (served.length > 0 && served.every(({ status }) => status === 200)) return done(evidence);
  const guarded = served.find(({ status }) => status === 401 || status === 403);
  if (guarded !== undefined && isAfterSteps) return guardedHost(gate, guarded.address, evidence);
  const listed = Object.entries(repository?.state === 'known' ? (repository.value.files ?? {}) : {});
  const missingFiles = listed
    .filter(([name, state]) => state === 'missing' && EDITOR_FILES.some((path) => path === `/${name}`))
    .map(([name]) => name);
  if (missingFiles.length > 0)
    return blocks('editor-files-missing', { ...repositoryData(gate), missing: missingFiles.join(', ') }, evidence);
  if (!isAfterSteps) return open(evidence);
  const missing = served.filter(({ status }) => status !== 200).map(({ path, status }) => `${path.slice(1)} (${status})`);
  return blocks('editor-files-not-served', { preview, missing: missing.join(', ') }, evidence);
}

export function pageAddress(gate: GateSite): string {
  return `${previewOf(gate)}/`;
}

export function sheetAddress(gate: GateSite): string {
  return `${previewOf(gate)}${CONFIGURATION_PATH}`;
}

/**
 * A page of the preview host, as the content source returns it to the service's technical account. 401 and 403 of the content source are
 * final: no step of this plan gives the service access. `missing`: the block if there is no page.
 */
export function pageStatus(gate: Gate, probe: PageProbe | undefined, { isAfterSteps }: GateTiming, missing: BlockReason): GateStatus {
  if (probe === undefined) return open();
  const { address, status, sourceStatus, says = '' } = probe;
  const source = sourceStatus === undefined ? '' : `, the content source answered ${sourceStatus}`;
  const evidence = { request: `GET ${address}`, answer: `${status}${source}` };
  const data = { address, status: String(sourceStatus ?? status), says, organization: gate.organization };
  if (status === 200) return done(evidence);
  if (sourceStatus === 401 || sourceStatus === 403) return blocks('content-refused', data, evidence);
  if (!isAfterSteps) return open(evidence);
  if (status === 401 || status === 403) return guardedHost(gate, address, evidence);
  if (status === 404) return blocks(missing, data, evidence);
  return blocks('content-unreachable', data, evidence);
}

function guardedHost({ organization, siteName }: Gate, address: string, evidence: Evidence): GateStatus {
  return blocks('host-guarded', { organization, site: siteName, address }, evidence);
}

/** The technical account may configure and publish, and is the one that this environment publishes with. */
export function mayPublishStatus(gate: Gate, site: Site | undefined, { isAfterSteps }: GateTiming): GateStatus {
  const { organization, siteName, technicalAccount: account, ownAccount, publishAccount } = gate;
  const listed = site?.access?.admin?.role?.config_admin ?? [];
  const request = `GET /config/${organization}/sites/${siteName}/access.json`;
  const evidence = { request, answer: listed.join(', ') };
  const data = { account, site: siteName, organization };
  const own = [ownAccount, publishAccount].find((name) => name !== undefined && name.toLowerCase() !== account.toLowerCase());
  if (account !== '' && own !== undefined) return blocks('technical-account-mismatch', { ...data, own }, evidence);
  const isListed = account !== '' && listed.some((entry) => memberMatches(entry, [account.toLowerCase()]));
  if (isListed) return done(evidence);
  return isAfterSteps ? blocks('technical-account-unlisted', data, evidence) : open();
}
