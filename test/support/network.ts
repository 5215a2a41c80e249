import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A piece of network between a program and what it calls, which can fail in the ways that networks do. */
export interface Network {
  readonly port: number;
  /** Nothing goes on in either direction, and nobody is told: what is sent is kept until `thaw`. Also on connections that are made now. */
  freeze(): void;
  /** The connections that there are stay silent for ever; those that are made from now on work. */
  forget(): void;
  /** The connections go on where they were. */
  thaw(): void;
  /** Every connection ends, with a reset. */
  cut(): void;
  /** Every piece arrives so many milliseconds later. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

interface Line {
  frozen: boolean;
  forgotten: boolean;
  readonly near: Socket;
  readonly far: Socket;
  /** What waits for the thaw. */
  readonly waiting: (() => void)[];
}

/** In: where it leads, a port of this machine or the path of a socket. */
export async function startNetwork(target: { readonly port: number } | { readonly path: string }): Promise<Network> {
  const lines = new Set<Line>();
  const sockets = new Set<Socket>();
  let frozen = false;
  let late = 0;

  function carry(line: Line, from: Socket, to: Socket): void {
    const pass = (send: () => void) => {
      const sendNow = () => {
        if (line.forgotten) return;
        if (line.frozen) line.waiting.push(send);
        else send();
      };
      if (late > 0) setTimeout(sendNow, late);
      else sendNow();
    };
    from.on('data', (chunk: Buffer) => pass(() => to.write(chunk)));
    from.on('end', () => pass(() => to.end()));
    from.on('error', () => pass(() => to.destroy()));
    sockets.add(from);
    from.on('close', () => {
      sockets.delete(from);
      lines.delete(line);
    });
  }

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...target, allowHalfOpen: true });
    const line: Line = { frozen, forgotten: false, near, far, waiting: [] };
    lines.add(line);
    carry(line, near, far);
    carry(line, far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    freeze() {
      frozen = true;
      for (const line of lines) line.frozen = true;
    },
    forget() {
      for (const line of lines) line.forgotten = true;
    },
    thaw() {
      frozen = false;
      for (const line of lines) {
        line.frozen = false;
        for (const send of line.waiting.splice(0)) send();
      }
    },
    cut() {
      for (const { near, far } of lines) {
        near.resetAndDestroy();
        far.destroy();
      }
    },
    delay: (milliseconds) => void (late = milliseconds),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
