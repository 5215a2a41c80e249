import type { endpoints } from '#contract/endpoints.ts';
import { getJob, getJobDetails, getNamedJob } from '../jobs/get-job.ts';
import { startBranchSync, startSync, stopJob } from '../jobs/start-sync.ts';
import { deleteSecret, generateSecret, setSecret } from '../secrets/change-secrets.ts';
import { getSecret, listSecrets } from '../secrets/read-secrets.ts';
import type { SealedValue } from '#contract/sealed-value.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Operation } from '../operation.ts';
import { buildManagementOperations } from './build-management.ts';
import { getCode, getCodeFile } from './get-code.ts';
import { githubWebhook } from './github-webhook.ts';
import type { BranchLook, CodeFiles, JobRunner } from './ports.ts';

export interface CodeServices {
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  readonly look: BranchLook;
  readonly box: SecretBox;
  readonly webhookSecret: SealedValue | undefined;
  readonly buildManagementKey: SealedValue | undefined;
}

type CodeCall =
  | 'listSecrets'
  | 'getSecret'
  | 'setSecret'
  | 'generateSecret'
  | 'deleteSecret'
  | 'getJob'
  | 'getNamedJob'
  | 'getJobDetails'
  | 'startSync'
  | 'startBranchSync'
  | 'stopJob'
  | 'getCode'
  | 'getCodeFile'
  | 'pushed'
  | 'branchDeleted'
  | 'addRepositoryLog'
  | 'githubWebhook';
export type CodeOperations = { readonly [Id in CodeCall]: Operation<(typeof endpoints)[Id]> };

/** The calls of docs/contract.md 5.1, and those on secrets. */
export function codeOperations({ runner, files, look, box, webhookSecret, buildManagementKey }: CodeServices): CodeOperations {
  return {
    listSecrets,
    getSecret,
    setSecret: setSecret(box),
    generateSecret,
    deleteSecret,
    getJob: getJob(runner),
    getNamedJob,
    getJobDetails,
    startSync: startSync(runner, look),
    startBranchSync: startBranchSync(runner, look),
    stopJob: stopJob(runner),
    getCode,
    getCodeFile: getCodeFile(files),
    ...buildManagementOperations(runner, buildManagementKey),
    githubWebhook: githubWebhook(runner, webhookSecret, look),
  };
}
