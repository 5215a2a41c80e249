import { EDGE_CONFIGURATION, EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import type { Known } from '../situation/situation.ts';
import { readSling } from './read-sling.ts';

export interface EdgeConfigurationInForce {
  /** The `/conf` path that holds it: the one asked for, or one above. */
  readonly conf: string;
  readonly values: EdgeConfiguration;
}

/** The Edge Delivery configuration of a `/conf` path, or of the nearest one above that has one. */
export async function readEdgeConfiguration(proxy: AuthoringProxy, conf: string): Promise<Known<EdgeConfigurationInForce>> {
  const paths = confUpwards(conf);
  const answers = await Promise.all(
    paths.map((path) => readSling(proxy, `${path}/${EDGE_CONFIGURATION}/jcr:content.json`, EdgeConfiguration)),
  );
  for (const [index, answer] of answers.entries()) {
    const path = paths[index];
    if (answer.state === 'failed') return answer;
    if (answer.state === 'known' && path !== undefined) return { state: 'known', value: { conf: path, values: answer.value } };
  }
  return { state: 'missing' };
}

function confUpwards(conf: string): string[] {
  const segments = conf.split('/').slice(1);
  if (segments[0] !== 'conf') return [];
  return segments.slice(1).map((_segment, index) => `/${segments.slice(0, segments.length - index).join('/')}`);
}
