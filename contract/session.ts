import { z } from 'zod';
import { RoleName } from './access.ts';
import { LIMITS } from './limits.ts';

/** The owner of a token: the claims that the service puts in its own tokens. Times are seconds since 1970. */
export const Profile = z.object({
  /** `api-key:<id>` where the token is an API key. */
  email: z.string(),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  user_id: z.string().optional(),
  iss: z.string(),
  iat: z.number().int(),
  exp: z.number().int(),
  /** Seconds that the token still lives. */
  ttl: z.number().int(),
  /** What an API key is good for: `<org>/<site>`, or `<org>/*`. */
  apiKey: z.object({ id: z.string(), subject: z.string(), roles: z.array(RoleName) }).optional(),
});
export type Profile = z.infer<typeof Profile>;

/** What anybody may send. */
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

/** Everything optional: what is missing or wrong is answered in the form of RFC 8628, not as a problem document. */
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

/** What the sign-in page hands to the window that opened it, by `postMessage`. */
export const SignInMessage = z.object({
  type: z.literal('repoless-sign-in'),
  token: z.string(),
  exp: z.number().int(),
  authoringToken: z.string().optional(),
});
export type SignInMessage = z.infer<typeof SignInMessage>;

/** What it sends to a browser extension, in the form that the public service's has. Ends are in milliseconds. */
export const ExtensionMessage = z.object({
  action: z.literal('updateAuthToken'),
  authToken: z.string(),
  exp: z.number().int(),
  /** For the guarded hosts of the site, where the person may read one. */
  siteToken: z.string().optional(),
  siteTokenExpiry: z.number().int().optional(),
  org: z.string().optional(),
  site: z.string().optional(),
  owner: z.string().optional(),
  repo: z.string().optional(),
});
export type ExtensionMessage = z.infer<typeof ExtensionMessage>;

/** What it posts to a command line on the person's own machine, in the form that the public service has. */
export const CommandLineMessage = z.object({ state: z.string().optional(), siteToken: z.string().optional(), authToken: z.string() });
export type CommandLineMessage = z.infer<typeof CommandLineMessage>;

export const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })) });
