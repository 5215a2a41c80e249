/** Parameters of an address that name one row of a place: a finding, an entry of access, an API key, a secret. */
export type RowParameter = 'finding' | 'who' | 'key' | 'secret';

/** An address that names no row. */
export const NO_ROW: Readonly<Record<RowParameter, ''>> = { finding: '', who: '', key: '', secret: '' };

/** Whether an address names this row. People and groups are the same in every spelling. */
export function isNamed(address: ReadonlyMap<string, string>, parameter: RowParameter, name: string): boolean {
  const wanted = address.get(parameter);
  return parameter === 'who' ? wanted?.toLowerCase() === name.toLowerCase() : wanted === name;
}
