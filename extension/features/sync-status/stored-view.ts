import { z } from 'zod';

const Kept = z.object({
  /** All sites of the organization instead of those on the page's repository. */
  everything: z.boolean().optional(),
  search: z.string().optional(),
  /** The repository that is open, by its key. */
  open: z.string().optional(),
  /** The external repository that is open, by its number, or the form that onboards one. */
  external: z.string().optional(),
  /** Branches beside those that were synchronised, by repository: a sync of them was asked for here. */
  branches: z.record(z.string(), z.array(z.string())).optional(),
});
export type StoredView = z.infer<typeof Kept>;

/** What a person looked at in an organization: rails are drawn anew at each click. */
export function readStoredView(organization: string): StoredView {
  const text = storage()?.getItem(keyOf(organization)) ?? '{}';
  try {
    const parsed = Kept.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

export function storeView(organization: string, view: StoredView): void {
  storage()?.setItem(keyOf(organization), JSON.stringify(view));
}

function keyOf(organization: string): string {
  return `repoless.sync-status.${organization}`;
}

function storage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
