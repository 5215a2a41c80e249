import { askWell, createAsk } from '../../ask.ts';
import { getConfig, putSite } from '../../backend/calls.ts';
import { siteName } from '../../backend/site-input.ts';
import type { StartedBackend } from '../../backend/start-backend.ts';

const WRITES = 60;
const LIMIT_MS = 5000;

/**
 * How long after an acknowledged write on one node the others still answer config.json as it was. Out: milliseconds from the
 * acknowledgement to the first read that shows the change, one of each write and other node; on the writing node itself the
 * first read must show it, else this rejects.
 */
export async function freshness(nodes: readonly StartedBackend[], token: string): Promise<number[]> {
  const ask = createAsk();
  const waits: number[] = [];
  for (let write = 0; write < WRITES; write++) {
    const writer = nodes[write % nodes.length];
    if (writer === undefined) continue;
    const site = siteName(write);
    const revision = `fresh ${write}`;
    const shows = async (node: StartedBackend) => (await askWell(ask, node.port, getConfig(site))).body.includes(`"${revision}"`);
    await Promise.all(nodes.map(shows));
    await askWell(ask, writer.port, putSite(site, token, revision));
    const acknowledged = performance.now();
    if (!(await shows(writer))) throw new Error(`The node that acknowledged a write of ${site} still answers the old config.json.`);
    const others = nodes.filter((node) => node !== writer);
    waits.push(...(await Promise.all(others.map((node) => until(() => shows(node), acknowledged)))));
  }
  return waits;
}

async function until(shown: () => Promise<boolean>, from: number): Promise<number> {
  while (performance.now() - from < LIMIT_MS) {
    if (await shown()) return performance.now() - from;
  }
  throw new Error(`A write was not to be seen on another node ${LIMIT_MS / 1000} s after its acknowledgement.`);
}
