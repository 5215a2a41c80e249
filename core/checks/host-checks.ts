import type { CheckId } from '@repoless/contract/site-check.ts';
import type { JobStatus } from '@repoless/contract/job.ts';
import type { Tier } from '@repoless/contract/addresses.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { EDITOR_FILES, OBSOLETE_FILES } from '../go-live/gate.ts';
import type { FileProbe, Situation } from '../situation/situation.ts';
import { syncStateOf } from '../sync/sync-state.ts';
import { commonData, type Finding, findingOf, type Findings } from './finding.ts';

/** Checks of the answers of the hosts, the repository and the delivery address. */
export function hostChecks(situation: Situation) {
  return {
    'config-preview': config(situation, 'config-preview', 'preview'),
    'config-live': config(situation, 'config-live', 'live'),
    'config-shadowed': shadow(situation),
    'editor-files': editorFiles(situation),
    'delivery-answers': delivery(situation),
    'obsolete-files': obsoleteFiles(situation),
  } satisfies Findings;
}

function config(situation: Situation, check: CheckId, tier: Tier): Finding {
  const finding = findingOf(situation);
  const probe = situation[tier];
  const { site } = situation;
  if (probe === undefined) return finding(check, 'unknown');
  const status = String(probe.status ?? '');
  const data = { address: probe.address, status, host: tier };
  const evidence = { request: `GET ${probe.address}`, answer: status === '' ? 'no answer' : status };
  if (probe.answer.state === 'failed') return finding(check, 'unknown', { data, evidence });
  if (probe.answer.state === 'missing') return finding(check, 'wrong', { variant: 'missing', data, evidence });
  if (site.state !== 'known') return finding(check, 'unknown', { data, evidence });
  return sameValue(probe.answer.value, site.value.config.public)
    ? finding(check, 'fine', { data, evidence })
    : finding(check, 'wrong', { variant: 'differs', data, evidence });
}

/** Hosts of the public service serve a config.json of the repository instead of every site's own; those of this service ignore it. */
function shadow(situation: Situation): Finding {
  const finding = findingOf(situation);
  const probe = repositoryFiles(situation).find((file) => file.path === '/config.json');
  if (probe === undefined || !isAnswer(probe)) return finding('config-shadowed', 'unknown', evidenceOf(probe));
  return finding('config-shadowed', probe.status === 200 ? 'note' : 'fine', evidenceOf(probe));
}

/**
 * Files that the repository has but the host does not serve yet wait for the first code sync, or for a running one, and the author need not act;
 * after a successful sync nothing changes by itself. A host that only some may read (`access.preview`, `access.site`) is not broken; it refuses
 * this request as well.
 */
function editorFiles(situation: Situation): Finding {
  const finding = findingOf(situation);
  const served = hostFiles(situation).filter(isEditorFile);
  const missing = served.filter((file) => file.status === 404);
  const unclear = served.find((file) => file.status !== 404 && file.status !== 200);
  const inRepository = repositoryFiles(situation).filter((file) => isEditorFile(file) && file.status === 200);
  const waiting = missing.every((file) => inRepository.some(({ path }) => path === file.path));
  // A code host also answers 404 for a repository that it hides: a file is only missing if another one was found.
  const isRepositoryRead = repositoryFiles(situation).some((file) => file.status === 200);
  const absent = missing.filter(
    (file) => isRepositoryRead && repositoryFiles(situation).some((other) => other.path === file.path && other.status === 404),
  );
  const data = { missing: names(missing), absent: names(absent) };
  const [first] = missing;
  const refused = served.find(({ status }) => status === 401 || status === 403);
  if (refused !== undefined) return finding('editor-files', 'note', { ...evidenceOf(refused), variant: 'protected' });
  if (first !== undefined && waiting) {
    const isDone = situation.codeSync?.state === 'known' && lastSyncIsDone(situation.codeSync.value);
    return isDone
      ? finding('editor-files', 'wrong', { ...evidenceOf(first), variant: 'not-synced', data })
      : finding('editor-files', 'note', { ...evidenceOf(first), variant: 'in-repository', data });
  }
  // A running sync may add them; nothing else shows that the repository has them.
  if (first !== undefined && !isRepositoryRead && isSyncing(situation))
    return finding('editor-files', 'unknown', { ...evidenceOf(first), data });
  if (first !== undefined && absent.length === 0)
    return finding('editor-files', 'wrong', { ...evidenceOf(first), variant: 'unseen', data });
  if (first !== undefined) return finding('editor-files', 'wrong', { ...evidenceOf(first), data });
  if (served.length === 0 || unclear !== undefined) return finding('editor-files', 'unknown', { ...evidenceOf(unclear), data });
  return finding('editor-files', 'fine', { data });
}

function isSyncing({ codeSync }: Situation): boolean {
  return codeSync?.state === 'known' && (codeSync.value.state === 'created' || codeSync.value.state === 'running');
}

function lastSyncIsDone(job: JobStatus): boolean {
  // Secrets matter only to what a failure means, so the kind of the source does not matter here.
  return syncStateOf(job, 'github').state === 'done';
}

function names(files: readonly FileProbe[]): string {
  return files.map((file) => file.path.slice(1)).join(', ');
}

function isEditorFile({ path }: FileProbe): boolean {
  return EDITOR_FILES.some((name) => name === path);
}

/** Read with the author's own sign-in; whether the technical account may read it, too, is up to the authoring system. */
function delivery(situation: Situation): Finding {
  const finding = findingOf(situation);
  const probe = situation.delivery;
  if (probe === undefined || !isAnswer(probe)) return finding('delivery-answers', 'unknown', evidenceOf(probe));
  if (probe.status === 200) return finding('delivery-answers', 'fine', evidenceOf(probe));
  if (probe.status === 401 || probe.status === 403)
    return finding('delivery-answers', 'note', { ...evidenceOf(probe), variant: 'protected' });
  if (probe.status >= 500) return finding('delivery-answers', 'warning', evidenceOf(probe));
  return finding('delivery-answers', 'wrong', evidenceOf(probe));
}

function obsoleteFiles(situation: Situation): Finding {
  const finding = findingOf(situation);
  const files = repositoryFiles(situation).filter((file) => OBSOLETE_FILES.some((path) => path === file.path));
  const served = files.filter((file) => file.status === 200);
  const data = { files: served.map((file) => file.path.slice(1)).join(', ') };
  const [first] = served;
  if (first !== undefined) return finding('obsolete-files', 'note', { ...evidenceOf(first), data });
  return finding('obsolete-files', files.length > 0 && files.every(isAnswer) ? 'fine' : 'unknown', { data });
}

/** Files of the site's preview host are distinguished from those of the repository by their address. */
function hostFiles(situation: Situation): FileProbe[] {
  return situation.files.filter((file) => isOnHost(situation, file));
}

function repositoryFiles(situation: Situation): FileProbe[] {
  return situation.files.filter((file) => !isOnHost(situation, file));
}

function isOnHost(situation: Situation, file: FileProbe): boolean {
  return file.address.startsWith(`${commonData(situation)['preview']}/`);
}

function isAnswer(probe: FileProbe): probe is FileProbe & { status: number } {
  return probe.status !== 'unreachable';
}

function evidenceOf(probe: FileProbe | undefined) {
  if (probe === undefined) return {};
  const { address, status, path } = probe;
  return { data: { address, path, status: String(status) }, evidence: { request: `GET ${address}`, answer: String(status) } };
}
