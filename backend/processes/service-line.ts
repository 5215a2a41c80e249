import { rm } from 'node:fs/promises';
import { Server, Socket } from 'node:net';
import { dirname } from 'node:path';
import { ToDelivery } from './messages.ts';
import type { FromDelivery } from './messages.ts';

type Told<K extends ToDelivery['kind']> = Extract<ToDelivery, { kind: K }>;

/** What a delivery process does with what it is told. */
export interface Listeners {
  begin(message: Told<'begin'>): void;
  share(server: Server): void;
  connection(socket: Socket): void;
  store(message: Told<'news'> | Told<'answer'>): void;
  figures(): Promise<readonly object[]>;
  leave(): void;
  stop(message: Told<'stop'>): void;
}

/** The way of a delivery process to that of the service, which is the parent of this one. */
export interface ServiceLine {
  say(message: FromDelivery): void;
}

/** Ends the process with that of the service, which says when this one stops: signals may come to all of them at once. */
export function openServiceLine(listeners: Listeners): ServiceLine {
  const say = (message: FromDelivery): void => {
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  let folder: string | undefined;
  process.once('disconnect', () => {
    // One that was killed left it behind.
    const removed = folder === undefined ? Promise.resolve() : rm(folder, { recursive: true, force: true });
    void removed.catch(() => undefined).finally(() => process.exit(1));
  });
  process.on('message', (given: unknown, handle: unknown) => {
    const message = ToDelivery.parse(given);
    switch (message.kind) {
      case 'begin':
        folder = dirname(message.socket);
        return listeners.begin(message);
      case 'share':
        return handle instanceof Server ? listeners.share(handle) : undefined;
      case 'connection':
        say({ kind: 'took' });
        // It may have ended on its way here.
        return handle instanceof Socket ? listeners.connection(handle) : undefined;
      case 'news':
      case 'answer':
        return listeners.store(message);
      case 'figures':
        return void listeners.figures().then(
          (figures) => say({ kind: 'figures', number: message.number, figures }),
          () => undefined,
        );
      case 'leave':
        return listeners.leave();
      case 'stop':
        return listeners.stop(message);
      default:
        return message satisfies never;
    }
  });
  setInterval(() => say({ kind: 'beat' }), BEAT).unref();
  return { say };
}

/** Milliseconds; several within the time after which a process counts as one that does not respond. */
const BEAT = 250;
