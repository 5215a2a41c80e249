import { findingOf, refusalDetail } from './check-data.ts';
import type { Finding } from './findings.ts';
import { codeChoice } from './propose-choices.ts';
import type { Situation } from './situation.ts';
import { jobStanding, jobTime } from './sync/job-standing.ts';
import { targetOfSituation } from './target.ts';

/** Checks of the code: whether the last sync went well, and whether the secret is just where it must be. */
export function codeChecks(situation: Situation): Finding[] {
  return [codeSync(situation), secret(situation)];
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
  const standing = jobStanding(job.value, source);
  const data = { time: jobTime(job.value) ?? '', commit: job.value.data?.sha ?? '', user: job.value.user ?? '' };
  const evidence = { request, answer: [job.value.name, job.value.state, job.value.error].filter((part) => part !== undefined).join(', ') };
  switch (standing.state) {
    case 'never':
      return finding('code-sync-fresh', 'warning', { variant: 'never', evidence });
    case 'waiting':
    case 'running':
      return finding('code-sync-fresh', 'note', { variant: 'running', data, evidence });
    case 'stopped':
      return finding('code-sync-fresh', 'warning', { variant: 'stopped', data, evidence });
    case 'done':
      return finding('code-sync-fresh', 'fine', { data, evidence });
    case 'failed': {
      const refused = standing.problem.kind === 'secret-refused' ? { variant: 'secret' } : {};
      return finding('code-sync-fresh', 'wrong', { ...refused, data: { ...data, error: standing.problem.error }, evidence });
    }
    default:
      return standing satisfies never;
  }
}

/** On the first site of an external repository, and nowhere else. */
function secret(situation: Situation): Finding {
  const finding = findingOf(situation);
  const { site, secret: held } = situation;
  const code = site.state === 'known' ? codeChoice(site.value.config.code) : undefined;
  if (code === undefined) return finding('secret-present', 'unknown');
  if (code.type === 'github') return finding('secret-present', 'fine', { variant: 'not-needed' });
  if (held === undefined) return finding('secret-present', 'unknown');
  if (held.state === 'failed') return finding('secret-present', 'unknown', refusalDetail('GET the secret cm-byog', held.failure));
  const present = held.state === 'known';
  if (code.holdsSecret) return finding('secret-present', present ? 'fine' : 'wrong');
  return present
    ? finding('secret-present', 'warning', { variant: 'superfluous' })
    : finding('secret-present', 'fine', { variant: 'elsewhere' });
}
