import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { CHECK_IDS } from '@repoless/contract/site-check.ts';
import { codeChoice } from '../situation/code-choice.ts';
import { isSpreadsheet } from '../situation/record.ts';
import type { Situation } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';
import { jobTime, servedBranch, servedCommit, syncStateOf } from '../sync/sync-state.ts';
import { type Finding, findingOf, type Findings, refusalDetail } from './finding.ts';
import { hostChecks } from './host-checks.ts';
import { serviceChecks } from './service-checks.ts';

/** Every check of a site, with one finding each, in the order of CHECK_IDS. Pure: the situation contains everything that was read. */
export function checkSite(situation: Situation): Finding[] {
  const findings: Required<Findings> = {
    ...serviceChecks(situation),
    ...authoringChecks(situation),
    ...hostChecks(situation),
    ...codeChecks(situation),
  };
  return CHECK_IDS.map((id) => findings[id]);
}

function authoringChecks(situation: Situation) {
  return {
    'configuration-page': configurationPage(situation),
    'project-type': projectType(situation),
    'organization-and-site-name': names(situation),
    'cloud-configuration-own': ownConfiguration(situation),
  } satisfies Findings;
}

function configurationPage(situation: Situation): Finding {
  const finding = findingOf(situation);
  const page = situation.configurationPage;
  const path = situation.settings.configurationPage.value ?? `${situation.settings.siteRoot}/configuration`;
  if (page.state === 'missing') return finding('configuration-page', 'wrong', { variant: 'missing', data: { path } });
  if (page.state === 'failed') {
    const detail = refusalDetail(`GET ${path}`, page.failure);
    return finding('configuration-page', 'unknown', { ...detail, data: { ...detail.data, path } });
  }
  const data = { path: page.value.path, resourceType: page.value.resourceType ?? '' };
  return isSpreadsheet(page.value.resourceType)
    ? finding('configuration-page', 'fine', { data })
    : finding('configuration-page', 'wrong', { variant: 'type', data });
}

/** Switched while the service is not ready shows a white page; not switched while it is ready is merely the last step. */
function projectType(situation: Situation): Finding {
  const finding = findingOf(situation);
  const switched = situation.settings.projectType.value === situation.info.repolessProjectType;
  const registered = situation.site.state === 'known';
  if (switched && situation.site.state === 'missing') return finding('project-type', 'wrong', { variant: 'too-early' });
  if (switched) return finding('project-type', 'fine');
  return finding('project-type', registered ? 'warning' : 'note');
}

function names(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { settings } = situation;
  const { organization, siteName } = targetOfSituation(situation);
  const data = {
    configuredOrganization: settings.organization.value ?? '',
    configuredSite: settings.siteName.value ?? '',
    wantedOrganization: organization,
    wantedSite: siteName,
  };
  const same = settings.organization.value === organization && settings.siteName.value === siteName;
  return finding('organization-and-site-name', same ? 'fine' : 'wrong', { data });
}

function ownConfiguration(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { source, value } = situation.settings.cloudConfiguration;
  const data = { configuration: value ?? '', from: source.kind === 'inherited' ? source.from : '' };
  if (value === undefined) return finding('cloud-configuration-own', 'wrong', { variant: 'missing', data });
  if (source.kind !== 'inherited') return finding('cloud-configuration-own', 'fine', { data });
  return finding('cloud-configuration-own', 'wrong', { data });
}

/** Checks of the code: the last sync succeeded, the served commit is that of the branch, and the secret is stored at the right site. */
function codeChecks(situation: Situation) {
  return { 'code-sync-fresh': codeSync(situation), 'secret-present': secret(situation) } satisfies Findings;
}

