import type { IncomingMessage } from 'node:http';

/** A request that another process of the service got comes with the address of its sender, as the last of its headers. */
export const CARRIED_ADDRESS = 'x-repoless-client-address';

/** Takes the header away and keeps what it says. To be called for connections of our own processes alone: nobody else is believed it. */
export function takeCarriedAddress(request: IncomingMessage): void {
  const { rawHeaders } = request;
  if (rawHeaders.at(-2) !== CARRIED_ADDRESS) return;
  const [, address = ''] = rawHeaders.splice(-2);
  carried.set(request, address);
}

/** The address that a request comes from: of its connection, or of the one on which another process got it. */
export function connectionAddress(request: IncomingMessage): string {
  return carried.get(request) ?? request.socket.remoteAddress ?? '';
}

const carried = new WeakMap<IncomingMessage, string>();
