import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from './listen.ts';

/** An HTTPS host on this machine, whose certificate a test can replace. */
export interface SecureHost {
  readonly port: number;
  /** The first one, as PEM. */
  readonly certificate: string;
  /** The number of connections so far. */
  connections(): number;
  /** Replaces its certificate: for these names, valid for this many days. */
  show(names: readonly string[], days: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startSecureHost(
  names: readonly string[],
  days: number,
  answer: RequestListener = (_, response) => void response.end(),
): Promise<SecureHost> {
  let connections = 0;
  const own = await newCertificate(names, days);
  const server = createServer(own, answer);
  server.on('connection', () => (connections += 1));
  const { port, stop } = await listen(server);
  return {
    port,
    certificate: own.cert.toString(),
    connections: () => connections,
    show: async (others, more) => server.setSecureContext(await newCertificate(others, more)),
    stop,
  };
}

async function newCertificate(names: readonly string[], days: number): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-certificate-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', String(days)];
    const whose = ['-subj', '/CN=test', '-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`];
    await promisify(execFile)('openssl', [...how, ...whose, '-keyout', key, '-out', cert]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
