import { AUTHORING_TOKEN_HEADER, authoringEndpoints } from '@repoless/contract/authoring.ts';
import { Problem } from '@repoless/contract/errors.ts';
import type { Failure } from '../situation/call.ts';
import { type Client, printAddress } from './client.ts';
import { type Exchanged, parseJson, type Received, refusal } from './exchange.ts';

export interface AuthoringProxyOptions {
  readonly client: Client;
  /** Scheme and host of the author. */
  readonly author: string;
  /** The person's own token of the authoring system. */
  readonly authoringToken: () => Promise<string | undefined>;
  /** Called when the authoring system rejects that token; the call is repeated once with the new one. */
  readonly renewAuthoringToken?: (refused: string | undefined) => Promise<string | undefined>;
}

/** The authoring system's answer, or why there is none. */
export type Proxied = { readonly ok: true; readonly received: Received } | { readonly ok: false; readonly failure: Failure };

export interface AuthoringProxy {
  readonly author: string;
  /** `path` in the authoring system's form, e.g. `/content/wknd/jcr:content.json`. */
  read(path: string, query?: Readonly<Record<string, string>>): Promise<Proxied>;
  write(path: string, fields: readonly (readonly [string, string])[]): Promise<Proxied>;
}

/** The authoring system through the service’s authoring proxy, with the person's own token. */
export function createAuthoringProxy({ client, author, authoringToken, renewAuthoringToken }: AuthoringProxyOptions): AuthoringProxy {
  const { host } = new URL(author);
  const once = ({ method, path, query, body }: Sending, token: string | undefined) =>
    client.request({
      method,
      path: printAddress(authoringEndpoints.readAuthoring.path, { host, path: path.replaceAll('jcr:content', '_jcr_content') }, query),
      headers: {
        ...(token === undefined ? {} : { [AUTHORING_TOKEN_HEADER]: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
  const send = async (sending: Sending) => {
    const token = await authoringToken();
    const answer = await once(sending, token);
    if (!isAuthoringRefused(answer) || renewAuthoringToken === undefined) return proxied(answer);
    const renewed = await renewAuthoringToken(token);
    return proxied(renewed === undefined ? answer : await once(sending, renewed));
  };
  return {
    author,
    read: (path, query) => send({ method: 'GET', path, query }),
    write: (path, fields) =>
      send({ method: 'POST', path, body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString() }),
  };
}

interface Sending {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: string;
}

/** Refused by the authoring system itself, so nothing was changed. */
function isAuthoringRefused(answer: Exchanged): boolean {
  return answer.ok && answer.received.status === 401 && answer.received.headers.get('x-relayed') !== null;
}

/** The authoring proxy's own errors are problem documents; everything else is the authoring system's answer. */
function proxied(answer: Exchanged): Proxied {
  if (!answer.ok) return answer;
  const { received } = answer;
  const own = received.headers.get('x-relayed') === null && Problem.safeParse(parseJson(received.text)).success;
  return own ? { ok: false, failure: refusal(received) } : answer;
}

/** Reads a preview or live host that pages cannot read, through the service in front of the hosted one. */
export async function readThroughService(client: Client, address: string): Promise<Proxied> {
  const { host, pathname } = new URL(address);
  return proxied(
    await client.request({ method: 'GET', path: printAddress(authoringEndpoints.readAuthoring.path, { host, path: `at${pathname}` }) }),
  );
}
