import type { SealedValue } from '@repoless/contract/sealed-value.ts';
import { Refusal } from '../../domain/errors.ts';
import { sameText } from './same-text.ts';

/** Refuses whoever does not show the key that the service and build management share, and everybody where there is none. */
export function requireBuildManagement(key: SealedValue | undefined, authorization: string | undefined): void {
  const presented = /^(?:bearer|token)\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1];
  if (presented !== undefined && key?.use((value) => sameText(presented, value)) === true) return;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'Send the key of the setting BUILD_MANAGEMENT_KEY as "authorization: Bearer …".',
  });
}
