import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import type { TestBackend } from '../support/backend.ts';
import { clientOf } from './access-world.tsx';

/** A network that can hold requests and make them fail. */
export async function pausedNetwork(backend: TestBackend, who: string) {
  let fits: (method: string, path: string) => boolean = () => false;
  let waiting: (() => void)[] = [];
  let isCut = false;
  const client = clientOf(backend.address, await backend.token(who), async (method, path) => {
    if (fits(method, path)) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isCut) throw new TypeError('The network is away.');
  });
  return {
    client,
    service: createServicePort(client),
    /** Holds matching requests. */
    hold(method: string, path: RegExp) {
      fits = (one, at) => one === method && path.test(at);
    },
    held: () => waitFor(() => expect(waiting.length).toBeGreaterThan(0)),
    release() {
      fits = () => false;
      for (const go of waiting) go();
      waiting = [];
    },
    cut(next: boolean) {
      isCut = next;
    },
  };
}
