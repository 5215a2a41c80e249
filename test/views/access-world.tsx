import { type Client, createClient } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import type { HistorySubject } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { AccessPanel } from '@repoless/extension/features/access/AccessPanel.tsx';
import { ask } from '../support/ask.ts';
import { InShell } from './in-shell.tsx';
import { renderInSurface } from './in-surface.tsx';

export const ADA = 'ada.admin@example.com';
export const BEN = 'ben.builder@example.com';
export const ACCOUNT = 'p100-e200@techacct.example.com';
export const OTHER_ACCOUNT = 'p100-e300@techacct.example.com';

/** The service as the extension calls it, with a token, over the real network. */
export function servicePort(address: string, token: string): ServicePort {
  return createServicePort(clientOf(address, token));
}

/** Resolves when a request may be sent, or rejects if it is lost. */
type Gate = (method: string, path: string, isDryRun: boolean) => Promise<void>;
/** Called after the service has answered a request. Returns another answer to deliver; undefined delivers the real one; rejecting loses it. */
type Return = (method: string, path: string, isDryRun: boolean) => Promise<Response | undefined>;

const OPEN = async () => undefined;

/** The client of the service, with a token, over the real network. */
export function clientOf(address: string, token: string, gate: Gate = OPEN, back: Return = OPEN): Client {
  const fetcher: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const request = [init.method ?? 'GET', url.pathname, url.searchParams.has('dryRun')] as const;
    await gate(...request);
    const answer = await ask(url.origin, `${url.pathname}${url.search}`, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { body: init.body } : {}),
    });
    const instead = await back(...request);
    if (instead !== undefined) return instead;
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    return new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers });
  };
  return createClient({ service: address, token: async () => token, fetch: fetcher });
}

interface Shown {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly environment?: Environment;
  readonly locale?: string;
}

export function showAccess({ service, subject, environment, locale = 'en-US' }: Shown) {
  const calls = { changed: 0 };
  history.replaceState(null, '', '#/page-properties');
  const { person } = renderInSurface(
    <InShell>
      {(onUnsaved) => (
        <AccessPanel
          service={service}
          subject={subject}
          environment={environment === undefined ? undefined : async () => ({ state: 'known', value: environment })}
          onUnsaved={onUnsaved}
          onChanged={() => calls.changed++}
        />
      )}
    </InShell>,
    { locale },
  );
  return { person, calls };
}
