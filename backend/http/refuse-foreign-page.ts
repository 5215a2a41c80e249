import type { IncomingMessage } from 'node:http';
import { Refusal } from '#backend/domain/errors.ts';
import type { AllowsOrigin } from './allows-origin.ts';

/**
 * Refuses with NOT_AUTHORIZED what a page of another origin sends, whatever token it has: a name that leads here since a moment ago
 * (DNS rebinding) makes a page the service's own neighbour. The Model Context Protocol asks for this at its address.
 */
export function refuseForeignPage({ headers, url = '' }: IncomingMessage, allows: AllowsOrigin, ownOrigin: string): void {
  const { origin } = headers;
  if (origin === undefined || origin === ownOrigin || allows(origin, url)) return;
  throw new Refusal('NOT_AUTHORIZED', 'Pages of this origin may not call the tools for assistants. Ask who runs the service to allow it.');
}
