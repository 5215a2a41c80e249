import { fork } from 'node:child_process';
import type { SendHandle } from 'node:child_process';
import type { Server, Socket } from 'node:net';
import { FromDelivery } from './messages.ts';
import type { ToDelivery } from './messages.ts';

/** One run of the program of a delivery process, as that of the service sees it. */
export interface DeliveryProcess {
  readonly pid: number | undefined;
  /** Whether it could answer, and said something a moment ago. */
  isResponding(): boolean;
  /** It opens the database, which is ready. */
  begin(where: { readonly port: number; readonly socket: string }): void;
  /** It takes connections of this server from now on. */
  share(server: Server): void;
  take(socket: Socket): void;
  /** Connections on their way to it. */
  underWay(): number;
  send(message: ToDelivery): void;
  /** Its figures; none where it does not respond. */
  figures(): Promise<readonly object[]>;
  kill(): void;
}

interface Told {
  ready(): void;
  store(message: Extract<FromDelivery, { kind: 'heard' | 'ask' }>): void;
  /** How it ended, in a few words. */
  ended(how: string): void;
}

export function startDeliveryProcess(program: string, name: string, told: Told): DeliveryProcess {
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const waiting = new Map<number, (figures: readonly object[]) => void>();
  let [ready, ended] = [false, false];
  let heardAt = 0;
  let last = 0;
  let underWay = 0;

  function send(message: ToDelivery, handle?: SendHandle, failed: () => void = () => undefined): void {
    if (!child.connected) return failed();
    child.send(message, handle, undefined, (error) => {
      if (error !== null) failed();
    });
  }
  function end(how: string): void {
    if (ended) return;
    [ready, ended] = [false, true];
    for (const give of waiting.values()) give([]);
    told.ended(how);
  }

  child.on('message', (given: unknown) => {
    const message = FromDelivery.parse(given);
    heardAt = performance.now();
    switch (message.kind) {
      case 'ready':
        ready = true;
        return told.ready();
      case 'beat':
        return undefined;
      case 'took':
        underWay -= 1;
        return undefined;
      case 'heard':
      case 'ask':
        return told.store(message);
      case 'figures':
        return waiting.get(message.number)?.(message.figures);
      default:
        return message satisfies never;
    }
  });
  child.once('error', (error) => end(error.message));
  child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));

  return {
    pid: child.pid,
    isResponding: () => ready && performance.now() - heardAt < SILENCE,
    begin: ({ port, socket }) => send({ kind: 'begin', name, port, socket }),
    share: (server) => send({ kind: 'share' }, server),
    take(socket) {
      underWay += 1;
      send({ kind: 'connection' }, socket, () => socket.destroy());
    },
    underWay: () => underWay,
    send,
    figures() {
      if (!ready) return Promise.resolve([]);
      last += 1;
      const number = last;
      return new Promise((resolve) => {
        const give = (figures: readonly object[]) => {
          clearTimeout(patience);
          waiting.delete(number);
          resolve(figures);
        };
        const patience = setTimeout(give, PATIENCE, []);
        waiting.set(number, give);
        send({ kind: 'figures', number });
      });
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Milliseconds without a word after which a process gets no connections. */
const SILENCE = 2000;
const PATIENCE = 1000;
