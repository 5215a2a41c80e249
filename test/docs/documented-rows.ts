import { buildManagementEndpoints } from '#contract/build-management-endpoints.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { allEndpoints } from '#contract/endpoints.ts';

/** A call of one of the two programs. */
export interface DocumentedRow {
  readonly id: string;
  readonly row: Endpoint;
  readonly program: 'service' | 'build management';
}

/** Every row of both tables, in their order. */
export function documentedRows(): DocumentedRow[] {
  const service = allEndpoints().map(([id, row]) => ({ id, row, program: 'service' as const }));
  const building = Object.entries<Endpoint>(buildManagementEndpoints).map(([id, row]) => ({
    id,
    row,
    program: 'build management' as const,
  }));
  return [...service, ...building];
}
