import { z } from 'zod';
import { RoleName } from './access.ts';
import { SiteParams } from './endpoint-parts.ts';
import { answer, endpoint, FLAG, json, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { OrgName, Ref, SiteName } from './names.ts';

/** The owner of a token: the claims in the service's own tokens. Times are in seconds since 1970. */
export const Profile = z.object({
  /** `api-key:<id>` if the token is an API key. */
  email: z.string(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  user_id: z.string().optional(),
  iss: z.string(),
  iat: z.number().int(),
  exp: z.number().int(),
  /** Remaining lifetime of the token in seconds. */
  ttl: z.number().int(),
  /** The scope of an API key: `<org>/<site>`, or `<org>/*`. */
  apiKey: z.object({ id: z.string(), subject: z.string(), roles: z.array(RoleName) }).optional(),
});
export type Profile = z.infer<typeof Profile>;

const field = z.string().max(LIMITS.publicField);
const links = z.record(z.string(), z.string());

export const ProfileAnswer = z.object({ status: z.literal(200), profile: Profile, links });
export const ProfileRefused = z.object({ status: z.literal(401), error: z.literal('unauthorized'), links });
export const LoginLinks = z.object({ links });

export const ExchangeInput = z.strictObject({ token: z.string().min(1).max(LIMITS.exchangedToken) });
export const SessionToken = z.object({ token: z.string(), exp: z.number().int() });
export type SessionToken = z.infer<typeof SessionToken>;

/** Device authorization, in the shapes of RFC 8628. */
export const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number().int(),
  interval: z.number().int(),
});
export type DeviceAuthorization = z.infer<typeof DeviceAuthorization>;

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const DeviceAuthorizationInput = z.strictObject({ client_id: field.optional(), scope: field.optional() });

/** Everything is optional: missing or wrong fields are answered in the form of RFC 8628, not as a problem document. */
export const DeviceTokenInput = z.strictObject({
  grant_type: field.optional(),
  device_code: field.optional(),
  client_id: field.optional(),
});
export const DeviceToken = z.object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.number().int() });
export const DeviceTokenRefused = z.object({
  error: z.enum([
    'authorization_pending',
    'slow_down',
    'access_denied',
    'expired_token',
    'invalid_grant',
    'invalid_request',
    'unsupported_grant_type',
  ]),
  error_description: z.string().optional(),
});

/** What the sign-in page sends by `postMessage` to the window that opened it. */
export const SignInMessage = z.object({
  type: z.literal('repoless-sign-in'),
  token: z.string(),
  exp: z.number().int(),
  authoringToken: z.string().optional(),
});
export type SignInMessage = z.infer<typeof SignInMessage>;

/** What the sign-in page sends to a browser extension, in the public service's format. Expiry times are in milliseconds. */
export const ExtensionMessage = z.object({
  action: z.literal('updateAuthToken'),
  authToken: z.string(),
  exp: z.number().int(),
  /** For the guarded hosts of the site, if the person may read one. */
  siteToken: z.string().optional(),
  siteTokenExpiry: z.number().int().optional(),
  org: z.string().optional(),
  site: z.string().optional(),
  owner: z.string().optional(),
  repo: z.string().optional(),
});
export type ExtensionMessage = z.infer<typeof ExtensionMessage>;

/** What the sign-in page posts to a command line on the person's own machine, in the public service's format. */
export const CommandLineMessage = z.object({ state: z.string().optional(), siteToken: z.string().optional(), authToken: z.string() });
export type CommandLineMessage = z.infer<typeof CommandLineMessage>;

export const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })) });

const page = ['text/html', 'application/json'] as const;
const form = 'application/x-www-form-urlencoded' as const;
/**
 * `?origin=` names the extension origin that gets the token by postMessage; only an allowed one does. `?extensionId=` is the same for a
 * browser extension, which also gets the site that the address or the query names. `?client_id=` and its two companions are those of a
 * command line on the person's own machine.
 */
const LoginQuery = z.object({
  origin: z.url('Write an http(s) address.').max(LIMITS.publicField).optional(),
  returnTo: z
    .string()
    .max(LIMITS.publicField)
    .startsWith('/', {
      error: ({ input }) =>
        input === ''
          ? 'An empty string is not allowed here. Use a path such as "/profile".'
          : `The path "${String(input)}" must be absolute: start it with "/".`,
    })
    .optional(),
  extensionId: z.string().max(LIMITS.publicField).optional(),
  client_id: z.string().max(LIMITS.publicField).optional(),
  redirect_uri: z.string().max(LIMITS.publicField).optional(),
  state: z.string().max(LIMITS.publicField).optional(),
  /** Makes the identity provider ask which account to use. */
  selectAccount: FLAG.optional(),
  org: OrgName.optional(),
  site: SiteName.optional(),
});
const login = {
  method: 'GET',
  query: LoginQuery,
  permission: 'public',
  answers: {
    200: { description: 'JSON: the links to sign in or out', media: page, schema: LoginLinks },
    302: { description: 'a browser is sent to the identity provider' },
  },
  errors: ['IDENTITY_PROVIDER_UNREACHABLE'],
  tag: 'Sign-in',
  summary: 'Sign in',
} as const;

