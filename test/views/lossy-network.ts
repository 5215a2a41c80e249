import { createServicePort } from '#extension/api/service-port.ts';
import type { TestBackend } from '../support/backend.ts';
import { clientOf } from './access-world.tsx';

/** How an answer is lost: the connection breaks, or a gateway answers in its place. */
export type Loss = 'broken' | 502;

/** A network in which answers of the service are lost after it took the request. */
export async function lossyNetwork(backend: TestBackend, who: string) {
  const losses: { readonly how: Loss; readonly method: string; readonly path: RegExp }[] = [];
  const client = clientOf(backend.address, await backend.token(who), undefined, async (method, path, isDryRun) => {
    const at = isDryRun ? -1 : losses.findIndex((one) => one.method === method && one.path.test(path));
    const [loss] = at === -1 ? [] : losses.splice(at, 1);
    if (loss?.how === 'broken') throw new TypeError('The connection broke.');
    return loss && new Response('<html>Bad gateway</html>', { status: loss.how, headers: { 'content-type': 'text/html' } });
  });
  return {
    client,
    service: createServicePort(client),
    /** The next answer to such a request is lost. */
    lose(how: Loss, method: string, path: RegExp) {
      losses.push({ how, method, path });
    },
  };
}
