import { authoringEndpoints } from '#contract/authoring-endpoints.ts';
import { AUTHORING_TOKEN_HEADER } from '#contract/authoring.ts';
import { Problem } from '#contract/errors.ts';
import type { Failure } from '#extension/setup/situation.ts';
import { printAddress } from './address.ts';
import type { Client } from './client.ts';
import { parseJson, refusal } from './exchange.ts';
import type { Exchanged, Received } from './exchange.ts';

export interface RelayOptions {
  readonly client: Client;
  /** Scheme and host of the author. */
  readonly author: string;
  /** The person's own token of the authoring system. */
  readonly authoringToken: () => Promise<string | undefined>;
  /** Called when the authoring system does not accept that token; another one lets the call be made once more. */
  readonly renewAuthoringToken?: (refused: string | undefined) => Promise<string | undefined>;
}

/** What the authoring system answered, or why no answer of it came. */
export type Relayed = { readonly ok: true; readonly received: Received } | { readonly ok: false; readonly failure: Failure };

export interface Relay {
  readonly author: string;
  /** `path` as the authoring system writes it, e.g. `/content/wknd/jcr:content.json`. */
  read(path: string): Promise<Relayed>;
  write(path: string, fields: readonly (readonly [string, string])[]): Promise<Relayed>;
}

/** The authoring system through the service's relay, with the person's own token. */
export function createRelay({ client, author, authoringToken, renewAuthoringToken }: RelayOptions): Relay {
  const { host } = new URL(author);
  const once = (method: 'GET' | 'POST', path: string, body: string | undefined, token: string | undefined) =>
    client.request({
      method,
      path: printAddress(authoringEndpoints.readAuthoring.path, { host, path: path.replaceAll('jcr:content', '_jcr_content') }),
      headers: {
        ...(token === undefined ? {} : { [AUTHORING_TOKEN_HEADER]: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
  const send = async (method: 'GET' | 'POST', path: string, body?: string) => {
    const token = await authoringToken();
    const answer = await once(method, path, body, token);
    if (!isAuthoringRefused(answer) || renewAuthoringToken === undefined) return relayed(answer);
    const renewed = await renewAuthoringToken(token);
    return relayed(renewed === undefined ? answer : await once(method, path, body, renewed));
  };
  return {
    author,
    read: (path) => send('GET', path),
    write: (path, fields) => send('POST', path, new URLSearchParams(fields.map(([name, value]) => [name, value])).toString()),
  };
}

/** Refused by the authoring system itself, before it did anything. */
function isAuthoringRefused(answer: Exchanged): boolean {
  return answer.ok && answer.received.status === 401 && answer.received.headers.get('x-relayed') !== null;
}

/** The relay's own errors are problem documents; everything else is the authoring system's answer. */
function relayed(answer: Exchanged): Relayed {
  if (!answer.ok) return answer;
  const { received } = answer;
  const own = received.headers.get('x-relayed') === null && Problem.safeParse(parseJson(received.text)).success;
  return own ? { ok: false, failure: refusal(received) } : answer;
}
