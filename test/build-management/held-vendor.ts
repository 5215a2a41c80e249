import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/access.ts';
import { startReceiver } from '../support/receiver.ts';
import type { BuildWorld } from './world.ts';

/** The vendor of a world behind a guard that keeps requests until they are released. */
export interface PausedVendor {
  readonly address: string;
  /** From now on requests that fit wait. */
  hold(fits?: (request: IncomingMessage) => boolean): void;
  /** How many wait. */
  held(): number;
  /** Passes on what waits, and all that comes. */
  release(): void;
  /** Answers requests that fit with this status instead of passing them on. */
  refuse(status: number, fits: (request: IncomingMessage) => boolean): void;
  /** A repository that is onboarded by its address here, READY where nothing holds it. */
  onboard(path?: string): Promise<ExternalRepository>;
  /** The identifier of one that is READY. */
  ready(): Promise<string>;
  stop(): Promise<void>;
}

/** Passes a request on to the vendor at this address, and its answer back. */
export function passOnTo(address: string) {
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const headers = { ...incoming.headers, host: new URL(address).host };
    const outgoing = request(`${address}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  };
}

export async function startPausedVendor(world: BuildWorld): Promise<PausedVendor> {
  const waiting = new Set<{ readonly incoming: IncomingMessage; readonly response: ServerResponse }>();
  let isHeld: (request: IncomingMessage) => boolean = () => false;
  let refused: { status: number; fits(request: IncomingMessage): boolean } = { status: 0, fits: () => false };

  const passOn = passOnTo(world.vendor.address);
  const receiver = await startReceiver((incoming, response) => {
    if (refused.fits(incoming)) return void response.writeHead(refused.status).end();
    if (!isHeld(incoming)) return passOn(incoming, response);
    const one = { incoming, response };
    waiting.add(one);
    response.once('close', () => waiting.delete(one));
  });
  let onboarded = 0;
  const onboard = async (path = 'northwind/storefront') => {
    onboarded += 1;
    // The same place by another spelling, for an organization onboards each address once.
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
      for (const { incoming, response } of waiting) passOn(incoming, response);
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
