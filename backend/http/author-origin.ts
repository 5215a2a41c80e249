import { Refusal } from '@repoless/contract/refusal.ts';

/**
 * Where an author is. In: host and port as in the address of the call, and the settings' allow list (`host[:port]`,
 * `*.domain[:port]`). Out: its origin; plain HTTP for `localhost` names alone. Refuses with AUTHOR_NOT_ALLOWED.
 */
export function authorOrigin(host: string, allowed: readonly string[]): string {
  if (!allowed.some((entry) => matches(host, entry.toLowerCase()))) {
    throw new Refusal(
      'AUTHOR_NOT_ALLOWED',
      `The authoring host ${host} is not on this service's allow list. Ask the operator of the service to add it to AUTHOR_HOSTS.`,
      { data: { host } },
    );
  }
  return `${isLocal(host) ? 'http' : 'https'}://${host}`;
}

function matches(host: string, entry: string): boolean {
  if (!entry.startsWith('*.')) return host === entry;
  const domain = entry.slice(1);
  return host.endsWith(domain) && LABELS.test(host.slice(0, -domain.length));
}

/** What `*` stands for: labels, and neither a port nor nothing. */
const LABELS = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

function isLocal(host: string): boolean {
  const [name = ''] = host.split(':');
  return name === 'localhost' || name.endsWith('.localhost');
}
