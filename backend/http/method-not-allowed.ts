import type { ServerResponse } from 'node:http';
import { Refusal } from '../domain/errors.ts';

/** The refusal of a method, after saying which are allowed. */
export function methodNotAllowed(response: ServerResponse, allow: string): Refusal {
  response.setHeader('allow', allow);
  return new Refusal('METHOD_NOT_ALLOWED', 'method not allowed');
}
