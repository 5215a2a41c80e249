import { VersionEntry, VersionList } from '@repoless/contract/history.ts';
import { ProfileList } from '@repoless/contract/site.ts';
import { z } from 'zod';
import { type HistoryPort, type HistorySubject, newestFirst, type Restoring, subjectPath } from '../history/history-port.ts';
import type { Known } from '../situation/call.ts';
import type { Client, ServiceRequest } from './client.ts';
import type { DryRuns } from './dry-run.ts';
import { parseJson, type Received, refusal } from './exchange.ts';

/** Sites, profiles and organizations have their history at the same path below their address; their data is not parsed. */
const StoredDocument = z.record(z.string(), z.json());
const VersionData = VersionEntry.extend({ data: StoredDocument.nullable() });

export function createHistoryPort(client: Client, dryRun: Pick<DryRuns, 'of'>): HistoryPort {
  const versionPath = (subject: HistorySubject, version: number) => `${subjectPath(subject)}/versions/${version}.json`;
  return {
    profiles: (organization) =>
      call(client, { method: 'GET', path: `${subjectPath({ kind: 'organization', organization })}/profiles.json` }, (received) =>
        reading(ProfileList)(received)?.profiles.map(({ name }) => name),
      ),
    versions: (subject) =>
      call(client, { method: 'GET', path: `${subjectPath(subject)}/versions.json` }, (received) => {
        const list = reading(VersionList)(received);
        return list === undefined ? undefined : newestFirst(list);
      }),
    version: (subject, version) => call(client, { method: 'GET', path: versionPath(subject, version) }, reading(VersionData)),
    current: (subject) =>
      call(client, { method: 'GET', path: `${subjectPath(subject)}.json` }, (received) => {
        const data = reading(StoredDocument)(received);
        return data === undefined ? undefined : { data, etag: received.headers.get('etag') ?? '' };
      }),
    dryRun: (subject, restoring) => dryRun.of(restoreRequest(subject, restoring)),
    restore: (subject, restoring) => call(client, restoreRequest(subject, restoring), anything),
    name: (subject, version, name) => {
      const headers = { 'content-type': 'application/json' };
      return call(client, { method: 'POST', path: versionPath(subject, version), headers, body: JSON.stringify({ name }) }, anything);
    },
    remove: (subject, version) => call(client, { method: 'DELETE', path: versionPath(subject, version) }, anything),
  };
}

/** A document replaces the complete stored one that was previewed. */
function restoreRequest(subject: HistorySubject, { version, document, etag, confirm }: Restoring): ServiceRequest {
  const query = new URLSearchParams(document === undefined ? { restoreVersion: String(version) } : {});
  if (confirm) query.set('confirm', 'true');
  const path = `${subjectPath(subject)}.json${query.size === 0 ? '' : `?${query.toString()}`}`;
  const precondition = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag };
  if (document === undefined) return { method: 'POST', path, headers: precondition };
  return { method: 'PUT', path, headers: { ...precondition, 'content-type': 'application/json' }, body: JSON.stringify(document) };
}

async function call<T>(client: Client, request: ServiceRequest, read: (received: Received) => T | undefined): Promise<Known<T>> {
  const answer = await client.request(request);
  if (!answer.ok) return { state: 'failed', failure: answer.failure };
  const { received } = answer;
  if (received.status < 200 || received.status > 299) {
    const failure = refusal(received);
    const isMissing = failure.status === 404 && request.method === 'GET' && failure.problem?.code !== 'ORG_NOT_FOUND';
    return isMissing ? { state: 'missing' } : { state: 'failed', failure };
  }
  const value = read(received);
  return value === undefined ? { state: 'failed', failure: { kind: 'unexpected', status: received.status } } : { state: 'known', value };
}

function reading<T>(schema: z.ZodType<T>): (received: Received) => T | undefined {
  return ({ text }) => schema.safeParse(parseJson(text)).data;
}

function anything({ text }: Received): unknown {
  return parseJson(text) ?? null;
}
