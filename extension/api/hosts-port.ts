import { z } from 'zod';
import { PublicConfig } from '#contract/site.ts';
import type { HostsPort } from '#extension/setup/ports.ts';
import type { ConfigProbe, FileProbe } from '#extension/setup/situation.ts';
import { exchange, parseJson, refusal } from './exchange.ts';
import type { Exchanged } from './exchange.ts';
import type { Relay } from './relay.ts';

export interface HostsPortOptions {
  /** The delivery address lies on the author, which a browser cannot call itself. */
  readonly relay: Relay;
  readonly fetch?: typeof fetch;
}

const ConfigAnswer = z.object({ public: PublicConfig });

/** The preview and live hosts and the code host, asked as anybody would, without a token. */
export function createHostsPort({ relay, ...options }: HostsPortOptions): HostsPort {
  const fetcher = options.fetch ?? ((input, init) => fetch(input, init));
  const ask = (method: 'GET' | 'HEAD', address: string) =>
    exchange(fetcher, address, { method, cache: 'no-store', credentials: 'omit', redirect: 'follow' });
  return {
    config: async (address) => configProbe(address, await ask('GET', address)),
    file: async (address, path) => fileProbe(`${address}${path}`, path, await ask('HEAD', `${address}${path}`)),
    delivery: async (address) => {
      const path = new URL(address).pathname;
      return fileProbe(address, path, await relay.read(path));
    },
  };
}

function configProbe(address: string, answer: Exchanged): ConfigProbe {
  if (!answer.ok) return { address, answer: { state: 'failed', failure: answer.failure } };
  const { status, text } = answer.received;
  if (status === 404) return { address, status, answer: { state: 'missing' } };
  if (status !== 200) return { address, status, answer: { state: 'failed', failure: refusal(answer.received) } };
  const parsed = ConfigAnswer.safeParse(parseJson(text));
  if (parsed.success) return { address, status, answer: { state: 'known', value: parsed.data.public } };
  const failure = { kind: 'unexpected', status, message: `${address} answers no public configuration.` } as const;
  return { address, status, answer: { state: 'failed', failure } };
}

function fileProbe(address: string, path: string, answer: Exchanged): FileProbe {
  return { address, path, status: answer.ok ? answer.received.status : 'unreachable' };
}
