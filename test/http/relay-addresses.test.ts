import { describe, expect, it } from 'vitest';
import { isInternalAddress } from '#backend/remote/internal-addresses.ts';

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
    'nonsense',
  ])('hold %s', (address) => {
    expect(isInternalAddress(address)).toBe(true);
  });

  it.each(['8.8.8.8', '172.32.0.1', '192.167.255.255', '1.1.1.1', '2606:4700::1111', '2a00:1450::1'])('do not hold %s', (address) => {
    expect(isInternalAddress(address)).toBe(false);
  });
});
