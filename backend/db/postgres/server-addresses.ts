/**
 * An address for each server in an address, in order. Takes an address in libpq's format, with one server or several:
 * `postgres://one:5432,two:5432/name`, or `?host=one,two`.
 */
export function serverAddresses(databaseUrl: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^([^:]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.split(',').flatMap((host) => {
    const address = `${start}${host}${end}`;
    const named = /([?&]host=)([^&]*)/.exec(address);
    if (named === null) return [address];
    const [all, name = '', value = ''] = named;
    return decodeURIComponent(value)
      .split(',')
      .map((one) => address.replace(all, () => `${name}${encodeURIComponent(one)}`));
  });
}
