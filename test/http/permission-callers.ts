import { ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import { LEAVES_COSTLY_FILES } from '../support/costly-files.ts';

/** The scope of a call: a site of the organization `wknd`, another site of it, a site open to readers, another organization. */
export const SCOPES = ['matrix', 'another-site', 'open', 'elsewhere'] as const;
export type Scope = (typeof SCOPES)[number];

type Roles = readonly RoleName[];

/** A caller and their roles; expectations are derived from these, not from the service. */
export interface MatrixCaller {
  /** `unauthenticated`: no credential, or an expired one. */
  readonly kind: 'unauthenticated' | 'person' | 'key';
  /** Roles on the site `matrix` only, and on `another-site` only. */
  readonly matrix?: Roles;
  readonly another?: Roles;
  /** Roles in the organization `wknd`, which apply to all its sites. */
  readonly wknd?: Roles;
  /** Roles in the other organization, `acme`. */
  readonly acme?: Roles;
}

const ofSite = ROLE_NAMES.map((role): [string, MatrixCaller] => [`${role} of the site`, { kind: 'person', matrix: [role] }]);
const ofOrg = ROLE_NAMES.map((role): [string, MatrixCaller] => [`${role} of the organization`, { kind: 'person', wknd: [role] }]);

export const MATRIX_CALLERS: Readonly<Record<string, MatrixCaller>> = {
  anonymous: { kind: 'unauthenticated' },
  'expired key': { kind: 'unauthenticated' },
  'revoked key': { kind: 'unauthenticated' },
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

/** Outside `matrix`, where a role counts as it does there or not at all, these represent the others in `npm test`; `npm test -- --all` calls as everyone. */
const REPRESENTATIVES: Roles = ['admin', 'config_admin', 'author'];

/** Whether a caller is tested in this scope: the open site is only tested with callers for whom it makes a difference. */
export function isTested(name: string, { kind, wknd, matrix }: MatrixCaller, scope: Scope): boolean {
  const roles = [...(wknd ?? []), ...(matrix ?? [])];
  const isSample = LEAVES_COSTLY_FILES && kind === 'person' && roles.length > 0 && (scope === 'another-site' || scope === 'elsewhere');
  if (isSample) return roles.some((role) => REPRESENTATIVES.includes(role));
  return (
    scope !== 'open' ||
    kind === 'unauthenticated' ||
    name === 'stranger' ||
    [wknd, matrix].some((roles) => roles?.includes('config') === true)
  );
}

/** The roles that count: those in the scope, and for a site also those of its organization. */
export function rolesAt(caller: MatrixCaller, scope: Scope, isSiteCall: boolean): Roles {
  if (scope === 'elsewhere') return caller.acme ?? [];
  const own = scope === 'matrix' ? caller.matrix : scope === 'another-site' ? caller.another : undefined;
  return [...(caller.wknd ?? []), ...((isSiteCall ? own : undefined) ?? [])];
}

/** Whether a key belongs to the organization of the scope, whatever its roles there. */
export function isKeyOf({ kind, acme }: MatrixCaller, scope: Scope): boolean {
  return kind === 'key' && (acme === undefined) === (scope !== 'elsewhere');
}
