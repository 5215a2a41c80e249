/** An address of a database as it may be printed: without passwords and files of keys. */
export function namedAddress(address: string): string {
  const url = new URL(address);
  url.password = '';
  url.search = new URLSearchParams([...url.searchParams].filter(([name]) => PRINTED.includes(name))).toString();
  return url.href;
}

const PRINTED = ['host', 'port'];
