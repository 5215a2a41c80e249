import type { JobStatus } from '@repoless/contract/job.ts';
import type { Step, StepId } from '../plan/plan.ts';
import type { Call } from '../situation/call.ts';
import { codeChoice, repositoryKey } from '../situation/code-choice.ts';
import type { Choices, Situation } from '../situation/situation.ts';
import { isInProgress, syncStateOf } from '../sync/sync-state.ts';
import {
  checkPath,
  codeSyncStatus,
  editorFilesStatus,
  type Gate,
  type GateStatus,
  mayPublishStatus,
  open,
  pageAddress,
  pageStatus,
  repositoryStatus,
  sheetAddress,
} from './gate.ts';
import { type GatePart, syncCall } from './take-gate.ts';

export function gateOf({ info, settings }: Pick<Situation, 'info' | 'settings'>, choices: Choices): Gate {
  const { organization, siteName, code, technicalAccount } = choices;
  const { technicalAccount: own, publishAccount } = settings;
  return { info, organization, siteName, code, technicalAccount, ownAccount: own.value, publishAccount };
}

/** The steps of a plan before the gate. */
export interface Before {
  /** Site, paths and access, and the secret if there is one. */
  readonly service: readonly Step[];
  readonly configurationPage: Step;
  /** It exists, is selected, and names organization and site. */
  readonly cloudConfiguration: readonly Step[];
}

/** The parts of the gate as steps of a plan: what is known now, and what is checked when the step runs. */
export function gateSteps(situation: Situation, choices: Choices, before: Before): Record<Exclude<GatePart, 'repository-files'>, Step> {
  const gate = gateOf(situation, choices);
  const { files, site } = situation;
  const repository = repositoryOfChosen(situation, choices);
  const isDone = (step: Step | undefined) => step?.state.kind === 'done';
  const isWritten = before.service.every(isDone);
  const hasNames = isWritten && before.cloudConfiguration.every(isDone);
  const sync = codeSync(situation, choices, gate);
  const isServed = sync.state.kind === 'done' && !isSyncing(situation, choices);
  const isPageReady = hasNames && isDone(before.configurationPage);
  const accessSet = isDone(before.service.find(({ id }) => id === 'set-access'));
  const stored = site.state === 'known' ? site.value.config : undefined;
  return {
    repository: repositoryStep(situation, choices),
    'code-sync': step('code-sync', sync, syncCall(gate)),
    'editor-files': step('editor-files', afterSteps(editorFilesStatus(gate, files, repository, { isAfterSteps: isServed }), isServed)),
    'may-publish': step(
      'may-publish',
      afterSteps(mayPublishStatus(gate, stored, { isAfterSteps: accessSet }), accessSet),
      serviceRead(`/config/${gate.organization}/sites/${gate.siteName}/access.json`),
    ),
    'configuration-served': step(
      'configuration-served',
      afterSteps(pageStatus(gate, situation.sheet, { isAfterSteps: isPageReady }, 'configuration-not-served'), isPageReady),
      hostRead(sheetAddress(gate)),
    ),
    'content-page': step(
      'content-page',
      afterSteps(pageStatus(gate, situation.page, { isAfterSteps: hasNames }, 'content-missing'), hasNames),
      hostRead(pageAddress(gate)),
    ),
  };
}

/** Whether the chosen repository can be read, as the service found it. */
export function repositoryStep(situation: Situation, choices: Choices): Step {
  const gate = gateOf(situation, choices);
  const job = jobOfChosen(situation, choices);
  return step('repository', repositoryStatus(gate, repositoryOfChosen(situation, choices), job), serviceRead(checkPath(gate)));
}

/** The state of the current site says nothing about the site after the plan. */
function afterSteps(status: GateStatus, isAfterSteps: boolean): GateStatus {
  return status.state.kind === 'done' && !isAfterSteps ? open(status.evidence) : status;
}

/** Findings about another code source say nothing about the chosen one. */
function repositoryOfChosen({ repository }: Situation, { code }: Choices): Situation['repository'] {
  return repository?.state === 'known' && repositoryKey(repository.value) !== repositoryKey(code) ? undefined : repository;
}

function codeSync(situation: Situation, choices: Choices, gate: Gate): GateStatus {
  const { secret } = situation;
  const job = jobOfChosen(situation, choices);
  if (job === undefined) return open();
  const storedSecret = secret?.state === 'known' ? secret.value : undefined;
  const repository = repositoryOfChosen(situation, choices);
  const head = repository?.state === 'known' ? repository.value.sha : undefined;
  return codeSyncStatus(gate, { job, secret: storedSecret, secretPasted: choices.secret !== undefined, head });
}

function isSyncing({ codeSync: job }: Situation, { code }: Choices): boolean {
  return job?.state === 'known' && isInProgress(syncStateOf(job.value, code.type));
}

/** Only a sync of the chosen code source counts. */
function jobOfChosen({ site, codeSync: job }: Situation, { code }: Choices): JobStatus | undefined {
  const stored = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  const isOfChosen = stored !== undefined && repositoryKey(stored) === repositoryKey(code);
  return isOfChosen && job?.state === 'known' ? job.value : undefined;
}

function step(id: StepId, { state, evidence }: GateStatus, call?: Call): Step {
  return { id, state, ...(evidence === undefined ? {} : { evidence }), ...(call === undefined || state.kind === 'done' ? {} : { call }) };
}

function serviceRead(address: string): Call {
  return { target: 'service', method: 'GET', address };
}

function hostRead(address: string): Call {
  return { target: 'host', method: 'GET', address };
}
