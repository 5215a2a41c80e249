import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between a program and its server that can fail in the ways that networks do. */
export interface Network {
  readonly port: number;
  /** Silently holds all data in both directions until `thaw`, on new connections too. */
  freeze(): void;
  /** Existing connections stay silent forever; new ones work. */
  clear(): void;
  /** Connections continue where they stopped. */
  thaw(): void;
  /** Resets every connection. */
  cut(): void;
  /** Delays every chunk by this many milliseconds. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

interface Line {
  frozen: boolean;
  forgotten: boolean;
  readonly near: Socket;
  readonly far: Socket;
  /** Data held until the thaw. */
  readonly waiting: (() => void)[];
}

/** `target` is a port of this machine or the path of a socket. */
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
    clear() {
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
