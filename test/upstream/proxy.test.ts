import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { listen } from '../support/listen.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();
const folder = startBeforeAll(openFolder);
/** The only one that finds this host, as in a company's network. */
const HOST = 'hosted.example.test';
/** Where the proxy was asked to connect, and with which credentials. */
const asked: { readonly to: string; readonly credentials: string | undefined }[] = [];
let isOpen = true;
const proxy = startBeforeAll(startProxy);
beforeEach(() => {
  asked.splice(0);
  isOpen = true;
});

/** A proxy that opens tunnels (RFC 9110, 9.3.6) to programs of this machine. */
async function startProxy() {
  const server = createServer();
  server.on('connect', ({ url = '', headers }, socket, head) => {
    asked.push({ to: url, credentials: headers['proxy-authorization'] });
    if (!isOpen) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const tunnel = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      tunnel.write(head);
      tunnel.pipe(socket).pipe(tunnel);
    });
    for (const one of [tunnel, socket]) one.on('error', () => [tunnel, socket].forEach((each) => each.destroy()));
  });
  return await listen(server);
}

async function doctor(network: Readonly<Record<string, string>>) {
  const service = world.hosted.address.replace(/localhost|127\.0\.0\.1/, HOST);
  const token = world.hosted.token('session', { email: EXAMPLE.admin });
  const env = { ...world.settings, REPOLESS_SERVICE: service, REPOLESS_HOSTED: service, REPOLESS_TOKEN: token, ...network };
  const outcome = await folder.repoless(['doctor', '--organization', EXAMPLE.org], { env });
  return { ...outcome, host: new URL(service).host };
}

test.each(['HTTP_PROXY', 'http_proxy'])('the command line reaches the hosted service through the proxy of %s', async (name) => {
  const { code, out, err, host } = await doctor({ [name]: proxy.address.replace('//', '//me:p%40ss@') });
  expect([code, out], err).toEqual([0, expect.stringContaining(`You: ${EXAMPLE.admin}`)]);
  expect(new Set(asked.map(({ to }) => to))).toEqual(new Set([host]));
  expect(asked[0]?.credentials).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
});

test('a host of NO_PROXY, and this machine, are reached without the proxy', async () => {
  const excluded = await doctor({ HTTP_PROXY: proxy.address, NO_PROXY: 'example.com,.example.test' });
  expect(excluded.code).not.toBe(0);
  const here = { REPOLESS_SERVICE: world.hosted.address, REPOLESS_HOSTED: world.hosted.address };
  expect(await doctor({ HTTP_PROXY: proxy.address, ...here })).toMatchObject({ code: 0 });
  expect(asked).toEqual([]);
});

test.each([
  ['that refuses', () => void (isOpen = false), (): string => proxy.address, 'Proxy response (407) !== 200 when HTTP Tunneling'],
  ['that is not there', () => undefined, (): string => 'http://127.0.0.1:9', 'connect ECONNREFUSED 127.0.0.1:9'],
])('a proxy %s is named once', async (_, prepare, address, reason) => {
  prepare();
  const { code, err, host } = await doctor({ HTTP_PROXY: address().replace('//', '//me:secret@') });
  const named = `${host} was not reached: ${reason}. Requests to it go through the proxy ${new URL(address()).host} of HTTP_PROXY`;
  expect(err.split(named)).toHaveLength(2);
  expect(err).not.toContain('secret');
  expect(code).toBe(3);
});

test('a proxy that is not an address is refused before anything is sent', async () => {
  const { code, err } = await doctor({ HTTPS_PROXY: 'proxy.example.com:secret' });
  expect([code, err]).toEqual([
    2,
    'HTTPS_PROXY is not the address of a proxy, such as http://proxy.example.com:8080. Correct or unset it.\n',
  ]);
  expect(asked).toEqual([]);
});
