import { freePort } from '../free-port.ts';
import { installed } from '../installed.ts';
import { COUNTER, type Call } from '../load/call.ts';
import { untilReady } from '../until-ready.ts';
import type { Workspace } from '../workspace.ts';

/** etcd behind its JSON gateway: the peer of durable writes and of reads. */
export interface Etcd {
  readonly port: number;
  put(key: string, value: string): Promise<void>;
}

/** Starts etcd with its defaults (every put synced to disk); undefined where it is not installed. */
export async function startEtcd(workspace: Workspace): Promise<Etcd | undefined> {
  const program = await installed('etcd');
  if (program === undefined) return undefined;
  const [port, peerPort] = [await freePort(), await freePort()];
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const args = Object.entries({
    'data-dir': await workspace.directory('etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'quota-backend-bytes': String(8 * 2 ** 30),
    'log-level': 'error',
  }).flatMap(([name, value]) => [`--${name}`, value]);
  const child = workspace.start(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const send = (call: Call) => fetch(`${client}${call.path}`, { method: call.method, body: call.body ?? null });
  await untilReady('etcd', child, async () => (await fetch(`${client}/health`)).ok);
  return {
    port,
    async put(key, value) {
      const answer = await send(etcdPut(key, value));
      if (!answer.ok) throw new Error(`etcd answered a put with ${answer.status}.`);
    },
  };
}

export function etcdRange(key: string): Call {
  return post('/v3/kv/range', { key: base64(key) });
}

export function etcdPut(key: string, value: string): Call {
  return post('/v3/kv/put', { key: base64(key), value: base64(value) });
}

/** A put whose key (where `fresh`) and value are others each time it is sent. */
export function etcdCountedPut(key: string, value: string, fresh: boolean): Call {
  // Twelve digits are nine bytes of base64: they may stand where whole groups of four end.
  const counted = (text: string) => `${base64(text.slice(0, text.length - (text.length % 3)))}${COUNTER}`;
  return post('/v3/kv/put', { key: fresh ? counted(key) : base64(key), value: counted(value) });
}

function post(path: string, body: object): Call {
  return { method: 'POST', host: '127.0.0.1', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
