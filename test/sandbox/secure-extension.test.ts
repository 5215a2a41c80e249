import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { webApp } from '../../sandbox/preparation/develop.mjs';

const SERVICE = 'https://config.example.com';

it('with a certificate, the extension in development serves its page and its settings, over HTTP/1.1 and HTTP/2', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-certificate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { extension: port } = await freePorts();
  const certificate = await selfSigned(folder);
  const server = await webApp('extension', { port, strictPort: true, https: certificate }, { cache: 'test', service: SERVICE });
  onTestFinished(() => server.close());
  const address = `https://localhost:${port}`;
  for (const get of [getOverHttp1, getOverHttp2]) {
    const page = await get(`${address}/`, certificate.cert);
    expect([page.status, page.body.includes('<div id="root">')]).toEqual([200, true]);
    const settings = await get(`${address}/settings.json`, certificate.cert);
    expect([settings.status, settings.body]).toEqual([200, JSON.stringify({ service: SERVICE })]);
  }
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

async function getOverHttp1(address: string, ca: Buffer): Promise<Answer> {
  const outgoing = request(address, { ca }).end();
  const [answer] = await once(outgoing, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

async function getOverHttp2(address: string, ca: Buffer): Promise<Answer> {
  const { origin, pathname } = new URL(address);
  const session = connect(origin, { ca });
  try {
    const outgoing = session.request({ ':path': pathname }).end();
    const [headers] = await once(outgoing, 'response');
    return { status: headers[':status'], body: await text(outgoing) };
  } finally {
    session.close();
  }
}

async function selfSigned(folder: string): Promise<{ key: Buffer; cert: Buffer }> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  await promisify(execFile)('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-keyout',
    key,
    '-out',
    cert,
    ...names,
  ]);
  return { key: await readFile(key), cert: await readFile(cert) };
}
