import { z } from 'zod';
import { PublicConfig } from '@repoless/contract/site.ts';
import type { HostsPort } from '../situation/ports.ts';
import type { ConfigProbe, FileProbe, PageProbe } from '../situation/situation.ts';
import type { AuthoringProxy } from './authoring-proxy.ts';
import { exchange, type Exchanged, parseJson, refusal } from './exchange.ts';

export interface HostsPortOptions {
  /** The delivery address is on the author, which a browser cannot call directly. */
  readonly proxy: AuthoringProxy;
  /** The caller's token: the service's own hosts admit readers of a guarded site by it. */
  readonly token?: () => Promise<string | undefined>;
  /** Reads a host that pages cannot read. Undefined: every host is called directly. */
  readonly relayed?: (address: string) => Promise<Exchanged> | undefined;
  readonly fetch?: typeof fetch;
}

const ConfigAnswer = z.object({ public: PublicConfig });

/** The preview and live hosts, called anonymously; a guarded host of the service also as the caller. */
export function createHostsPort({ proxy, token, ...options }: HostsPortOptions): HostsPort {
  const fetcher = options.fetch ?? ((input, init) => fetch(input, init));
  const request = (method: 'GET' | 'HEAD', address: string) =>
    options.relayed?.(address) ?? exchange(fetcher, address, { method, cache: 'no-store', credentials: 'omit', redirect: 'follow' });
  const asCaller = async (method: 'GET' | 'HEAD', address: string): Promise<Exchanged> => {
    const open = await request(method, address);
    if (!open.ok || (open.received.status !== 401 && open.received.status !== 403)) return open;
    const value = await token?.();
    if (value === undefined) return open;
    const headers = { 'x-auth-token': value };
    const own = await exchange(fetcher, address, { method, headers, cache: 'no-store', credentials: 'omit', redirect: 'manual' });
    return own.ok && own.received.status < 400 ? own : open;
  };
  return {
    page: async (address) => pageProbe(address, await asCaller('GET', address)),
    config: async (address) => configProbe(address, await request('GET', address)),
    file: async (address, path, how) =>
      fileProbe(`${address}${path}`, path, await (how === 'as-caller' ? asCaller : request)('HEAD', `${address}${path}`)),
    delivery: async (address) => {
      const path = new URL(address).pathname;
      return fileProbe(address, path, await proxy.read(path));
    },
  };
}

function configProbe(address: string, answer: Exchanged): ConfigProbe {
  if (!answer.ok) return { address, answer: { state: 'failed', failure: { ...answer.failure, system: 'host' } } };
  const { status, text } = answer.received;
  if (status === 404) return { address, status, answer: { state: 'missing' } };
  if (status === 401 || status === 403) {
    const finding = { kind: 'blocked', reason: 'host-guarded', data: { address } } as const;
    return { address, status, answer: { state: 'failed', failure: { kind: 'refused', status, system: 'host', finding } } };
  }
  if (status !== 200) return { address, status, answer: { state: 'failed', failure: { ...refusal(answer.received), system: 'host' } } };
  const parsed = ConfigAnswer.safeParse(parseJson(text));
  if (parsed.success) return { address, status, answer: { state: 'known', value: parsed.data.public } };
  const failure = { kind: 'unexpected', status, finding: { kind: 'unread', from: 'host', about: address } } as const;
  return { address, status, answer: { state: 'failed', failure } };
}

function pageProbe(address: string, answer: Exchanged): PageProbe {
  if (!answer.ok) return { address, status: 'unreachable' };
  const { status, headers } = answer.received;
  const error = headers.get('x-error');
  const sourceStatus = Number(headers.get('x-content-status') ?? Number.NaN);
  return {
    address,
    status,
    ...(error === null ? {} : { says: error }),
    ...(Number.isInteger(sourceStatus) ? { sourceStatus } : {}),
  };
}

function fileProbe(address: string, path: string, answer: Exchanged): FileProbe {
  return { address, path, status: answer.ok ? answer.received.status : 'unreachable' };
}
