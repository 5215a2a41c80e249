import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERRORS } from '#contract/errors.ts';
import { LIMITS } from '#contract/limits.ts';
import { connectionAddress } from './client-address.ts';
import { loggedPath } from './malformed.ts';
import type { RequestLine } from './ports.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface ConnectionTurns {
  /** Has a request answered when all that came before on its connection is answered and sent: at once, for nearly every request. */
  take(request: IncomingMessage, response: ServerResponse, answer: Answer): void;
  /** What a connection is being answered, or was last. */
  answering(connection: Duplex): ServerResponse | undefined;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
}

/**
 * One request of a connection is worked on at a time (RFC 9112, 9.3.2). Node reads all that came together before any of it is answered, and
 * would begin all of it in one turn of the event loop, whatever that costs and keeps. What is more than `LIMITS.pipelined` ends the
 * connection: its requests are already read, and to refuse them in their turn would keep them as well. In: who hears of that.
 */
export function createConnectionTurns(tell: (line: RequestLine) => void): ConnectionTurns {
  const current = new WeakMap<Duplex, ServerResponse>();
  /** Connections on which requests wait. */
  const lines = new WeakMap<Duplex, Waiting[]>();

  /** The next one begins in a turn of its own, so that the requests of other connections come between them. */
  function follow(connection: Duplex, before: ServerResponse, line: Waiting[]): void {
    before.once('close', () => {
      const next = line.shift();
      // After a last answer nothing is answered any more.
      if (next === undefined || !connection.writable) return;
      const { request, response, answer } = next;
      current.set(connection, response);
      if (line.length === 0) lines.delete(connection);
      else follow(connection, response, line);
      setImmediate(() => {
        if (connection.writable) answer(request, response);
      });
    });
  }

  function wait(connection: Duplex, before: ServerResponse, waiting: Waiting): void {
    const line = lines.get(connection);
    if (line === undefined) {
      const begun = [waiting];
      lines.set(connection, begun);
      follow(connection, before, begun);
    } else if (line.length < LIMITS.pipelined) line.push(waiting);
    else if (!connection.destroyed) {
      tell(refusedLine(waiting.request));
      connection.destroy();
    }
  }

  return {
    take(request, response, answer) {
      const { socket } = request;
      const before = current.get(socket);
      if (before !== undefined && !before.closed) return wait(socket, before, { request, response, answer });
      current.set(socket, response);
      answer(request, response);
    },
    answering: (connection) => current.get(connection),
  };
}

function refusedLine(request: IncomingMessage): RequestLine {
  const { method = '', url = '' } = request;
  const reason = 'more requests than may wait on a connection';
  const told = { requestId: randomUUID(), method, path: loggedPath(url), address: connectionAddress(request) };
  return { ...told, status: ERRORS.OVERLOADED.status, code: 'OVERLOADED', reason };
}
