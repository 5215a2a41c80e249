import { Refusal } from '@repoless/contract/refusal.ts';

/** The JSON of a body whose sender has already been authenticated. Refuses with BODY_UNPARSABLE. */
export function requireJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (cause) {
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body', { cause });
  }
}

/** The JSON of another system's response; undefined if it is invalid. */
export function readJson(text: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}
