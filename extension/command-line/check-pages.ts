import type { SetupPorts } from '#extension/setup/ports.ts';
import type { FileProbe } from '#extension/setup/situation.ts';
import { rowAddresses } from '#extension/setup/sites/row-site.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { CheckedFinding } from './commands/check.ts';

/** Looks at the home page of both hosts, as a visitor does: a site whose page is missing is not fine, whatever is stored. */
export async function checkPages(ports: Pick<SetupPorts, 'hosts'>, batch: Batch, row: SiteRow): Promise<CheckedFinding[]> {
  const { preview, live } = rowAddresses(batch, row);
  const [onPreview, onLive] = await Promise.all([ports.hosts.file(preview, '/'), ports.hosts.file(live, '/')]);
  return [pageFinding('page-preview', onPreview), pageFinding('page-live', onLive)];
}

function pageFinding(check: 'page-preview' | 'page-live', { address, status }: FileProbe): CheckedFinding {
  const { page } = messages.check;
  const place = { check, evidence: { request: `HEAD ${address}`, answer: String(status) } };
  if (status === 'unreachable') return { ...place, verdict: 'unknown', finding: page.unreachable(address) };
  if (status === 401 || status === 403) return { ...place, verdict: 'unknown', finding: page.protected(address, String(status)) };
  if (status >= 200 && status <= 299) return { ...place, verdict: 'fine', finding: page.fine(address) };
  return { ...place, verdict: 'wrong', finding: page.wrong(address, String(status)), fix: page.fix };
}
