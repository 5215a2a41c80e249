import { ROLE_NAMES } from '@repoless/contract/access.ts';
import type { RoleName } from '@repoless/contract/access.ts';

/** Where a call is about: a site of the organization `wknd`, another site of it, a site that is open to read, another organization. */
export const PLACES = ['matrix', 'another-site', 'open', 'elsewhere'] as const;
export type Place = (typeof PLACES)[number];

type Roles = readonly RoleName[];

/** Somebody who calls, and the roles that they were given; the expectation is read from here, not from the service. */
export interface MatrixCaller {
  /** `nobody`: no credential, or one that is none any more. */
  readonly kind: 'nobody' | 'person' | 'key';
  /** Roles on the site `matrix` alone, and on `another-site` alone. */
  readonly matrix?: Roles;
  readonly another?: Roles;
  /** Roles in the organization `wknd`, which hold on every site of it. */
  readonly wknd?: Roles;
  /** Roles in the other organization, `acme`. */
  readonly acme?: Roles;
}

const ofSite = ROLE_NAMES.map((role): [string, MatrixCaller] => [`${role} of the site`, { kind: 'person', matrix: [role] }]);
const ofOrg = ROLE_NAMES.map((role): [string, MatrixCaller] => [`${role} of the organization`, { kind: 'person', wknd: [role] }]);

export const MATRIX_CALLERS: Readonly<Record<string, MatrixCaller>> = {
  anonymous: { kind: 'nobody' },
  'expired key': { kind: 'nobody' },
  'revoked key': { kind: 'nobody' },
  stranger: { kind: 'person' },
  'operator without a role': { kind: 'person' },
  ...Object.fromEntries(ofSite),
  ...Object.fromEntries(ofOrg),
  'admin of another site': { kind: 'person', another: ['admin'] },
  'admin of another organization': { kind: 'person', acme: ['admin'] },
  'site key, admin': { kind: 'key', matrix: ['admin'] },
  'site key, author': { kind: 'key', matrix: ['author'] },
  'site key, config_admin of another site': { kind: 'key', another: ['config_admin'] },
  'organization key, admin': { kind: 'key', wknd: ['admin'] },
  'organization key, publish and config': { kind: 'key', wknd: ['publish', 'config'] },
  'organization key of another organization': { kind: 'key', acme: ['admin'] },
};

/** The open site is asked by those alone whom it lets in or keeps out. */
export function asks(name: string, { kind, wknd, matrix }: MatrixCaller, place: Place): boolean {
  return place !== 'open' || kind === 'nobody' || name === 'stranger' || [wknd, matrix].some((roles) => roles?.includes('config') === true);
}

/** The roles that count: those of the place, and on a site those of its organization too. */
export function rolesAt(caller: MatrixCaller, place: Place, isSiteCall: boolean): Roles {
  if (place === 'elsewhere') return caller.acme ?? [];
  const own = place === 'matrix' ? caller.matrix : place === 'another-site' ? caller.another : undefined;
  return [...(caller.wknd ?? []), ...((isSiteCall ? own : undefined) ?? [])];
}

/** Whether a key belongs to the organization of the place, whatever it is good for there. */
export function isKeyOf({ kind, acme }: MatrixCaller, place: Place): boolean {
  return kind === 'key' && (acme === undefined) === (place !== 'elsewhere');
}
