import { createDryRuns } from '@repoless/core/api/dry-run.ts';
import type { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { ServiceRequest } from '@repoless/core/api/client.ts';
import { parseJson, refusal } from '@repoless/core/api/exchange.ts';
import { isObject } from '@repoless/core/history/json-values.ts';
import { createPace } from '@repoless/core/run/retry.ts';
import { failureOf, type Known } from '@repoless/core/situation/call.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { SITE_YAML_NAMES, type SiteYamlName } from '@repoless/contract/site-parts.ts';
import { type CliContext, CommandFailure } from '../cli-context.ts';
import type { Connection } from '../connect.ts';
import { failureLine } from '../explain.ts';
import type { Document } from './carried-document.ts';

/** A document stored in a service; `warnings`: the service's remarks about it. */
export interface Stored {
  readonly document: Document;
  readonly etag: string;
  readonly warnings: readonly string[];
}

/** The documents of an organization in one service, read without a schema: one service may store what another does not allow. */
export interface DocumentService {
  /** Whether it is the vendor's, with or without a service of our own in front of it. */
  readonly isHosted: boolean;
  /** Throws CommandFailure if it cannot be read. */
  names(list: 'sites' | 'profiles'): Promise<readonly string[]>;
  /** Takes the path below the organization, e.g. `/sites/de`; empty: the organization itself. */
  read(path: string): Promise<Known<Stored>>;
  /** Any list of a document, e.g. `/sites/de/secrets.json`. */
  list(path: string): Promise<Known<unknown>>;
  tried(request: Written): Promise<Known<DryRun>>;
  /** Continues when the command is stopped. Returns warnings. */
  written(request: Written): Promise<Known<string>>;
}

/** A write below an organization. `etag`: the version that it replaces; null: it must not exist; absent: any. */
export interface Written {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: unknown;
  readonly etag?: string | null;
}

export async function openDocuments(context: CliContext, connection: Connection, organization: string): Promise<DocumentService> {
  const { client } = connection;
  const { service, wait, now } = connection.ports(connection.service);
  const pace = createPace({ wait, now }, context.signal);
  const dryRuns = createDryRuns(client);
  const withRetry = <T>(work: () => Promise<Known<T>>, how?: 'to-the-end') => pace.call(work, () => undefined, how);
  const info = await withRetry(() => service.info());
  if (info.state !== 'known') throw new CommandFailure(failureLine(failureOf(info)));
  dryRuns.announced(info.value.features);
  const isHosted = info.value.hosted !== undefined;
  const address = `/config/${encodeURIComponent(organization)}`;

  const get = async (path: string): Promise<Known<{ readonly text: string; readonly headers: Headers }>> =>
    await withRetry(async () => {
      const answer = await client.request({ method: 'GET', path: `${address}${path}` });
      if (!answer.ok) return { state: 'failed', failure: answer.failure };
      const { received } = answer;
      if (received.status === 200) return { state: 'known', value: received };
      const failure = refusal(received);
      return failure.status === 404 ? { state: 'missing' } : { state: 'failed', failure };
    });
  const requestOf = ({ method, path, body, etag }: Written): ServiceRequest => ({
    method,
    path: `${address}${path}`,
    headers: {
      'content-type': typeof body === 'string' ? 'text/yaml' : 'application/json',
      ...(etag === undefined ? {} : etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  /** Our own service has them in the document. */
  const textsOf = async (path: string): Promise<Known<Document>> => {
    const texts: [SiteYamlName, { readonly yaml: string }][] = [];
    for (const name of path.startsWith('/sites/') && isHosted ? SITE_YAML_NAMES : []) {
      const answer = await get(`${path}/content/${name}.yaml`);
      if (answer.state === 'failed') return answer;
      if (answer.state === 'known') texts.push([name, { yaml: answer.value.text }]);
    }
    return { state: 'known', value: Object.fromEntries(texts) };
  };
  return {
    isHosted,
    async names(list) {
      const all: string[] = [];
      for (;;) {
        const after = all.at(-1);
        const page = list === 'sites' ? `?limit=${PAGE}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}` : '';
        const path = `/${list}.json`;
        const answer = await get(`${path}${page}`);
        if (answer.state !== 'known')
          throw new CommandFailure(messages.transfer.unread(`${address}${path}`, failureLine(failureOf(answer))));
        const found = namesIn(parseJson(answer.value.text), list);
        all.push(...found);
        if (list === 'profiles' || found.length < PAGE) return all;
      }
    },
    async read(path) {
      const answer = await get(`${path}.json`);
      if (answer.state !== 'known') return answer;
      const { text, headers } = answer.value;
      const document = parseJson(text);
      if (!isObject(document)) return { state: 'failed', failure: { kind: 'unexpected', status: 200 } };
      const texts = await textsOf(path);
      if (texts.state !== 'known') return texts;
      const warning = headers.get('x-warning');
      return {
        state: 'known',
        value: {
          document: { ...document, ...texts.value },
          etag: headers.get('etag') ?? '',
          warnings: warning === null ? [] : [warning],
        },
      };
    },
    async list(path) {
      const answer = await get(path);
      return answer.state === 'known' ? { state: 'known', value: parseJson(answer.value.text) } : answer;
    },
    tried: (request) => withRetry(() => dryRuns.of(requestOf(request))),
    written: (request) =>
      withRetry(async () => {
        const answer = await client.request(requestOf(request));
        if (!answer.ok) return { state: 'failed', failure: answer.failure };
        const { received } = answer;
        if (received.status < 200 || received.status > 299) return { state: 'failed', failure: refusal(received) };
        return { state: 'known', value: received.headers.get('x-warning') ?? '' };
      }, 'to-the-end'),
  };
}

/** The most sites that a service lists at once. */
const PAGE = 1000;

function namesIn(answer: unknown, list: string): string[] {
  const items: unknown = isObject(answer) ? answer[list] : undefined;
  return Array.isArray(items)
    ? items.flatMap((item: unknown) => (isObject(item) && typeof item['name'] === 'string' ? [item['name']] : []))
    : [];
}
