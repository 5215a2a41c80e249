import { CODE_HOST, DEPLOYMENT } from './deployment.ts';
import type { Addresses } from '#sandbox/addresses.ts';

/** Between the addresses of the pages, which are those of a deployment, and the ones of the sandbox that answers. */
export interface ShownAddresses {
  /** A text of the pages with the addresses of the sandbox. */
  here(text: string): string;
}

export function shownAddresses(addresses: Addresses): ShownAddresses {
  const whole: [string, string][] = [
    [DEPLOYMENT.author, addresses.author],
    [CODE_HOST, addresses.codeHost],
    [DEPLOYMENT.backend, addresses.backend],
    [DEPLOYMENT.buildManagement, addresses.buildManagement],
    [DEPLOYMENT.extension, addresses.extension],
    [DEPLOYMENT.identity, addresses.identity],
    [DEPLOYMENT.vendorHost, addresses.vendorHost],
  ];
  // A host may stand by itself: in the path of the authoring proxy, in the domains of the hosts.
  const hosts: [string, string][] = [
    [new URL(DEPLOYMENT.author).host, new URL(addresses.author).host],
    [DEPLOYMENT.previewDomain, addresses.previewDomain],
    [DEPLOYMENT.liveDomain, addresses.liveDomain],
  ];
  return {
    here: (text) => [...whole, ...hosts].reduce((made, [shown, present]) => made.replaceAll(shown, present), text),
  };
}
