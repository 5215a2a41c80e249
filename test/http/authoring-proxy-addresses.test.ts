import { isInternalAddress, type Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';

describe('internal addresses', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '2002:7f00:1::',
    '::ffff:0:127.0.0.1',
    '::ffff:0:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::7f00:1',
    '2001:0:7f00:1::',
    '2a00:1450::5efe:7f00:1',
    '2a00:1450::200:5efe:7f00:1',
    'fe80::1%eth0',
    '2606:4700::1111%lo',
    '192.88.99.1',
    '3fff::1',
    'nonsense',
  ])('hold %s', (address) => {
    expect(isInternalAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '192.167.255.255', '1.1.1.1', '2606:4700::1111', '2a00:1450::1'])('do not hold %s', (address) => {
    expect(isInternalAddress(address)).toBe(false);
  });

  it.each(['localhost', 'LOCALHOST.', 'a.localhost', 'ip6-localhost', 'ip6-loopback', 'localhost6', 'localhost.localdomain'])(
    'are meant by the name %s, whatever a resolver says',
    async (name) => {
      const remote = createRemote({ internalAddresses: 'refuse', timeout: 1000, sizeLimit: 10, resolve: resolving('93.184.216.34') });
      await expect(remote.send({ method: 'GET', url: `http://${name}:9/` })).rejects.toThrow(/is an internal address/);
      await remote.close();
    },
  );
});

describe('the address that is checked', () => {
  it('is the one that is connected to: a resolver that answers otherwise the second time is not asked twice', async () => {
    const [first, second] = [await startReceiver((_, response) => void response.end('first')), '127.0.0.2'];
    const asked: string[] = [];
    const remote = createRemote({
      internalAddresses: 'allow',
      timeout: 5000,
      sizeLimit: 100,
      resolve: resolving('127.0.0.1', second, asked),
    });
    const answer = await remote.send({ method: 'GET', url: `http://rebinding.example:${first.port}/` });
    expect([new TextDecoder().decode(answer.body), asked]).toEqual(['first', ['127.0.0.1']]);
    await remote.close();
    await first.stop();
  });

  it.each([
    ['one of several', ['93.184.216.34', '127.0.0.1']],
    ['a translated one', ['::ffff:0:127.0.0.1']],
  ])('is refused where %s is internal, and nothing is connected to', async (_, addresses) => {
    const receiver = await startReceiver((_request, response) => void response.end());
    const resolve: Resolve = (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      );
    const remote = createRemote({ internalAddresses: 'refuse', timeout: 5000, sizeLimit: 100, resolve });
    await expect(remote.send({ method: 'GET', url: `http://rebinding.example:${receiver.port}/` })).rejects.toThrow(
      /is an internal address/,
    );
    expect(receiver.asked).toEqual([]);
    await remote.close();
    await receiver.stop();
  });
});

/** Answers the first address once, and the second from then on. */
function resolving(first: string, second = first, asked: string[] = []): Resolve {
  return (_name, _options, callback) => {
    const address = asked.length === 0 ? first : second;
    asked.push(address);
    callback(null, [{ address, family: 4 }]);
  };
}
