import { authorOfRow, rowAddresses } from '#extension/setup/sites/row-site.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';

/** The content that a site has, and what takes its place: addresses of content roots on their authors. */
export interface ContentChange {
  readonly from: string;
  readonly to: string;
  readonly preview: string;
  readonly live: string;
  /** The site moves with its content, so that other pages answer at the same addresses. */
  readonly moves?: true;
}

/** In: what the site has now, a path where it is on the author of the row. */
export function contentChangeOf(batch: Batch, row: SiteRow, present: string): ContentChange {
  const author = authorOfRow(batch, row);
  return {
    from: present.startsWith('/') ? `${author}${present}` : present,
    to: `${author}${row.contentRoot}`,
    ...rowAddresses(batch, row),
    ...(row.move === undefined ? {} : { moves: true }),
  };
}

/** What is asked where nobody confirmed it yet. */
export function contentQuestion(site: string, change: ContentChange): string {
  return messages.content.question(site, change);
}

export function contentLines(change: ContentChange): string[] {
  if (change.moves === true) return [messages.content.change(change), messages.content.oldPage(change.from)];
  return [messages.content.change(change), messages.content.disappear(change), messages.content.oldPage(change.from)];
}
