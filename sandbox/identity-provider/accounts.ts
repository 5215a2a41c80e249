/** A person who can sign in to the sandbox. */
export interface Account {
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  readonly username: string;
  /** What the account demonstrates. */
  readonly role: string;
}

/** The password of every account: nothing in the sandbox is a secret. */
export const PASSWORD = 'sandbox';

export const ACCOUNTS: readonly Account[] = [
  account('ada.admin', 'Ada Admin', 'administers the organization wknd, operates the service'),
  account('carl.config', 'Carl Config', 'configures sites (config_admin)'),
  account('otto.org', 'Otto Org', 'administers the organization wknd'),
  account('nora.neighbour', 'Nora Neighbour', 'administers another site only'),
  account('sam.stranger', 'Sam Stranger', 'has no rights'),
];

/** A technical account of an authoring environment: gets its token by client credentials. */
export interface TechnicalAccount {
  readonly email: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export const TECHNICAL_ACCOUNTS: readonly TechnicalAccount[] = ['p100-e200', 'p100-e300'].map((environment) => ({
  email: `${environment}@techacct.example.com`,
  clientId: `technical-account-${environment}`,
  clientSecret: `sandbox-${environment}`,
}));

/** The service as a client of the provider. */
export const SERVICE_CLIENT = { clientId: 'repoless-service', clientSecret: 'sandbox-service' } as const;
/** The console as a client: it runs in the browser and has no secret. */
export const CONSOLE_CLIENT_ID = 'authoring-console';
/** The name of the provider in the service's addresses: `/auth/sandbox/ack`. */
export const PROVIDER_NAME = 'sandbox';

/** The authoring system: the requested resource, and the audience of its tokens. */
export const AUTHORING_RESOURCE = 'urn:authoring';
export const AUTHORING_AUDIENCE = 'authoring';

export function accountByEmail(email: string): Account | undefined {
  return ACCOUNTS.find((one) => one.email === email.trim().toLowerCase());
}

function account(username: string, name: string, role: string): Account {
  return { sub: `sandbox|${username}`, email: `${username}@example.com`, name, username, role };
}
