import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask } from '../support/ask.ts';

/** What stands before the nodes: it asks each whether it is ready, and gives requests to those that are, in turn. */
export interface RoundRobin {
  readonly address: string;
  /** Resolves when it sees the node with this port as ready, or as not. */
  sees(port: number, ready: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Target {
  readonly port: number;
  readonly agent: Agent;
  ready: boolean;
}

/**
 * As plain as a proxy can be: it keeps connections, repeats nothing, and passes an error on as 502. The header `x-node` of an answer says
 * which node gave it.
 */
export async function startRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const targets: Target[] = ports.map((port) => ({
    port,
    agent: new Agent({ keepAlive: true }),
    ready: false,
  }));
  const waiting = new Set<() => void>();
  let [turn, closed] = [0, false];
  const looks = targets.map(look);

  async function look(target: Target): Promise<void> {
    while (!closed) {
      const answer = await ask(`http://127.0.0.1:${target.port}`, '/ready').catch(() => undefined);
      target.ready = answer?.status === 200;
      for (const tell of waiting) tell();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** Looked at whenever a node was looked at. */
  function until(wanted: number, holds: (target: Target) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const tell = () => {
        if (!targets.some((target) => target.port === wanted && holds(target))) return;
        waiting.delete(tell);
        resolve();
      };
      waiting.add(tell);
      tell();
    });
  }

  function pass(incoming: IncomingMessage, response: ServerResponse): void {
    const ready = targets.filter((target) => target.ready);
    const target = ready[(turn += 1) % ready.length];
    if (target === undefined) return fail(response, 'No node is ready.');
    const { method, url: path, headers } = incoming;
    const asked = request({ host: '127.0.0.1', port: target.port, agent: target.agent, method, path, headers }, (answer) => {
      const { connection: _connection, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...others } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, { ...others, 'x-node': String(target.port) });
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    asked.on('error', (error) => fail(response, `Node ${target.port}: ${error.message}`));
    incoming.pipe(asked);
  }

  const server = createServer(pass);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    sees: (wanted, ready) => until(wanted, (target) => target.ready === ready),
    async close() {
      closed = true;
      await Promise.all(looks);
      for (const { agent } of targets) agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fail(response: ServerResponse, sentence: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(sentence);
}

/** Milliseconds between two looks. */
const PAUSE = 50;
