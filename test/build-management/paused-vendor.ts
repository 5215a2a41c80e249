import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { forwardTo, startReceiver } from '../support/receiver.ts';
import type { BuildWorld } from './world.ts';

/** The vendor of a world behind a guard that holds requests until they are released. */
export interface PausedVendor {
  readonly address: string;
  /** Makes matching requests wait. */
  hold(fits?: (request: IncomingMessage) => boolean): void;
  /** The number of waiting requests. */
  held(): number;
  /** Forwards waiting and later requests. */
  release(): void;
  /** Answers matching requests with this status instead of forwarding them. */
  refuse(status: number, fits: (request: IncomingMessage) => boolean): void;
  /** Onboards a repository by its address at the guard; READY unless held. */
  onboard(path?: string): Promise<ExternalRepository>;
  /** Onboards a repository until it is READY. Returns its identifier. */
  ready(): Promise<string>;
  stop(): Promise<void>;
}

export async function startPausedVendor(world: BuildWorld): Promise<PausedVendor> {
  const waiting = new Set<{ readonly incoming: IncomingMessage; readonly response: ServerResponse }>();
  let isHeld: (request: IncomingMessage) => boolean = () => false;
  let refused: { status: number; fits(request: IncomingMessage): boolean } = { status: 0, fits: () => false };

  const forward = forwardTo(world.vendor.address);
  const receiver = await startReceiver((incoming, response) => {
    if (refused.fits(incoming)) return void response.writeHead(refused.status).end();
    if (!isHeld(incoming)) return forward(incoming, response);
    const one = { incoming, response };
    waiting.add(one);
    response.once('close', () => waiting.delete(one));
  });
  let onboarded = 0;
  const onboard = async (path = 'northwind/storefront') => {
    onboarded += 1;
    // The same repository under another address, because an organization may onboard each address once.
    const cloneUrl = `http://held-${onboarded}.localhost:${receiver.port}/${path}.git`;
    const { repositoryId } = await world.onboard({ accessToken: ACCESS_TOKEN, cloneUrl });
    return await world.settled(repositoryId, 'READY', 'failed', 'added');
  };
  return {
    address: receiver.address,
    hold: (fits = () => true) => void (isHeld = fits),
    held: () => waiting.size,
    release() {
      isHeld = () => false;
      for (const { incoming, response } of waiting) forward(incoming, response);
      waiting.clear();
    },
    refuse: (status, fits) => void (refused = { status, fits }),
    onboard,
    async ready() {
      const { repositoryId } = await onboard();
      expect((await world.settled(repositoryId, 'READY', 'failed')).state).toBe('READY');
      return repositoryId;
    },
    stop: () => receiver.stop(),
  };
}
