import { Refusal } from '../../domain/errors.ts';

/** The JSON of a body whose sender was checked over its bytes, or before it. Refuses with BODY_UNPARSABLE. */
export function jsonOf(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (error) {
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body', { cause: error });
  }
}
