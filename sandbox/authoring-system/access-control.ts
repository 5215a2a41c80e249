import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { nameOf, parentOf, type ReadableTree, type Resource, textOf, type Environment } from './content-store.ts';
import type { SlingOutcome } from './sling-answer.ts';

/** The node below a resource that holds its own access control entries. */
const POLICY = 'rep:policy';

type Privilege = 'jcr:read' | 'rep:write';

/** Why a person may not write at a path: an entry denies it, or another person has locked it. */
type Obstacle = { readonly kind: 'denied' } | { readonly kind: 'locked'; readonly by: string; readonly at: string };

/**
 * Whether the content tree's entries allow a privilege: those of the resource or of the nearest ancestor that names the person or everyone,
 * the last entry first. Allowed by default.
 */
function isGranted(tree: ReadableTree, path: string, email: string, privilege: Privilege): boolean {
  for (let at = path; at !== '/'; at = parentOf(at)) {
    const own = grantedAt(tree, at, email, privilege);
    if (own !== undefined) return own;
  }
  return true;
}

function grantedAt(tree: ReadableTree, path: string, email: string, privilege: Privilege): boolean | undefined {
  const entry = tree.children(`${path}/${POLICY}`).findLast((one) => isAbout(one, email, privilege));
  return entry === undefined ? undefined : textOf(entry.properties, 'jcr:primaryType') === 'rep:GrantACE';
}

/** Why a person may not change or create a resource. A lock applies to its node, a deep one to all descendants. */
export function obstacleTo(tree: ReadableTree, path: string, email: string): Obstacle | undefined {
  if (!isGranted(tree, path, email, 'rep:write')) return { kind: 'denied' };
  let isNearest = true;
  for (let at = path; at !== '/'; at = parentOf(at)) {
    const properties = tree.read(at)?.properties;
    if (properties === undefined) continue;
    const by = textOf(properties, 'jcr:lockOwner');
    if (by !== undefined && by !== email && (isNearest || properties['jcr:lockIsDeep'] === true)) return { kind: 'locked', by, at };
    isNearest = false;
  }
  return undefined;
}

/** The form in which page commands report it; they are not part of Sling. */
export function commandRefusedBy(obstacle: Obstacle, path: string): SlingOutcome {
  const title = `Error while processing ${path}`;
  if (obstacle.kind === 'denied')
    return { status: 403, message: `AccessDeniedException: OakAccess0000: Access denied (${path})`, path, title };
  return { status: 500, message: `LockException: ${obstacle.at} is locked by ${obstacle.by}.`, path, title };
}

/** The tree as a person sees it, without what they may not read and without entries. */
export function visibleTo(tree: ReadableTree, email: string): ReadableTree {
  const known = new Map<string, boolean>();
  const isVisible = (path: string): boolean => {
    if (path === '/') return true;
    const cached = known.get(path);
    if (cached !== undefined) return cached;
    const visible = nameOf(path) !== POLICY && (grantedAt(tree, path, email, 'jcr:read') ?? isVisible(parentOf(path)));
    known.set(path, visible);
    return visible;
  };
  const shown = ({ path }: Resource) => isVisible(path);
  return {
    read: (path) => (isVisible(path) ? tree.read(path) : undefined),
    children: (path) => tree.children(path).filter(shown),
    named: (below, name) => tree.named(below, name).filter(shown),
  };
}

function isAbout({ properties }: Resource, email: string, privilege: Privilege): boolean {
  const principal = textOf(properties, 'rep:principalName');
  const privileges = [properties['rep:privileges'] ?? []].flat();
  return (principal === email || principal === 'everyone') && (privileges.includes(privilege) || privileges.includes('jcr:all'));
}

/** Author and time of a write, for `jcr:created` and similar properties. */
export interface Writer {
  readonly email: string;
  /** In the date format of the content tree (`showDate`). */
  readonly at: string;
  /** Whether the authoring system's own list lets them write at all. */
  readonly mayWrite: boolean;
}

