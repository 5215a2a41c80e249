import { buildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import { endpoints, sitePartEndpoints } from '@repoless/contract/endpoints.ts';

const ROWS = [endpoints, sitePartEndpoints, buildManagementEndpoints].flatMap((table) => Object.values(table)).flatMap(rowsOf);

/** Whether the real programs have such a call; stand-ins must not answer others. `address` is without its query. */
export function isRow(method: string, address: string): boolean {
  return ROWS.some((row) => row.method === method && row.address.test(address));
}

function rowsOf(row: object): { readonly method: string; readonly address: RegExp }[] {
  if (!('method' in row && 'path' in row)) return Object.values(row).flatMap(rowsOf);
  const parts = String(row.path).split(/\{(\w+\*?)\}/);
  const address = parts
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('.', String.raw`\.`) : part.endsWith('*') ? '.*' : '[^/]+'))
    .join('');
  return [{ method: String(row.method), address: new RegExp(`^${address}$`) }];
}