function codeSync(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { codeSync: job, site } = situation;
  const { organization, siteName } = targetOfSituation(situation);
  const request = `GET /job/${organization}/${siteName}/main/code`;
  const source = site.state === 'known' ? codeChoice(site.value.config.code)?.type : undefined;
  if (job === undefined || source === undefined) return finding('code-sync-fresh', 'unknown');
  if (job.state === 'failed') return finding('code-sync-fresh', 'unknown', refusalDetail(request, job.failure));
  if (job.state === 'missing') return finding('code-sync-fresh', 'warning', { variant: 'never', evidence: { request, answer: '404' } });
  const syncState = syncStateOf(job.value, source);
  const commit = servedCommit(job.value) ?? '';
  const data = { time: jobTime(job.value) ?? '', commit, user: job.value.user ?? '' };
  const evidence = { request, answer: [job.value.name, job.value.state, job.value.error].filter((part) => part !== undefined).join(', ') };
  switch (syncState.state) {
    case 'never':
      return finding('code-sync-fresh', 'warning', { variant: 'never', evidence });
    case 'waiting':
    case 'running':
      return finding('code-sync-fresh', 'note', { variant: 'running', data, evidence });
    case 'stopped':
      return finding('code-sync-fresh', 'warning', { variant: 'stopped', data, evidence });
    case 'rolledBack': {
      const { time, user = '' } = syncState;
      return finding('code-sync-fresh', 'note', { variant: 'rolled-back', data: { time, commit, user }, evidence });
    }
    case 'done':
      return synced(situation, { data, evidence });
    case 'failed': {
      const isRefused = syncState.problem.kind === 'secret-refused';
      const about = { data: { ...data, error: syncState.problem.error }, evidence };
      if (commit !== '' && !isRefused) return failed(situation, about, job.value.data?.sha);
      return finding('code-sync-fresh', commit === '' ? 'wrong' : 'warning', { ...(isRefused ? { variant: 'secret' } : {}), ...about });
    }
    default:
      return syncState satisfies never;
  }
}

interface Synced {
  readonly data: Readonly<Record<string, string>>;
  readonly evidence: NonNullable<Finding['evidence']>;
}

/** The last sync failed, and earlier code is served: a problem of the repository. `tried`: the commit of that sync. */
function failed(situation: Situation, { data, evidence }: Synced, tried: string | undefined): Finding {
  const finding = findingOf(situation);
  const branch = servedBranch(situation);
  if (branch.state === 'gone') return synced(situation, { data, evidence });
  const isUnreported = branch.state !== 'same' && tried !== undefined && tried !== data['commit'];
  const head = branch.state === 'other' ? branch.head : isUnreported ? tried : undefined;
  return head === undefined
    ? finding('code-sync-fresh', 'note', { variant: 'failed-served', data, evidence })
    : finding('code-sync-fresh', 'warning', { variant: 'failed-behind', data: { ...data, head }, evidence });
}

/** The last sync succeeded. Only the code source knows whether the branch has moved since. */
function synced(situation: Situation, { data, evidence }: Synced): Finding {
  const finding = findingOf(situation);
  const branch = servedBranch(situation);
  const besides = (answer: string) => ({ ...evidence, answer: `${evidence.answer}, ${answer}` });
  switch (branch.state) {
    case 'same':
    case 'unasked':
      return finding('code-sync-fresh', 'fine', { data, evidence });
    case 'other': {
      const answer = `${data['commit'] ?? ''}; ${DEFAULT_REF} is at ${branch.head}`;
      return finding('code-sync-fresh', 'warning', { variant: 'behind', data: { ...data, head: branch.head }, evidence: besides(answer) });
    }
    case 'gone': {
      const { lost, detail } = branch;
      return finding('code-sync-fresh', 'warning', {
        variant: 'gone',
        data: { ...data, ...repositoryOf(situation), lost },
        evidence: besides(detail),
      });
    }
    case 'unlisted':
      return finding('code-sync-fresh', 'note', { variant: 'uncompared', data: { ...data, detail: branch.detail }, evidence });
    case 'unread': {
      const { detail, failure } = branch;
      if (failure === undefined)
        return finding('code-sync-fresh', 'unknown', { variant: 'uncompared', data: { ...data, detail }, evidence });
      const refusal = refusalDetail('GET code/check.json', failure);
      return finding('code-sync-fresh', 'unknown', {
        ...refusal,
        variant: 'uncompared',
        data: { ...refusal.data, ...data },
      });
    }
    default:
      return branch satisfies never;
  }
}

/** The secret belongs to the first site of an external repository only. */
function secret(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { site, secret: storedSecret } = situation;
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  if (code === undefined) return finding('secret-present', 'unknown');
  if (code.type === 'github') return finding('secret-present', 'fine', { variant: 'not-needed' });
  if (storedSecret === undefined) return finding('secret-present', 'unknown');
  if (storedSecret.state === 'failed')
    return finding('secret-present', 'unknown', refusalDetail('GET the secret cm-byog', storedSecret.failure));
  const current = storedSecret.state === 'known';
  if (code.holdsSecret) return finding('secret-present', current ? 'fine' : 'wrong');
  return current
    ? finding('secret-present', 'warning', { variant: 'superfluous' })
    : finding('secret-present', 'fine', { variant: 'elsewhere' });
}

function repositoryOf({ site }: Situation): { readonly repository: string } {
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  return { repository: code === undefined ? '' : `${code.owner}/${code.repo}` };
}
