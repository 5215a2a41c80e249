/** One authoring environment: its own host, content and technical account. */
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

/** The environment in a Host header (`author-p100-e200.…`). */
export function environmentOfHost(host: string | undefined): Environment | undefined {
  const label = host?.split('.')[0]?.toLowerCase();
  return ENVIRONMENTS.find(({ id }) => label === `author-${id}`);
}
