import { describe, expect, it } from 'vitest';
import { CONFIGURATION, useAuthoringProxy } from './authoring-proxy-world.ts';

describe('what the authoring proxy takes from the authoring system', () => {
  const proxy = useAuthoringProxy();

  it('follows a redirect of the same author to a listed path', async () => {
    proxy.answer = (request, response) => {
      if (request.url === '/content/wknd.json') response.writeHead(302, { location: '/content/wknd.1.json' }).end();
      else response.end('{}');
    };
    expect((await proxy.read('/content/wknd.json')).status).toBe(200);
    expect(proxy.received.map(({ url }) => url)).toEqual(['/content/wknd.json', '/content/wknd.1.json']);
  });

  it.each([
    ['to another host', () => `${proxy.elsewhere.address}/content/other.json`],
    ['to another scheme', () => `https://${proxy.host}/content/other.json`],
    ['to the sign-in page', () => '/libs/granite/core/content/login.html'],
    ['in a circle', () => '/content/wknd.json'],
    ['out of the list', () => '/content/%2e%2e%2fapps.json'],
    ['nowhere', () => 'http://['],
  ])('does not follow a redirect %s', async (_, location) => {
    proxy.answer = (request, response) => {
      if (request.url === '/content/wknd.json') response.writeHead(302, { location: location() }).end();
      else response.end('{}');
    };
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('does not follow a redirect of a write', async () => {
    proxy.answer = (_request, response) => void response.writeHead(302, { location: '/content/wknd.json' }).end();
    await proxy.expectRefusal(await proxy.write(CONFIGURATION, { './owner': 'x' }), 502, 'AUTHOR_ANSWER_REFUSED');
    expect(proxy.received).toHaveLength(1);
  });

  it('waits no longer than the time limit, for the head and for the body', async () => {
    proxy.answer = () => undefined;
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 504, 'AUTHOR_TIMEOUT');
    proxy.answer = (_request, response) => void response.writeHead(200).write('{');
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 504, 'AUTHOR_TIMEOUT');
  });

  it('reads no more than the size limit, announced or not', async () => {
    proxy.answer = (_request, response) => void response.end('x'.repeat(2001));
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
    proxy.answer = (_request, response) => void (response.write('x'.repeat(1500)), response.end('x'.repeat(1500)));
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_ANSWER_REFUSED');
  });

  it('says that an author does not respond', async () => {
    await proxy.expectRefusal(await proxy.read('/content/wknd.json', proxy.signedIn(), 'exact.localhost:1'), 502, 'AUTHOR_UNREACHABLE');
    proxy.answer = (request) => void request.socket.destroy();
    await proxy.expectRefusal(await proxy.read('/content/wknd.json'), 502, 'AUTHOR_UNREACHABLE');
  });
});
