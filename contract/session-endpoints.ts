import { z } from 'zod';
import { endpoint, NO_PARAMS, NO_QUERY } from './endpoint.ts';
import {
  DeviceAuthorization,
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
import { Ref } from './names.ts';

const page = ['text/html', 'application/json'] as const;
const form = 'application/x-www-form-urlencoded' as const;
/** `?origin=` names the extension origin that shall be handed the token by postMessage; only an allowed one is. */
const LoginQuery = z.object({ origin: z.url().optional(), returnTo: z.string().startsWith('/').max(2000).optional() });
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
  login: endpoint({ ...login, path: '/login', params: NO_PARAMS, rule: 'call 8' }),
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
    answers: {
      200: { description: 'who is signed in; the cookie is renewed', media: page, schema: ProfileAnswer },
      401: { description: 'nobody is', media: page, schema: ProfileRefused },
    },
    errors: [],
    tag: 'Sign-in',
    summary: 'Who is signed in',
    rule: 'call 9',
  }),
  logout: endpoint({
    method: 'GET',
    path: '/logout',
    params: NO_PARAMS,
    query: NO_QUERY,
    permission: 'public',
    answers: { 302: { description: 'to /profile; cookie cleared, token revoked' } },
    errors: [],
    tag: 'Sign-in',
    summary: 'Sign out',
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
    path: '/auth/exchange',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { media: ['application/json'], schema: ExchangeInput },
    permission: 'public',
    answers: { 200: { description: 'a token of the service', media: ['application/json'], schema: SessionToken } },
    errors: ['BODY_UNPARSABLE', 'BODY_INVALID', 'CONTENT_TYPE_UNSUPPORTED', 'TOKEN_REFUSED', 'IDENTITY_PROVIDER_UNREACHABLE'],
    tag: 'Sign-in',
    summary: 'Exchange the sign-in of a trusted issuer',
  }),
  authorizeDevice: endpoint({
    method: 'POST',
    path: '/auth/device',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: {
      media: [form, 'application/json'],
      schema: z.object({ client_id: z.string().optional(), scope: z.string().optional() }),
      optional: true,
    },
    permission: 'public',
    answers: {
      200: { description: 'codes and the address where the user enters theirs', media: ['application/json'], schema: DeviceAuthorization },
    },
    errors: [],
    tag: 'Sign-in',
    summary: 'Begin a device authorization (RFC 8628)',
  }),
  deviceToken: endpoint({
    method: 'POST',
    path: '/auth/device/token',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { media: [form, 'application/json'], schema: DeviceTokenInput },
    permission: 'public',
    answers: {
      200: { description: 'a token of the service', media: ['application/json'], schema: DeviceToken },
      400: { description: 'not yet, or not any more', media: ['application/json'], schema: DeviceTokenRefused },
    },
    errors: [],
    tag: 'Sign-in',
    summary: 'Ask for the token of a device authorization (RFC 8628)',
  }),
  devicePage: endpoint({
    method: 'GET',
    path: '/device',
    params: NO_PARAMS,
    query: z.object({ user_code: z.string().max(40).optional() }),
    permission: 'public',
    answers: {
      200: { description: 'the page where the user enters the code', media: ['text/html'] },
      302: { description: 'to sign in first' },
    },
    errors: [],
    tag: 'Sign-in',
    summary: 'Enter a device code',
  }),
  approveDevice: endpoint({
    method: 'POST',
    path: '/device',
    params: NO_PARAMS,
    query: NO_QUERY,
    body: { media: [form], schema: z.object({ user_code: z.string(), decision: z.enum(['allow', 'deny']), nonce: z.string() }) },
    permission: 'public',
    answers: { 200: { description: 'a page that says what was decided', media: ['text/html'] } },
    errors: ['NOT_AUTHENTICATED', 'NOT_AUTHORIZED', 'BODY_INVALID'],
    tag: 'Sign-in',
    summary: 'Allow or deny a device',
  }),
} as const;
