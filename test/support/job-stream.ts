import { request } from 'node:http';
import { JobStatus } from '@repoless/contract/job.ts';

/** Watches the jobs of a branch as the side panel does, until the latest one is stopped. */
export function untilStopped(address: string, path: string, headers: Readonly<Record<string, string>>): Promise<JobStatus> {
  const { port, host } = new URL(address);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname: '127.0.0.1', port, path, agent: false, headers: { host, accept: 'text/event-stream', ...headers } },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (piece: string) => {
          text += piece;
          const events = text.split('\n\n');
          text = events.pop() ?? '';
          for (const event of events) {
            const [, data] = /^event: job\ndata: (.*)$/.exec(event) ?? [];
            const status = data === undefined ? undefined : JobStatus.parse(JSON.parse(data));
            if (status?.state !== 'stopped') continue;
            resolve(status);
            outgoing.destroy();
          }
        });
        incoming.on('end', () => reject(new Error(`The stream ended (${incoming.statusCode}): ${text}`)));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}
