import { createServicePort } from '@repoless/core/api/service-port.ts';
import type { TestBackend } from '../support/backend.ts';
import { clientOf } from './access-world.tsx';

/** How an answer is lost: the connection breaks, or a gateway answers instead. */
export type Loss = 'broken' | 502;
export const LOSSES: readonly Loss[] = ['broken', 502];

interface Request {
  readonly method: string;
  readonly path: RegExp;
}

/** A network that can lose requests, or answers after the service processed the request. Dry runs always pass. */
export async function lossyNetwork(backend: TestBackend, who: string) {
  const cuts: Request[] = [];
  const losses: (Request & { readonly how: Loss })[] = [];
  const client = clientOf(
    backend.address,
    await backend.token(who),
    async (...request) => {
      if (taken(cuts, ...request) !== undefined) throw new TypeError('The connection broke.');
    },
    async (...request) => {
      const loss = taken(losses, ...request);
      if (loss?.how === 'broken') throw new TypeError('The connection broke.');
      return loss && new Response('<html>Bad gateway</html>', { status: loss.how, headers: { 'content-type': 'text/html' } });
    },
  );
  return {
    client,
    service: createServicePort(client),
    /** Loses the next matching request. */
    cut(method: string, path: RegExp) {
      cuts.push({ method, path });
    },
    /** Loses the answer to the next matching request. */
    lose(how: Loss, method: string, path: RegExp) {
      losses.push({ how, method, path });
    },
  };
}

/** Removes and returns the first match. */
function taken<R extends Request>(requests: R[], method: string, path: string, isDryRun: boolean): R | undefined {
  const at = isDryRun ? -1 : requests.findIndex((one) => one.method === method && one.path.test(path));
  return at === -1 ? undefined : requests.splice(at, 1)[0];
}
