import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import type { HostedAnswer } from './fetch-hosted.ts';
import type { Credential } from './credential.ts';

/** What was requested, for the message of a refusal. */
export interface About {
  readonly org: string;
  readonly site?: string;
  readonly profile?: string;
  readonly credential?: Credential | undefined;
}

/** Seconds to wait after `429` if the hosted service does not say. */
const RETRY_AFTER = 30;

/** Maps a refusal of the hosted service to a code of the contract. Its message is in the header `x-error`; its bodies are empty. */
/** Another attempt may succeed: nothing is known about what was to be read. */
export const TEMPORARY: readonly string[] = ['HOSTED_UNREACHABLE', 'RATE_LIMITED', 'OVERLOADED'];

export function refusalOf(answer: HostedAnswer, about: About): Refusal {
  const reason = saidBy(answer);
  const id = answer.headers['x-invocation-id'];
  // The vendor's support finds the request by it.
  const support = id === undefined ? '' : ` (x-invocation-id ${id})`;
  switch (answer.status) {
    case 401:
      return new Refusal('NOT_AUTHENTICATED', 'not authenticated', { detail: notAuthenticated(about.credential) });
    case 403:
      return forbidden(reason, about, support);
    case 404:
      return missingDocument(about);
    case 409:
    case 400:
      return invalid(reason, support);
    case 413:
      return new Refusal('BODY_TOO_LARGE', 'The hosted service does not accept a document of this size.');
    case 429:
      return new Refusal('RATE_LIMITED', 'The hosted service accepts no more requests for now. Try again later.', {
        retryAfter: Number(answer.headers['retry-after'] ?? RETRY_AFTER) || RETRY_AFTER,
      });
    default:
      return new Refusal('HOSTED_UNREACHABLE', `The hosted service answered ${answer.status}${reason === '' ? '' : `: ${reason}`}.`, {
        data: { says: `${reason === '' ? String(answer.status) : reason}${support}` },
      });
  }
}

/** Explains that the hosted service does not have a call. It signs people in itself, and gives its token to no intermediary. */
export function notOffered(id: string, { summary, method, path }: Pick<Endpoint, 'summary' | 'method' | 'path'>, service: string): Refusal {
  const sentence =
    id in sessionEndpoints
      ? `Sign-ins begin and end at the hosted service itself, ${service}. Send its token, or an API key, in the header "x-auth-token"; "repoless login" gets one.`
      : `The hosted service has nothing for “${summary}” (${method} ${path}).`;
  return new Refusal('NOT_OFFERED', sentence);
}

/** The hosted service's message without the name of the component. */
export function saidBy({ headers }: HostedAnswer): string {
  return (headers['x-error'] ?? '').replace(/^\[(?:admin|AWS|Fastly)\]\s*/i, '').trim();
}

/** The refusal of a document that does not exist. */
export function missingDocument({ org, site, profile }: About): Refusal {
  if (profile !== undefined)
    return new Refusal('PROFILE_NOT_FOUND', `The profile "${org}/${profile}" does not exist.`, { data: { org, profile } });
  if (site !== undefined) return new Refusal('SITE_NOT_FOUND', `The site "${org}/${site}" does not exist.`, { data: { org, site } });
  return new Refusal('ORG_NOT_FOUND', `The organization "${org}" does not exist, or you have no role in it.`, { data: { org } });
}

function notAuthenticated(credential: Credential | undefined): string {
  if (credential === undefined) return 'Sign in to the hosted service.';
  switch (credential.kind) {
    case 'ims':
      return 'The hosted service does not accept this token of the authoring system, or it has expired. Sign in to the hosted service itself.';
    case 'api-key':
      return 'The hosted service does not accept this API key. It has expired, was removed, or is not registered in access.admin.apiKeyId of the site.';
    case 'site-token':
      return 'This is a site token: it opens preview and live hosts, not the configuration. Sign in, or use an API key.';
    case 'session':
    case 'unknown':
      return 'The sign-in to the hosted service has ended. Sign in again.';
    default:
      return String(credential.kind satisfies never);
  }
}

/** Its 403 has five causes and names none, so the message lists each with its remedy. */
function forbidden(reason: string, { credential }: About, support: string): Refusal {
  if (/primary site|canonical source|not allowed while/i.test(reason)) return refused(reason, support);
  if (/updating config: not authorized/i.test(reason))
    return new Refusal('NOT_AUTHORIZED', 'not authorized', {
      detail: 'Only the role admin changes access, users and API keys; config_admin does not.',
      data: { reason: 'access' },
    });
  if (credential?.kind === 'api-key')
    return new Refusal('NOT_AUTHORIZED', 'not authorized', {
      detail:
        'The API key does not allow this, or it was revoked. The roles of an API key, and the organization or site that it is for, can’t be changed: ask an administrator for another key.',
    });
  const extension =
    credential?.isOfExtension === true
      ? ' This token was issued to a browser extension, which may be the reason: sign in with "repoless login".'
      : '';
  return new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `Your role does not allow this, or the sign-in is stale: sign in again once, then ask an administrator of the site. Roles of an organization that was just set up take about two minutes.${extension}`,
  });
}

function refused(reason: string, support: string): Refusal {
  return new Refusal('HOSTED_REFUSED', `The hosted service refuses this: ${reason}.`, { data: { says: `${reason}${support}` } });
}

/** Its messages about a document are `data/headers/~1** /0 must …`, joined by `; `. */
function invalid(reason: string, support: string): Refusal {
  const text = reason.replace(/^Error \w+ config:\s*/i, '');
  if (!/^data[/ ]/.test(text)) return refused(text === '' ? 'the request is not valid' : text, support);
  const errors = text.split('; ').flatMap((one): FieldError[] => {
    const match = /^data(\/\S*)?\s+(.*)$/s.exec(one);
    return match === null ? [] : [{ pointer: match[1] ?? '', detail: `The hosted service says: ${match[2] ?? ''}.` }];
  });
  const [first] = errors;
  const at = first === undefined || first.pointer === '' ? '' : ` at ${first.pointer}`;
  return new Refusal('BODY_INVALID', `The configuration is not valid${at}: ${first?.detail ?? text}`, { errors });
}

/** The hosted service's pointers into one part, made relative to that part. */
export function below(errors: readonly FieldError[], part: string): FieldError[] {
  const above = jsonPointer(part.split('/'));
  return errors.map((error) => ({
    ...error,
    pointer: error.pointer.startsWith(above) ? error.pointer.slice(above.length) : error.pointer,
  }));
}
