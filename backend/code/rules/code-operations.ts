import type { endpoints } from '@repoless/contract/endpoints.ts';
import { getJob, getJobDetails, getNamedJob } from '../jobs/get-job.ts';
import { startBranchSync, startSync, stopJob } from '../jobs/start-sync.ts';
import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import type { Operation } from '../../domain/operation.ts';
import { buildManagementOperations } from './build-management.ts';
import { getCode, getCodeFile } from './get-code.ts';
import { githubWebhook } from './github-webhook.ts';
import type { BranchLook, CodeFiles, JobRunner } from './ports.ts';

export interface CodeServices {
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  readonly look: BranchLook;
  readonly webhookSecret: SealedValue | undefined;
  readonly buildManagementKey: SealedValue | undefined;
}

type CodeCall =
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

/** The calls of docs/contract.md 5.1. */
export function codeOperations({ runner, files, look, webhookSecret, buildManagementKey }: CodeServices): CodeOperations {
  return {
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