const post = { method: 'POST', outside: 'sign-in', params: NO_PARAMS, query: NO_QUERY, permission: 'public', tag: 'Sign-in' } as const;
const get = { method: 'GET', params: NO_PARAMS, permission: 'public', tag: 'Sign-in' } as const;

export const sessionEndpoints = {
  login: endpoint({ ...login, path: '/login', params: NO_PARAMS, call: 8 }),
  loginSite: endpoint({ ...login, path: '/login/{org}/{site}/{ref}', params: SiteParams.extend({ ref: Ref }) }),
  acknowledge: endpoint({
    method: 'GET',
    path: '/auth/{idp}/ack',
    params: z.object({ idp: z.string() }),
    query: z.looseObject({}),
    permission: 'public',
    answers: {
      200: { description: 'signed in; the page continues to /profile or passes the token to its opener', media: ['text/html'] },
      401: { description: 'a page with the reason, for a browser', media: ['text/html'] },
      503: { description: 'a page with the reason, for a browser', media: ['text/html'] },
    },
    errors: ['NOT_AUTHENTICATED', 'IDENTITY_PROVIDER_UNREACHABLE'],
    tag: 'Sign-in',
    summary: 'Receive the response of the identity provider',
  }),
  profile: endpoint({
    ...get,
    path: '/profile',
    query: NO_QUERY,
    credentials: 'session',
    answers: {
      200: { description: 'who is signed in; the cookie is renewed', media: page, schema: ProfileAnswer },
      401: { description: 'no one is', media: page, schema: ProfileRefused },
    },
    errors: [],
    summary: 'Read who is signed in',
    call: 9,
  }),
  logout: endpoint({
    ...get,
    path: '/logout',
    /** Ends every session of the person, not only this one. */
    query: z.object({ everywhere: FLAG.optional() }),
    credentials: 'session',
    answers: {
      302: {
        description:
          'redirects to /profile; the cookie is cleared and the token revoked; with ?everywhere=true, all sessions of the person end',
      },
    },
    errors: ['NOT_AUTHENTICATED', 'STORAGE_FULL'],
    summary: 'Sign out',
  }),
  endSessions: endpoint({
    method: 'DELETE',
    outside: 'sign-in',
    path: '/auth/sessions/{email}',
    params: z.object({ email: z.string().min(1).max(320) }),
    query: NO_QUERY,
    permission: 'signed-in',
    answers: { 204: { description: 'all tokens that the person had are no longer valid' } },
    errors: ['NOT_AUTHORIZED', 'STORAGE_FULL'],
    tag: 'Sign-in',
    summary: 'End all sessions of a person',
  }),
  keys: endpoint({
    ...get,
    path: '/auth/discovery/keys',
    query: NO_QUERY,
    answers: { 200: answer('the keys that sign tokens', KeySet) },
    errors: [],
    summary: 'JSON Web Key Set of the service',
  }),
  exchangeToken: endpoint({
    ...post,
    path: '/auth/exchange',
    // An issuer's token may be long; it is not stored.
    body: { ...json(ExchangeInput), limit: LIMITS.exchangeBody },
    answers: { 200: answer('a token of the service', SessionToken) },
    errors: ['BODY_UNPARSABLE', 'BODY_INVALID', 'TOKEN_REFUSED', 'IDENTITY_PROVIDER_UNREACHABLE'],
    summary: 'Exchange the sign-in of a trusted issuer',
  }),
  authorizeDevice: endpoint({
    ...post,
    path: '/auth/device',
    body: {
      media: [form, 'application/json'],
      schema: DeviceAuthorizationInput,
      optional: true,
      ignoresOtherFields: true,
    },
    answers: { 200: answer('codes and the address where the user enters theirs', DeviceAuthorization) },
    errors: ['NOT_AUTHORIZED'],
    summary: 'Start a device authorization (RFC 8628)',
  }),
  deviceToken: endpoint({
    ...post,
    path: '/auth/device/token',
    body: { media: [form, 'application/json'], schema: DeviceTokenInput, ignoresOtherFields: true },
    answers: {
      200: answer('a token of the service', DeviceToken),
      400: answer('not confirmed yet, denied or expired', DeviceTokenRefused),
    },
    errors: ['NOT_AUTHORIZED'],
    summary: 'Request the token of a device authorization (RFC 8628)',
  }),
  devicePage: endpoint({
    ...get,
    path: '/device',
    query: z.object({ user_code: z.string().max(40).optional() }),
    answers: {
      200: { description: 'the page where the user enters the code', media: ['text/html'] },
      302: { description: 'redirects to the sign-in first' },
    },
    errors: [],
    summary: 'Enter a device code',
  }),
  approveDevice: endpoint({
    method: 'POST',
    outside: 'sign-in',
    path: '/device',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: {
      media: [form],
      schema: z.strictObject({
        user_code: z.string().max(40),
        decision: z.enum(['allow', 'deny']),
        nonce: z.string().max(LIMITS.publicField),
      }),
    },
    permission: 'public',
    credentials: 'session',
    answers: { 200: { description: 'a page that confirms the choice', media: ['text/html'] } },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'BODY_INVALID'],
    tag: 'Sign-in',
    summary: 'Allow or deny a device',
  }),
} as const;
