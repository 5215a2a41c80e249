import { setTimeout as later } from 'node:timers/promises';
import { createConfirmer } from './confirmer.ts';
import { connectEar, isSilence } from './ear.ts';
import type { Ear } from './ear.ts';
import { BEAT, createHearing } from '../hearing.ts';
import type { Servers } from './servers.ts';
import { FORGET_GONE, register, stillListening, unregister } from './listeners.ts';
import { confirmationChannel, markOf } from './marks.ts';

export interface ListenOptions {
  readonly servers: Servers;
  readonly channel: string;
  /** This node, and the number of its process, for the log of others. */
  readonly node: string;
  readonly process: number;
  /** Each payload that comes. */
  heard(payload: string): void;
  /** Others heard of what this node wrote. */
  confirmed(payload: string): void;
  /** The connection was lost, or is there again: something may have been missed. */
  missed(): void;
  /** Another server takes writes now. */
  moved(): void;
  /** The connection went silent: others to the same place may have, too. */
  silent(): void;
  log(message: string, error: unknown): void;
}

export interface Listener {
  /** Whether everything that was told up to a moment ago is known to be heard. */
  isHearing(): boolean;
  close(): Promise<void>;
}

/**
 * Listens to the news of all nodes on a connection of its own, confirms them to those who wrote, asks over it again and again
 * whether it still listens, and makes a new one where it does not. Resolves when it listens.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { servers, channel, node } = options;
  const hearing = createHearing();
  const own = confirmationChannel(node);
  let closed = false;
  let ear: Ear | undefined;
  let asking = false;
  let retry: NodeJS.Timeout | undefined;
  let pause = FIRST_PAUSE;

  async function begin(): Promise<void> {
    const failed = (error: unknown) => void connecting.then((one) => lost(one, error)).catch(() => undefined);
    const confirm = createConfirmer({ node, ask: async (question) => (await connecting).ask(question), failed });
    const heard = (from: string, payload: string) => {
      const mark = from === own ? undefined : markOf(payload);
      if (from === own) options.confirmed(payload);
      else if (mark === undefined) options.heard(payload);
      else if (mark.node !== node) confirm(mark);
    };
    const connecting = connectEar({ databaseUrl: servers.address(), channels: [channel, own], heard, lost: failed });
    const next = await connecting;
    try {
      await prove(next);
    } catch (error) {
      next.drop();
      throw error;
    }
    if (closed) return next.drop();
    ear = next;
    pause = FIRST_PAUSE;
    next.ask(FORGET_GONE).catch(() => undefined);
  }
  /** PostgreSQL hands out what was told before it answers: an answer proves that everything before its question was heard. */
  async function prove(one: Ear): Promise<void> {
    const proven = hearing.ask();
    asking = true;
    // Others know of the lease before it is used.
    const { rowCount } = await one
      .ask(register(options))
      .catch((error: unknown) => (isReadOnly(error) ? one.ask(stillListening(channel)) : Promise.reject(error)))
      .finally(() => (asking = false));
    if (one.gone || closed) return;
    if (rowCount !== 1)
      throw new Error('The connection does not receive notifications. A connection pooler must preserve LISTEN in sessions.');
    // What was read before the first proof of a connection may be old.
    if (ear !== one) options.missed();
    proven();
  }
  function lost(one: Ear, error: unknown): void {
    one.drop();
    if (closed || one !== ear || retry !== undefined) return;
    ear = undefined;
    hearing.lose();
    options.log('The notifications of other nodes are interrupted; reconnecting.', error);
    options.missed();
    if (isSilence(error)) options.silent();
    again();
  }
  /** Many nodes lose a database at once: they shall not all come back at the same moment. */
  function again(): void {
    retry = setTimeout(
      () => {
        retry = undefined;
        reach().catch((error: unknown) => {
          if (closed) return;
          options.log('The notifications of other nodes are still interrupted.', error);
          again();
        });
      },
      pause * (0.5 + Math.random()),
    );
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
  /** The server may be another one by now, for all connections of this node. */
  async function reach(): Promise<void> {
    if (await servers.look()) options.moved();
    await begin();
  }
  function beat(): void {
    const one = ear;
    if (one === undefined || asking) return;
    prove(one).catch((error: unknown) => lost(one, error));
  }

  await begin();
  const beats = setInterval(beat, BEAT);
  return {
    isHearing: hearing.isHearing,
    async close() {
      closed = true;
      clearTimeout(retry);
      clearInterval(beats);
      hearing.lose();
      // The others need not wait for the lease of a node that ends.
      await Promise.race([ear?.ask(unregister(node)).catch(() => undefined), later(GOODBYE, undefined, { ref: false })]);
      ear?.drop();
    },
  };
}

function isReadOnly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1000;
const GOODBYE = 500;