/** Whether entries or a lock prevent a person from changing or creating a resource. */
export function isRefused(tree: ReadableTree, path: string, { email, mayWrite }: Writer): boolean {
  return !mayWrite || obstacleTo(tree, path, email) !== undefined;
}

/** Only this stand-in restricts this: Sling creates and removes resources everywhere. */
export function isReplaceable(path: string): boolean {
  return /^\/(content|conf)\/./.test(path);
}

/** The same restriction for properties. */
export function isInReach(path: string): boolean {
  return /^\/(content|conf)(\/|$)/.test(path);
}

export type Permission = 'read' | 'write';

/** The authoring system's own access list; the service's roles do not apply. A technical account reads in its environment. */
export function isAllowed(email: string, permission: Permission, environment: Environment): boolean {
  if (WRITERS.has(email)) return true;
  if (permission === 'write') return false;
  return READERS.has(email) || email === environment.technicalAccount;
}

const WRITERS: ReadonlySet<string> = new Set(['ada.admin@example.com', 'otto.org@example.com', 'carl.config@example.com']);
const READERS: ReadonlySet<string> = new Set(['nora.neighbour@example.com']);

/** The audience of the authoring system's tokens. */
const AUTHORING_AUDIENCE = 'authoring';

export type Bearer =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'known'; readonly email: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unverifiable'; readonly reason: string };

/** Parses the bearer of an `authorization` header; tokens are verified with the identity provider's keys, found by discovery. */
export function bearerReader(issuer: string): (authorization: string | undefined) => Promise<Bearer> {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const findKeys = async () => {
    const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (!answer.ok) throw new Error(`discovery answers ${answer.status}`);
    return createRemoteJWKSet(new URL(Discovery.parse(await answer.json()).jwks_uri));
  };
  return async (authorization) => {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return { kind: 'anonymous' };
    try {
      keys ??= await findKeys();
      const { payload } = await jwtVerify(token, keys, { issuer, audience: AUTHORING_AUDIENCE });
      const email = CLAIMS.map((claim) => payload[claim]).find(
        (value): value is string => typeof value === 'string' && value.includes('@'),
      );
      return email === undefined
        ? { kind: 'refused', reason: 'The token names no e-mail address.' }
        : { kind: 'known', email: email.toLowerCase() };
    } catch (cause) {
      if (isAboutToken(cause)) return { kind: 'refused', reason: `The token is not accepted: ${cause.code}.` };
      return { kind: 'unverifiable', reason: 'The identity provider does not respond, so no token can be verified. Try again later.' };
    }
  };
}

/** An unavailable key set is the provider's problem; every other error of jose is the token's. */
function isAboutToken(cause: unknown): cause is errors.JOSEError {
  return (
    cause instanceof errors.JOSEError &&
    !(cause instanceof errors.JWKSTimeout) &&
    !(cause instanceof errors.JWKSInvalid) &&
    cause.code !== 'ERR_JOSE_GENERIC'
  );
}

const Discovery = z.object({ jwks_uri: z.url() });
const CLAIMS = ['email', 'preferred_username', 'sub', 'client_id'] as const;

/** Lifetime of a token of `/libs/granite/csrf/token.json`, in seconds. */
const LIFETIME = 600;

export interface CsrfTokens {
  issue(email: string): string;
  accepts(token: string | undefined, email: string): boolean;
}

/** Tokens bound to a person and a time; a restart invalidates them all, as in real systems. */
export function csrfTokens(now: () => number = Date.now): CsrfTokens {
  const key = randomBytes(32);
  const sign = (email: string, expiry: string) => createHmac('sha256', key).update(`${expiry} ${email}`).digest('base64url');
  return {
    issue(email) {
      const expiry = String(Math.floor(now() / 1000) + LIFETIME);
      return `${expiry}.${sign(email, expiry)}`;
    },
    accepts(token, email) {
      const [expiry = '', signature = ''] = (token ?? '').split('.');
      const expected = Buffer.from(sign(email, expiry));
      const presented = Buffer.from(signature);
      return presented.length === expected.length && timingSafeEqual(presented, expected) && Number(expiry) * 1000 > now();
    },
  };
}
