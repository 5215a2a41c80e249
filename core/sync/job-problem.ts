/** Why a code sync failed, as far as its message tells. */
export type JobProblemKind =
  | 'secret-refused'
  | 'not-readable'
  | 'repository-missing'
  | 'branch-missing'
  | 'rate-limited'
  | 'outage'
  | 'too-large'
  | 'interrupted'
  | 'address-refused'
  | 'other';

/** What the person can do about it right there. */
export type JobAction = 'paste-secret' | 'choose-branch' | 'sync-again' | 'none';

export interface JobProblem {
  readonly kind: JobProblemKind;
  /** The job's own message. */
  readonly error: string;
  /** The status that the code source answered, where the message names one. */
  readonly status?: number;
  readonly action: JobAction;
}

/**
 * Reads the error of a job (docs/contract.md 5.4 and docs/design-facts.md 3.3). In: the message, the type of the code
 * source: 401 of an external repository means that its secret is wrong or was revoked.
 */
export function jobProblem(error: string, source: 'github' | 'byogit'): JobProblem {
  const status = statusIn(error);
  const kind = kindOf(error, status, source);
  return { kind, error, ...(status === undefined ? {} : { status }), action: ACTIONS[kind] };
}

const ACTIONS: Record<JobProblemKind, JobAction> = {
  'secret-refused': 'paste-secret',
  'not-readable': 'sync-again',
  'repository-missing': 'sync-again',
  'branch-missing': 'choose-branch',
  'rate-limited': 'sync-again',
  outage: 'sync-again',
  'too-large': 'sync-again',
  interrupted: 'sync-again',
  'address-refused': 'none',
  other: 'sync-again',
};

function kindOf(error: string, status: number | undefined, source: 'github' | 'byogit'): JobProblemKind {
  if (/branch not found/i.test(error)) return 'branch-missing';
  if (/secret/i.test(error) && source === 'byogit') return 'secret-refused';
  if (status === 401 || status === 403) return source === 'byogit' ? 'secret-refused' : 'not-readable';
  if (status === 404 || status === 410) return 'repository-missing';
  if (status === 429) return 'rate-limited';
  if (status !== undefined && status >= 500) return 'outage';
  if (/internal address|not allowed to call|refused address/i.test(error)) return 'address-refused';
  if (/too (?:large|many|big)|limit|larger than|more than/i.test(error)) return 'too-large';
  if (/restart|interrupted|taken over/i.test(error)) return 'interrupted';
  if (/time|(did|does) not (answer|respond)|unreachable|connection|cut|truncated/i.test(error)) return 'outage';
  return 'other';
}

function statusIn(error: string): number | undefined {
  const digits = /(?:: |status |answered (?:with )?)([1-5]\d\d)\b/.exec(error)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
