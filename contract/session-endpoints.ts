import { z } from 'zod';
import { endpoint, FLAG, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import {
  DeviceAuthorization,
  DeviceAuthorizationInput,
  DeviceToken,
  DeviceTokenInput,
  DeviceTokenRefused,
  ExchangeInput,
  KeySet,
  LoginLinks,
  ProfileAnswer,
  ProfileRefused,
  SessionToken,
} from './session.ts';
import { SiteParams } from './site-endpoints.ts';
import { OrgName, Ref, SiteName } from './names.ts';

const page = ['text/html', 'application/json'] as const;
const form = 'application/x-www-form-urlencoded' as const;
/**
 * `?origin=` names the extension origin that gets the token by postMessage; only an allowed one does. `?extensionId=` is the same for a browser
 * extension, which also gets the site that the address or the query names. `?client_id=` and its two companions are those of a command line on the
 * person's own machine.
 */
const LoginQuery = z.object({
  origin: z.url().max(LIMITS.publicField).optional(),
  returnTo: z.string().startsWith('/').max(LIMITS.publicField).optional(),
  extensionId: z.string().max(LIMITS.publicField).optional(),
  client_id: z.string().max(LIMITS.publicField).optional(),
  redirect_uri: z.string().max(LIMITS.publicField).optional(),
  state: z.string().max(LIMITS.publicField).optional(),
  /** The identity provider asks which account it shall be. */
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

export const sessionEndpoints = {
  login: endpoint({ ...login, path: '/login', params: NO_PARAMS, call: 8 }),
  loginSite: endpoint({ ...login, path: '/login/{org}/{site}/{ref}', params: SiteParams.extend({ ref: Ref }) }),
  acknowledge: endpoint({
    method: 'GET',
    path: '/auth/{idp}/ack',
    params: z.object({ idp: z.string() }),
    query: z.looseObject({}),
    permission: 'public',
    answers: { 200: { description: 'signed in; the page goes on to /profile or hands the token to its opener', media: ['text/html'] } },
    errors: ['NOT_AUTHENTICATED', 'IDENTITY_PROVIDER_UNREACHABLE'],
    tag: 'Sign-in',
    summary: 'The answer of the identity provider',
  }),
  profile: endpoint({
    method: 'GET',
    path: '/profile',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    credentials: 'session',
    answers: {
      200: { description: 'who is signed in; the cookie is renewed', media: page, schema: ProfileAnswer },
      401: { description: 'nobody is', media: page, schema: ProfileRefused },
    },
    errors: [],
    tag: 'Sign-in',
    summary: 'Who is signed in',
    call: 9,
  }),
  logout: endpoint({
    method: 'GET',
    path: '/logout',
    params: NO_PARAMS,
    /** Every session of the person ends, not this one alone. */
    query: z.object({ everywhere: FLAG.optional() }),
    permission: 'public',
    credentials: 'session',
    answers: {
      302: { description: 'to /profile; cookie cleared, token revoked; with ?everywhere=true every session of the person ended' },
    },
    errors: ['NOT_AUTHENTICATED', 'STORAGE_FULL'],
    tag: 'Sign-in',
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
    method: 'GET',
    path: '/auth/discovery/keys',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 200: { description: 'the keys that sign tokens', media: ['application/json'], schema: KeySet } },
    errors: [],
    tag: 'Sign-in',
    summary: 'JSON Web Key Set of the service',
  }),
  exchangeToken: endpoint({
    method: 'POST',
    outside: 'sign-in',
    path: '/auth/exchange',
    params: NO_PARAMS,
    query: NO_QUERY,
    // An issuer's token may be long; it is not stored.
    body: { media: ['application/json'], schema: ExchangeInput, limit: LIMITS.exchangeBody },
    permission: 'public',
    answers: { 200: { description: 'a token of the service', media: ['application/json'], schema: SessionToken } },
    errors: ['BODY_UNPARSABLE', 'BODY_INVALID', 'CONTENT_TYPE_UNSUPPORTED', 'TOKEN_REFUSED', 'IDENTITY_PROVIDER_UNREACHABLE'],
    tag: 'Sign-in',
    summary: 'Exchange the sign-in of a trusted issuer',
  }),
  authorizeDevice: endpoint({
    method: 'POST',
    outside: 'sign-in',
    path: '/auth/device',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: {
      media: [form, 'application/json'],
      schema: DeviceAuthorizationInput,
      optional: true,
      ignoresOtherFields: true,
    },
    permission: 'public',
    answers: {
      200: { description: 'codes and the address where the user enters theirs', media: ['application/json'], schema: DeviceAuthorization },
    },
    errors: ['NOT_AUTHORIZED'],
    tag: 'Sign-in',
    summary: 'Start a device authorization (RFC 8628)',
  }),
  deviceToken: endpoint({
    method: 'POST',
    outside: 'sign-in',
    path: '/auth/device/token',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { media: [form, 'application/json'], schema: DeviceTokenInput, ignoresOtherFields: true },
    permission: 'public',
    answers: {
      200: { description: 'a token of the service', media: ['application/json'], schema: DeviceToken },
      400: { description: 'not yet, or no longer', media: ['application/json'], schema: DeviceTokenRefused },
    },
    errors: ['NOT_AUTHORIZED'],
    tag: 'Sign-in',
    summary: 'Request the token of a device authorization (RFC 8628)',
  }),
  devicePage: endpoint({
    method: 'GET',
    path: '/device',
    params: NO_PARAMS,
    query: z.object({ user_code: z.string().max(40).optional() }),
    permission: 'public',
    answers: {
      200: { description: 'the page where the user enters the code', media: ['text/html'] },
      302: { description: 'redirects to the sign-in first' },
    },
    errors: [],
    tag: 'Sign-in',
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
