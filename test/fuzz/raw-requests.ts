import type { Random, Texts } from './texts.ts';

/** Generates bytes that may not be a request at all: from a parser's odd corners, from noise, and from both. `hosts` are known Host headers. */
export function createRawRequests(hosts: readonly string[], random: Random, texts: Texts): () => Buffer {
  const host = () => random.pick(hosts);
  const line = () => random.pick(LINES)(random, host(), texts);
  return () => {
    if (random.chance(0.1)) return noise(1 + random.below(2000));
    const headers = Array.from({ length: random.below(6) }, () => random.pick(HEADERS)(random, host(), texts));
    const end = random.chance(0.9) ? '\r\n\r\n' : random.pick(['', '\n\n', '\r\n', '\r\r']);
    const known = random.chance(0.7) ? [`Host: ${host()}`] : [];
    const text = [line(), ...known, ...headers].join(random.chance(0.95) ? '\r\n' : '\n') + end;
    const body = random.chance(0.4) ? random.pick(BODIES)(random, host(), texts) : '';
    const bytes = Buffer.from(`${text}${body}`, random.chance(0.5) ? 'latin1' : 'utf8');
    for (let flips = random.chance(0.2) ? 1 + random.below(4) : 0; flips > 0 && bytes.length > 0; flips -= 1)
      bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  };

  function noise(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => random.below(256)));
  }
}

type Make = (random: Random, host: string, texts: Texts) => string;

const LINES: readonly Make[] = [
  () => 'GET / HTTP/1.1',
  () => 'GET /config.json HTTP/1.1',
  () => 'GET /health HTTP/1.0',
  () => 'OPTIONS * HTTP/1.1',
  () => 'PUT /config/wknd/sites/lantern.json HTTP/1.1',
  () => 'POST /auth/device HTTP/1.1',
  (_, host) => `GET http://${host}/config.json HTTP/1.1`,
  (_, host) => `CONNECT ${host} HTTP/1.1`,
  () => 'CONNECT 127.0.0.1:22 HTTP/1.1',
  () => 'GET / HTTP/2.0',
  () => 'GET / HTTP/9.9',
  () => 'GET /',
  () => 'PRI * HTTP/2.0',
  () => 'get / http/1.1',
  () => 'GET  /  HTTP/1.1',
  () => 'GET\t/\tHTTP/1.1',
  () => ' GET / HTTP/1.1',
  () => `${'A'.repeat(100)} / HTTP/1.1`,
  (random) => `GET /${'a'.repeat(random.below(20_000))} HTTP/1.1`,
  (random) => `GET /?${'a&'.repeat(random.below(7000))} HTTP/1.1`,
  (_random, _, texts) => `GET /${texts.any()} HTTP/1.1`,
  (random, _, texts) => `${random.pick(['GET', 'POST', 'DELETE', 'M-SEARCH', 'SOURCE'])} ${texts.any()} HTTP/1.1`,
];

const HEADERS: readonly Make[] = [
  (_, host) => `Host: ${host}`,
  (_random, _, texts) => `Host: ${texts.any()}`,
  () => 'Host:',
  () => 'Connection: close',
  () => 'Connection: upgrade\r\nUpgrade: websocket',
  () => 'Connection: upgrade, http2-settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
  () => 'Transfer-Encoding: chunked',
  () => 'Transfer-Encoding: chunked, identity',
  () => 'Transfer-Encoding: xchunked',
  () => 'Content-Length: 0',
  () => 'Content-Length: 5',
  () => 'Content-Length: -1',
  () => 'Content-Length: 5\r\nContent-Length: 6',
  () => 'Content-Length: 99999999999999999999',
  () => 'Content-Length : 5',
  () => 'Content-Type: application/json',
  () => 'Content-Type: application/x-www-form-urlencoded',
  () => 'Expect: 100-continue',
  () => 'Expect: something',
  () => ' folded: header',
  () => 'no colon',
  () => ': no name',
  () => 'x\0y: z',
  (_random, _, texts) => `X-Odd: ${texts.any()}`,
  (random) => `X-Long: ${'x'.repeat(random.below(20_000))}`,
  (random) => Array.from({ length: random.below(2500) }, (_, index) => `x${index}: ${index}`).join('\r\n'),
  (_random, _, texts) => `Cookie: auth_token=${texts.any()}`,
  (_random, _, texts) => `X-Auth-Token: ${texts.any()}`,
  (_random, _, texts) => `Range: bytes=${texts.any()}`,
];

const BODIES: readonly Make[] = [
  () => '{}',
  () => '5\r\nhello\r\n0\r\n\r\n',
  () => 'FFFFFFFFFFFFFFFFF\r\nhello\r\n',
  () => '5;ext=1\r\nhello\r\n0\r\nTrailer: x\r\n\r\n',
  () => '-5\r\nhello\r\n0\r\n\r\n',
  () => 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n',
  (_random, _, texts) => texts.any(),
  (random) => '['.repeat(random.below(20_000)),
  (random) => 'client_id=a&'.repeat(random.below(5000)),
];
