/** One authoring environment: a host of its own, content of its own, one technical account. */
export interface Environment {
  readonly id: string;
  readonly technicalAccount: string;
}

export const BASE_ENVIRONMENT = 'p100-e200';
export const SECOND_ENVIRONMENT = 'p100-e300';

export const ENVIRONMENTS: readonly Environment[] = [BASE_ENVIRONMENT, SECOND_ENVIRONMENT].map((id) => ({
  id,
  technicalAccount: `${id}@techacct.example.com`,
}));

/** The environment that a Host header names (`author-p100-e200.…`). */
export function environmentOfHost(host: string | undefined): Environment | undefined {
  const label = host?.split('.')[0]?.toLowerCase();
  return ENVIRONMENTS.find(({ id }) => label === `author-${id}`);
}
