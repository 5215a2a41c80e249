import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sends pieces as they come, no faster than the caller takes them, until they end or the caller leaves. */
export async function sendStream(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  pieces: AsyncIterable<string>,
): Promise<void> {
  // Proxies that collect an answer before they pass it on are asked not to.
  response.setHeader('x-accel-buffering', 'no');
  response.writeHead(status);
  if (request.method === 'HEAD') return void response.end();
  response.flushHeaders();
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      if (!response.write(piece)) await drained(response);
    }
    response.end();
  } catch {
    // The answer has begun: the cut tells the caller to ask again, and the next answer says what is wrong.
    response.destroy();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
