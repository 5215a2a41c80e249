import type { endpoints } from '#contract/endpoints.ts';
import { getJob, getJobDetails, getNamedJob } from '../jobs/get-job.ts';
import { startBranchSync, startSync, stopJob } from '../jobs/start-sync.ts';
import { deleteSecret, generateSecret, setSecret } from '../secrets/change-secrets.ts';
import { getSecret, listSecrets } from '../secrets/read-secrets.ts';
import type { SealedValue } from '../secrets/sealed-value.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Verb } from '../verb.ts';
import { buildManagementVerbs } from './build-management.ts';
import { getCode, getCodeFile } from './get-code.ts';
import { githubWebhook } from './github-webhook.ts';
import type { CodeFiles, JobRunner } from './ports.ts';

export interface CodeServices {
  readonly runner: JobRunner;
  readonly files: CodeFiles;
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
  | 'githubWebhook';
export type CodeVerbs = { readonly [Id in CodeCall]: Verb<(typeof endpoints)[Id]> };

/** The calls of service contract, section 4, and those on secrets. */
export function codeVerbs({ runner, files, box, webhookSecret, buildManagementKey }: CodeServices): CodeVerbs {
  return {
    listSecrets,
    getSecret,
    setSecret: setSecret(box),
    generateSecret,
    deleteSecret,
    getJob: getJob(runner),
    getNamedJob,
    getJobDetails,
    startSync: startSync(runner),
    startBranchSync: startBranchSync(runner),
    stopJob: stopJob(runner),
    getCode,
    getCodeFile: getCodeFile(files),
    ...buildManagementVerbs(runner, buildManagementKey),
    githubWebhook: githubWebhook(runner, webhookSecret),
  };
}
