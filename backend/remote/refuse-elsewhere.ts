import { leadsElsewhere, pathOf } from '@repoless/contract/plain-path.ts';

/** The request was not made: it would have shown a credential at another place than the one it is for. */
export class LeadsElsewhere extends Error {
  override readonly name = 'LeadsElsewhere';
}

/** A request that shows a credential says where that is good. Throws where the program forgot to: it must not leave. */
export function requirePlace(headers: Readonly<Record<string, string>>, below: string | undefined): void {
  if (below === undefined && Object.keys(headers).some((name) => CREDENTIALS.includes(name.toLowerCase())))
    throw new Error('A request with a credential has to say below which address it may lie.');
}

/**
 * The last check of where a request goes. Takes its address, and the one with a final slash that it must lie below. Compares the address as it
 * will be requested, and as lenient programs could read it. Throws LeadsElsewhere.
 */
export function refuseElsewhere(address: string, below: string): void {
  const [asked, allowed] = [new URL(address), new URL(below)];
  const isBelow = asked.origin === allowed.origin && allowed.pathname.endsWith('/') && asked.pathname.startsWith(allowed.pathname);
  const isPlain = allowed.search === '' && allowed.hash === '' && asked.username === '' && asked.password === '';
  if (!isBelow || !isPlain || leadsElsewhere(pathOf(address))) throw new LeadsElsewhere(asked.host);
}

const CREDENTIALS = ['authorization', 'proxy-authorization', 'x-auth-token', 'cookie', 'fastly-key'];
